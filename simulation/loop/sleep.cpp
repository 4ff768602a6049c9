#include "simulation/loop/sleep.h"

#include <algorithm>

namespace pequod {
namespace {

bool are_forces_settled(const Scenario& scenario, double now) {
  return scenario.controllers.empty() &&
         std::ranges::all_of(scenario.forces,
                             [&](const ExternalForce& force) { return is_settled(force, now); });
}

bool have_same_forces(const State& before, const State& after) {
  return before.mode.size() == after.mode.size() &&
         std::ranges::all_of(
             after.mode, [&](const ContactMode& mode) { return presses_as_before(before, mode); });
}

}  // namespace

bool is_settled(const ExternalForce& force, double now) {
  return force.to <= now || (force.from <= now && force.to == kInfinity);
}

bool presses_as_before(const State& before, const ContactMode& mode) {
  const ContactMode* known = find_mode(before, mode.key);
  return known && known->force_W == mode.force_W;
}

bool may_sleep(const World& world) {
  const Scenario& scenario = *world.scenario;
  return scenario.contact.sleep == "on" && world.velocity_level() &&
         scenario.integrator.tolerance == 0.0;
}

bool falls_asleep(const World& world, const State& before, const State& after) {
  return may_sleep(world) && before.v.isZero(0.0) && after.v.isZero(0.0) && before.q == after.q &&
         before.tau == after.tau && have_same_forces(before, after) && after.loop.ends.empty() &&
         are_forces_settled(*world.scenario, before.t);
}

double gap_asleep(const State& state) {
  double least = kInfinity;
  for (const ContactMode& mode : state.mode)
    if (!is_joint_limit(mode.key)) least = std::min(least, mode.gap);
  return least;
}

}  // namespace pequod
