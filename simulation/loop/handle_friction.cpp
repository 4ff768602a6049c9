// The part of EventLoop that changes modes of Coulomb friction at the acceleration level.
#include <algorithm>
#include <cmath>

#include "simulation/loop/event_loop.h"
#include "simulation/loop/tolerances.h"
#include "simulation/settle/friction_mode.h"
#include "simulation/settle/tolerances.h"
#include "simulation/settle/zeno.h"

namespace pequod {

// A mode that ends at once, again and again, stands where it was looked ahead to, past what happens
// before: as where the side of a capsule turns over the edge between two facets, which takes 1e-7
// s, and pulls until then. So it is looked at more closely each time.
double EventLoop::look_ahead() const {
  const double look =
      kLookAhead * (state_.step > 0.0 ? state_.step : world_.scenario->integrator.step);
  const double again = std::floor(crowd_at(state_.t, state_.loop.budget)) - kEndsAgain;
  return again > 0.0 ? look * std::pow(kCloserLook, std::min(again, kCloserLooks)) : look;
}

// A new effort seldom changes the mode of Coulomb friction.
bool EventLoop::mode_holds() {
  return world_.rubs() && friction_mode_holds(world_, stepper_, state_, touching_, look_ahead(),
                                              lend(workspace_.settle.friction));
}

// The mode of the contacts in touching_, at the acceleration level.
// @return what was solved for it, but for the choice of friction modes, which is counted here
StepStats EventLoop::renew_mode() {
  state_.loop.mode_due = false;
  if (!world_.rubs())
    return choose_mode(world_, stepper_.terms(), state_, touching_, report_.rows,
                       lend(workspace_.settle));
  const FrictionOutcome outcome = settle_friction(world_, stepper_, state_, touching_, look_ahead(),
                                                  report_.rows, lend(workspace_.settle));
  count(outcome.modes, report_.statistics);
  if (!outcome.found) refuse();
  return outcome.impulses;
}

// Within no step do the forces of what slides keep their size.
void EventLoop::end_jam() {
  const FrictionOutcome outcome = strike_friction(world_, stepper_, state_, touching_, look_ahead(),
                                                  report_.rows, lend(workspace_.settle));
  if (!outcome.found) refuse();
  count(outcome.modes, report_.statistics);
}

// A force left its cone, a slip reached zero or a joint changed: the mode is chosen anew.
void EventLoop::end_friction_mode(const EventHit& hit) {
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
void EventLoop::close_hop(const ContactKey& key) {
  find_contacts();
  if (!pequod::close_hop(world_, stepper_.terms(), state_, touching_, key, report_.rows,
                         lend(workspace_.settle)))
    return refuse();
  find_contacts();
  renew_mode();
}

}  // namespace pequod
