#include "simulation/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "simulation/acceleration.h"
#include "simulation/resting.h"

namespace pequod {
namespace {

ContactModel require_model(const Scenario& scenario) {
  const ContactOptions& contact = scenario.contact;
  const ContactModel* model = find_contact_model(contact.model);
  if (!model) throw std::invalid_argument("unknown contact model '" + contact.model + "'");
  return at_level(*model, contact_level(*model, contact, scenario.integrator));
}

// The solver of the scenario, its problems shown to `watch`.
ContactSolver watched_solver(const ContactModel& model, const ContactOptions& options,
                             const ProblemWatch& watch) {
  ContactSolver solver = make_contact_solver(model.family, options.solver);
  solver.edges = options.edges;
  solver.accepted = options.tolerance;
  if (options.other_friction) solver.choice = FrictionOptions::Choice::other;
  solver.thorough = options.unsolved == "stop";
  return watched(std::move(solver), watch);
}

Restitution find_restitution(const std::string& name) {
  if (name == "poisson") return Restitution::poisson;
  if (name == "newton") return Restitution::newton;
  if (name == "newton-raw") return Restitution::newton_raw;
  throw std::invalid_argument("unknown restitution '" + name + "'");
}

// Words that are only compared with: any other one would pass for a default.
void require_words(const Scenario& scenario) {
  const auto require = [](const char* what, const std::string& word,
                          std::initializer_list<const char*> known) {
    if (std::ranges::find(known, word) == known.end())
      throw std::invalid_argument(fmt::format("unknown {} '{}'", what, word));
  };
  require("contact level", scenario.contact.level, {"", "velocity", "acceleration"});
  require("contact scheme", scenario.contact.scheme, {"event-driven", "time-stepping"});
  require("treatment of unsolved problems", scenario.contact.unsolved, {"continue", "stop"});
  require("viscous friction", scenario.contact.viscous, {"explicit", "implicit"});
  require("sleep", scenario.contact.sleep, {"on", "off"});
}

void require_combination(const Scenario& scenario, ContactLevel level) {
  if (scenario.contact.scheme == "time-stepping" && level != ContactLevel::velocity)
    throw std::invalid_argument("time-stepping needs a contact model at the velocity level, '" +
                                scenario.contact.model + "' acts at the acceleration level");
  if (scenario.contact.viscous == "implicit" && scenario.integrator.method != "symplectic-euler")
    throw std::invalid_argument("implicit viscous friction is for symplectic-euler, not '" +
                                scenario.integrator.method + "'");
}

}  // namespace

World make_world(const Scenario& scenario, const ProblemWatch& watch, StepClock& clock) {
  const ContactModel contact = require_model(scenario);
  require_words(scenario);
  require_combination(scenario, contact.level);
  return {&scenario,
          contact,
          watched_solver(contact, scenario.contact, watch),
          find_restitution(scenario.contact.restitution),
          Collision(scenario.model),
          scene_tolerances(scenario),
          &clock,
          force_scale(scenario.model),
          trees_that_may_rest(scenario),
          scenario.threads > 1 ? std::make_unique<Team>(scenario.threads) : nullptr};
}

}  // namespace pequod
