#include "simulation/viscous_limit.h"

#include <fmt/format.h>

#include "contact/models/contact_model.h"
#include "simulation/collision.h"
#include "simulation/damping_limit.h"
#include "simulation/evaluate.h"
#include "simulation/held/viscous.h"
#include "simulation/held/workspace.h"
#include "simulation/scene_tolerances.h"
#include "simulation/touching.h"

namespace pequod {

double viscous_rate(const Scenario& scenario, const State& state) {
  const ContactModel* contact_model = find_contact_model(scenario.contact.model);
  if (!contact_model || !contact_model->viscous) return 0.0;
  const Model& model = scenario.model;
  Evaluator here(model);
  here.at(state.q, state.v);
  TouchingWorkspace workspace;
  Touching touching;
  find_touching(model, Collision(model), here, scene_tolerances(scenario).gap(), workspace,
                touching);
  HeldFactor held(model);
  held.hold(touching, {});
  held.factor(here, HeldTangents::present);
  HeldWorkspace held_workspace;
  return viscous_rate(held, held_workspace);
}

double viscous_step_limit(const Scenario& scenario, double rate) {
  if (scenario.contact.viscous == "implicit") return kInfinity;
  return longest_stable_step(scenario.integrator, rate);
}

std::string viscous_warning(const Scenario& scenario, double rate) {
  const double limit = viscous_step_limit(scenario, rate);
  if (scenario.integrator.step <= limit) return {};
  return fmt::format(
      "viscous friction decays at {:.4g} 1/s: {} is unstable with steps beyond {:.4g} s, and "
      "integrator.step is {:g} s; shorten it, or use symplectic-euler with contact.viscous: "
      "implicit",
      rate, scenario.integrator.method, limit, scenario.integrator.step);
}

}  // namespace pequod
