// The part of Simulation that changes modes of Coulomb friction at the acceleration level.
#include "simulation/errors.h"
#include "simulation/settle/impacts.h"
#include "simulation/settle/strike.h"
#include "simulation/settle/tolerances.h"
#include "simulation/settle/zeno.h"
#include "simulation/simulation.h"

namespace pequod {

double Simulation::look_ahead() const {
  return kLookAhead * (state_.step > 0.0 ? state_.step : world_.scenario->integrator.step);
}

// A new effort seldom changes the mode of Coulomb friction.
bool Simulation::mode_holds() {
  return stepper_.rubs() && friction_modes_.holds(state_, touching_, look_ahead());
}

// The mode of the contacts in touching_, at the acceleration level.
// @return what was solved for it, but for the choice of friction modes, which is counted here
StepStats Simulation::renew_mode() {
  state_.loop.mode_due = false;
  if (!stepper_.rubs())
    return choose_mode(world_, stepper_.end(), state_, touching_, rows_, settle_workspace_);
  friction_modes_.reset_stats();
  StepStats stats;
  const bool chosen = choose_friction() || strike_friction(stats);
  count(friction_modes_.stats());
  if (!chosen) refuse();
  return stats;
}

// No force keeps the contacts as they are: an impulse of no duration changes their velocities.
bool Simulation::strike_friction(StepStats& stats) {
  Evaluator& here = stepper_.end();
  const Strike struck = strike(world_, here, state_, touching_, rows_, settle_workspace_);
  stats += struck.stats;
  if (!struck.any) return false;
  stats += resolve_impacts(world_, here, state_, touching_, rows_, settle_workspace_).stats;
  find_contacts();
  return choose_friction();
}

// The mode of the contacts in touching_, with the rim points that discs need which tip.
bool Simulation::choose_friction() {
  for (;;) {
    if (friction_modes_.choose(state_, touching_, look_ahead(), rows_)) return true;
    const std::size_t before = state_.loop.rims.size();
    state_.loop.rims = friction_modes_.rims();
    if (state_.loop.rims.size() <= before) return false;
    find_contacts();
  }
}

// Within no step do the forces of what slides keep their size.
void Simulation::end_jam() {
  count_event();
  friction_modes_.reset_stats();
  StepStats stats;
  if (!strike_friction(stats)) refuse();
  count(friction_modes_.stats());
}

// A force left its cone, a slip reached zero or a joint changed: the mode is chosen anew.
void Simulation::end_friction_mode(const EventHit& hit) {
  if (hit.kind == EventHit::Kind::sinks) return close_hop(hit.key);
  if (hit.kind == EventHit::Kind::stop) state_.v[hit.joint] = 0.0;
  if (hit.kind == EventHit::Kind::halt)
    for (ContactMode& mode : state_.mode)
      if (mode.key == hit.key) mode.slide.kind = SlideMode::Kind::slow;  // it starts no more
  find_contacts();
  renew_mode();
  state_.loop.released = true;
}

// Nothing was accepted. A contact that leaves and is back before its gap can be told from zero does
// not leave; if it did not leave at all, its mode was wrong.
void Simulation::close_hop(const ContactKey& key) {
  find_contacts();
  if (!pequod::close_hop(world_, stepper_.end(), state_, touching_, key, rows_, settle_workspace_))
    return refuse();
  find_contacts();
  renew_mode();
}

}  // namespace pequod
