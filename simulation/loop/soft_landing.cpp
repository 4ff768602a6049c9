#include "simulation/loop/soft_landing.h"

#include <algorithm>
#include <cmath>

#include "simulation/loop/tolerances.h"

namespace pequod {
namespace {

// m, that it may come in a step of the scene
double landing_reach(const World& world) {
  return fastest_landing(world) * world.scenario->integrator.step;
}

}  // namespace

double fastest_landing(const World& world) {
  return kSoftLanding * world.model().gravity.norm() * world.scenario->integrator.step;
}

// Under Runge–Kutta methods a step moves by the mean velocity, which an impulse changes by half.
bool lands_softly(const World& world) {
  const Scenario& scenario = *world.scenario;
  return world.velocity_level() && world.contact.friction != StageFriction::no_slip &&
         scenario.integrator.method == "symplectic-euler" &&
         scenario.contact.scheme != "time-stepping" && landing_reach(world) > world.tolerance.gap();
}

TouchRange landing_range(const World& world) {
  TouchRange range = landing_reach(world);
  range.facets = range.limits = world.tolerance.gap();
  return range;
}

void keep_landing(const World& world, const Kinematics& kin, const VectorXd& v, double h,
                  Touching& touching) {
  const double fastest = fastest_landing(world), touches = world.tolerance.gap();
  const auto stays = [&](const Contact& contact) {
    return contact.gap <= touches ||
           (contact.gap <= fastest * h && contact.surface.restitution == 0.0 &&
            std::abs(normal_velocity(world.model(), kin, contact, v)) <= fastest);
  };
  if (std::ranges::all_of(touching.contacts, stays)) return;
  touching = touching.those([&](std::size_t i) { return stays(touching.contacts[i]); });
}

void append_landings(const World& world, const Touching& touching, const Kinematics& kin,
                     const VectorXd& start, const State& end, std::vector<EventRow>& rows) {
  if (!lands_softly(world)) return;
  for (const Contact& contact : touching.contacts) {
    const ContactMode* mode = find_mode(end, contact.key);
    if (contact.gap <= world.tolerance.gap() || !mode || !mode->closed) continue;
    rows.push_back(contact_row(end.t, contact, EventKind::touch,
                               normal_velocity(world.model(), kin, contact, start)));
  }
}

}  // namespace pequod
