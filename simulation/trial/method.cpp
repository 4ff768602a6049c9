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

ContactModel impulse_form(const ContactModel& model) {
  ContactModel form = model;
  form.level = ContactLevel::velocity;
  return form;
}

StepMethod make_method(const World& world, const ContactModel& contact,
                       const std::string& integrator) {
  const Scenario& scenario = *world.scenario;
  return {contact,
          world.solver,
          integrator == "symplectic-euler",
          contact.viscous && contact.level == ContactLevel::acceleration &&
              scenario.contact.viscous == "implicit",
          stages_of(integrator),
          scenario.contact.scheme == "time-stepping" && can_be_in_bodies(scenario, contact),
          friction_coordinates(scenario.model)};
}

StepMethod make_method(const World& world) {
  return make_method(world, world.contact, world.scenario->integrator.method);
}

StepMethod make_fallback_method(const World& world) {
  StepMethod method = make_method(world, impulse_form(world.contact), "symplectic-euler");
  method.in_bodies = can_be_in_bodies(*world.scenario, method.contact);
  method.solver.few = kFewInFallback;
  return method;
}

}  // namespace pequod
