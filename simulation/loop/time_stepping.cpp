// Steps of a fixed length without a search for events: contact.scheme time-stepping.
#include <algorithm>

#include "simulation/loop/event_loop.h"
#include "simulation/loop/tolerances.h"

namespace pequod {

// What two shapes can close within h, by what they travel themselves, twice for two of them, and as
// much again because they may be accelerated. One fast limb makes no contacts of hundreds of
// corners at a foot that stands.
TouchRange EventLoop::range_within(double h) {
  std::vector<double>& travels = workspace_.travel;
  travels = here().speeds(world_.collision.near().all().shapes);
  const double falls = 4.0 * world_.model().gravity.norm() * h * h;
  TouchRange within = falls + world_.tolerance.gap();
  double most = 0.0;
  for (double& travel : travels) most = std::max(most, travel *= 2.0 * h);
  within.limits += 2.0 * most;
  within.travel = travels;
  return within;
}

// Every contact in reach may come nearer by its gap within the step, and no further, and is then
// projected to it. What nobody foresaw (features that face each other only within the step, speeds
// that more than double) is projected too, and where that leads nowhere half the step is taken, or
// a fallback step.
void EventLoop::take_time_step(double h) {
  const double t_end = state_.t + h;
  State& next = workspace_.next;
  find_contacts(range_within(h));
  rebound(h, nullptr);
  int tries = 0;
  for (double part = h; part >= kLeastPart * h;) {
    stepper_.begin(state_, touching_);
    next = stepper_.at(part).state;
    double gap = measure_gap(stepper_.terms());
    if (gap < -world_.tolerance.gap()) gap = raise_sunk(gap, next);
    if (gap < -world_.tolerance.gap()) {
      part *= 0.5;
      find_contacts(range_within(part));
      continue;
    }
    if (++tries < kMeetingRounds && rebound(part, &next)) continue;
    accept(h, std::nullopt, gap, next);
    if (part == h) state_.t = t_end;
    return;
  }
  take_fallback_step(h);
}

// Moves everything of `next` that is below zero to zero, which may sink others.
// @return m, the smallest gap that is left
double EventLoop::raise_sunk(double gap, State& next) {
  Touching& found = workspace_.found;
  for (int round = 0; round < kRaisingRounds && gap < -world_.tolerance.gap(); ++round) {
    TouchRange within = world_.tolerance.gap();
    within.asked = -gap;
    find_touching(world_, next, within, stepper_.terms(), lend(workspace_.settle.touching), found);
    next = stepper_.raise(found).state;
    gap = measure_gap(stepper_.terms());
  }
  return gap;
}

}  // namespace pequod
