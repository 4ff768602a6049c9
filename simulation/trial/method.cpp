#include "simulation/trial/method.h"

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

// Other methods than the default one, and those that try all there is, have rows of all
// coordinates.
bool solves_in_bodies(const ContactOptions& options, const ContactModel& contact) {
  const bool by_default =
      options.solver.empty() || options.solver == solver_names(contact.family).front();
  return options.scheme == "time-stepping" && contact.name == "coulomb" && by_default &&
         options.unsolved != "stop" && contact.level == ContactLevel::velocity;
}

}  // namespace

StepMethod make_method(const Scenario& scenario, const ContactModel& contact,
                       const std::string& integrator) {
  return {contact,
          integrator == "symplectic-euler",
          contact.viscous && scenario.contact.viscous == "implicit",
          stages_of(integrator),
          solves_in_bodies(scenario.contact, contact),
          friction_coordinates(scenario.model)};
}

}  // namespace pequod
