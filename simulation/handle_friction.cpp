// The part of Simulation that changes modes of Coulomb friction at the acceleration level.
#include "simulation/errors.h"
#include "simulation/rims.h"
#include "simulation/simulation.h"

namespace pequod {
namespace {

// Share of a step after which the mode after an event is no tie.
constexpr double kAhead = 1e-3;

}  // namespace

double Simulation::look_ahead() const {
  return kAhead * (state_.step > 0.0 ? state_.step : scenario_->integrator.step);
}

// A new effort seldom changes the mode of Coulomb friction.
bool Simulation::mode_holds() {
  return stepper_.rubs() && friction_modes_.holds(state_, touching_, look_ahead());
}

// The mode of the contacts in touching_, at the acceleration level.
void Simulation::choose_mode() {
  state_.loop.mode_due = false;
  if (!stepper_.rubs()) return settler_.choose_mode(state_, touching_, rows_);
  friction_modes_.reset_stats();
  const bool chosen = choose_friction() || strike();
  count(friction_modes_.stats());
  if (!chosen) refuse();
}

// No force keeps the contacts as they are: an impulse of no duration changes their velocities.
bool Simulation::strike() {
  if (!settler_.strike(state_, touching_, rows_)) return false;
  settler_.resolve_impacts(state_, touching_, rows_);
  settler_.find(state_, touching_);
  return choose_friction();
}

// The mode of the contacts in touching_, with the rim points that discs need which tip.
bool Simulation::choose_friction() {
  for (;;) {
    if (friction_modes_.choose(state_, touching_, look_ahead(), rows_)) return true;
    const std::size_t before = state_.loop.rims.size();
    state_.loop.rims = friction_modes_.rims();
    if (state_.loop.rims.size() <= before) return false;
    settler_.find(state_, touching_);
  }
}

// Within no step do the forces of what slides keep their size.
void Simulation::end_jam() {
  count_event();
  friction_modes_.reset_stats();
  if (!strike()) refuse();
  count(friction_modes_.stats());
}

// A force left its cone, a slip reached zero or a joint changed: the mode is chosen anew.
void Simulation::end_friction_mode(const EventHit& hit) {
  if (hit.kind == EventHit::Kind::sinks) return close_hop(hit.key);
  if (hit.kind == EventHit::Kind::stop) state_.v[hit.joint] = 0.0;
  if (hit.kind == EventHit::Kind::halt)
    for (ContactMode& mode : state_.mode)
      if (mode.key == hit.key) mode.slide.kind = SlideMode::Kind::slow;  // it starts no more
  settler_.find(state_, touching_);
  choose_mode();
  state_.loop.released = true;
}

// Nothing was accepted. A contact that leaves and is back before its gap can be told from zero does
// not leave; if it did not leave at all, its mode was wrong.
void Simulation::close_hop(const ContactKey& key) {
  settler_.find(state_, touching_);
  if (!settler_.close_hop(state_, touching_, key, rows_)) return refuse();
  settler_.find(state_, touching_);
  choose_mode();
}

}  // namespace pequod
