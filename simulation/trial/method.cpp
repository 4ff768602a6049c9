#include "simulation/trial/method.h"

#include <algorithm>
#include <stdexcept>

#include "simulation/joint_friction.h"

namespace pequod {
namespace {

// The stages of an integrator; symplectic Euler has none and takes no such step.
RungeKutta::Method stages_of(const std::string& integrator) {
  if (integrator == "dopri5") return RungeKutta::Method::dopri5;
  if (integrator == "rk4" || integrator == "symplectic-euler") return RungeKutta::Method::rk4;
  throw std::invalid_argument("unknown integrator '" + integrator + "'");
}

// Whether friction of all pairs is Coulomb's, with a bound.
bool is_bounded(const Model& model) {
  return std::ranges::all_of(model.surfaces, [](const Surface& surface) {
    return surface.viscous == 0.0 && surface.friction < kNoSlipFriction;
  });
}

// Other methods than the default one, and those that try all there is, have rows of all
// coordinates.
bool can_be_in_bodies(const Scenario& scenario, const ContactModel& contact) {
  const ContactOptions& options = scenario.contact;
  const bool by_default =
      options.solver.empty() || options.solver == solver_names(contact.family).front();
  return contact.level == ContactLevel::velocity && by_default && options.unsolved != "stop" &&
         (contact.bodies == ContactModel::Bodies::all ||
          (contact.bodies == ContactModel::Bodies::bounded && is_bounded(scenario.model)));
}

}  // namespace

StepMethod make_method(const Scenario& scenario, const ContactModel& contact,
                       const std::string& integrator) {
  return {contact,
          integrator == "symplectic-euler",
          contact.viscous && scenario.contact.viscous == "implicit",
          stages_of(integrator),
          scenario.contact.scheme == "time-stepping" && can_be_in_bodies(scenario, contact),
          friction_coordinates(scenario.model)};
}

StepMethod make_fallback_method(const Scenario& scenario, const ContactModel& contact) {
  StepMethod method = make_method(scenario, contact, "symplectic-euler");
  method.in_bodies = can_be_in_bodies(scenario, contact);
  method.rough = true;
  return method;
}

}  // namespace pequod
