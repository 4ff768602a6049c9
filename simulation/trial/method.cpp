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

}  // namespace

StepMethod make_method(const Scenario& scenario, const ContactModel& contact,
                       const std::string& integrator) {
  return {contact, integrator == "symplectic-euler",
          contact.viscous && scenario.contact.viscous == "implicit", stages_of(integrator),
          friction_coordinates(scenario.model)};
}

}  // namespace pequod
