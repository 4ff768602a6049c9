#include "simulation/loop/soft_landing.h"

#include <cmath>

#include "simulation/loop/tolerances.h"

namespace pequod {
namespace {

// Under Runge–Kutta methods a step moves by the mean velocity, which an impulse changes by half.
bool lands_softly(const World& world) {
  const Scenario& scenario = *world.scenario;
  return world.velocity_level() && world.contact.friction != StageFriction::no_slip &&
         scenario.integrator.method == "symplectic-euler" &&
         scenario.contact.scheme != "time-stepping";
}

}  // namespace

void add_soft_landings(const World& world, const State& state, double h, Evaluator& here,
                       TouchingWorkspace& workspace, Touching& touching) {
  if (!lands_softly(world)) return;
  const double fastest =
      kSoftLanding * world.model().gravity.norm() * world.scenario->integrator.step;  // m/s
  TouchRange range = fastest * h;
  if (!(range.range > world.tolerance.gap())) return;
  range.facets = range.limits = world.tolerance.gap();
  Touching near;
  find_touching(world, state, range, here, workspace, near);
  const auto lands = [&](const Contact& contact) {
    const double speed = normal_velocity(world.model(), here.kinematics(), contact, state.v);
    return contact.surface.restitution == 0.0 && std::abs(speed) <= fastest;
  };
  touching.clear();
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Contact& contact = near.contacts[i];
    if (contact.gap <= world.tolerance.gap() || lands(contact)) touching.add(near, i);
  }
}

void append_landings(const World& world, const Touching& touching, const Kinematics& kin,
                     const VectorXd& start, const State& end, std::vector<EventRow>& rows) {
  if (!lands_softly(world)) return;
  for (const Contact& contact : touching.contacts) {
    const ContactMode* mode = find_mode(end, contact.key);
    if (contact.gap <= world.tolerance.gap() || !mode || !mode->closed) continue;
    rows.push_back(contact_row(end.t, contact, EventKind::touch));
    rows.back().speed_before = normal_velocity(world.model(), kin, contact, start);
  }
}

}  // namespace pequod
