#include "simulation/trial/runaway.h"

#include <fmt/format.h>

#include "simulation/damping_limit.h"
#include "simulation/errors.h"
#include "simulation/trial/tolerances.h"

namespace pequod {

void require_explained(const World& world, const StepStart& start, const Trial& trial,
                       const State& end) {
  const double still = world.tolerance.speed();
  const double fast = start.state.v.lpNorm<Eigen::Infinity>() + still;
  if (!(end.v.lpNorm<Eigen::Infinity>() > kLeap * fast)) return;
  const Model& model = world.model();
  const Kinematics &from = start.terms.kinematics(), &to = trial.terms.kinematics();
  const double kinetic = kinetic_energy(model, from, start.state.v);
  const double fallen = potential_energy(model, from) - potential_energy(model, to);
  const double work = trial.work.actuator + trial.work.external;
  const double grown = kinetic_energy(model, to, end.v) - kinetic;
  const double at_hand = kinetic + total_mass(model) * still * still + std::abs(fallen) +
                         std::abs(trial.work.actuator) + std::abs(trial.work.external);
  if (grown - fallen - work <= kRunaway * at_hand) return;
  const std::string note = damping_note(*world.scenario, start.terms);
  throw DivergenceError(fmt::format(
      "kinetic energy grew from {:.3g} by {:.3g} J in one step, of which forces explain {:.3g} J: "
      "{}",
      kinetic, grown, fallen + work,
      note.empty() ? "what moves there is too fast for integrator.step; shorten it" : note));
}

}  // namespace pequod
