// The step that is taken where events crowd or no event explains an overlap.
#include <fmt/format.h>

#include <algorithm>

#include "simulation/errors.h"
#include "simulation/loop/instant.h"
#include "simulation/loop/tolerances.h"
#include "simulation/rims.h"
#include "simulation/simulation.h"

namespace pequod {

bool Simulation::crowded() const {
  const double storm = kStorm + kStormOfBody * static_cast<double>(world_.model().trees.size());
  return state_.loop.crowd > kCrowd || state_.loop.storm > storm;
}

// No event explains an overlap: nothing is accepted, and a fallback step comes next.
void Simulation::refuse() {
  state_.loop.crowd_time = state_.t;
  state_.loop.crowd = kCrowd + 1;
}

// A run always advances: events that crowd into one instant, which no mode explains, are bridged by
// one impulse step over everything within reach, projected to gaps ≥ 0. First order, and logged.
void Simulation::take_fallback_step(double h) {
  State& next = workspace_.next;
  const double longest = std::min(h, kFallbackStep);
  Bridge taken{};
  try {
    taken = bridge(longest, kFallbackReach, next);
  } catch (const ContactError&) {
    // `no-slip` holds along the surface what is in reach and does not touch yet, and there may be
    // no impulses that do.
    taken = bridge(longest, kGapTolerance, next);
  }
  book(fallback_, next);
  accept_fallback(taken, next);
}

// A step ≤ `longest` with impulses at everything within reach, m, to `next`.
Simulation::Bridge Simulation::bridge(double longest, double reach, State& next) {
  find_contacts(reach);
  fallback_.terms() = stepper_.terms();
  fallback_.begin(state_, touching_);
  // What turns within the step sinks by O(step²): a shorter one then.
  for (double step = longest;; step *= 0.25) {
    fallback_.at(step);
    keep_rims_up(fallback_, step, reach);
    next = fallback_.at(step).state;
    const double gap = measure_gap(fallback_.terms());
    if (gap >= -kGapTolerance) return {step, gap};
    if (step < kShortestFallback) return join_overlapping(longest, gap, next);
  }
}

// What neither impulses nor projection keep apart moves as one body for the step, without rebound
// or slip, and so does what that would push into others.
// @param gap  m, the smallest at the end of the trial step of fallback_
Simulation::Bridge Simulation::join_overlapping(double step, double gap, State& next) {
  const double shortest = std::min(1e-9, 1e-3 * step);  // s
  std::vector<ShapePair> joined;
  while (step >= shortest) {
    const std::size_t known = joined.size();
    world_.collision.add_overlapping(fallback_.trial().terms.shapes(), kGapTolerance, joined);
    if (joined.size() == known) step *= 0.25;  // both turn
    fallback_.join(joined);
    next = fallback_.at(step).state;
    gap = measure_gap(fallback_.terms());
    if (gap < -kGapTolerance) continue;
    next.loop.storm = kAllFallback;
    return {step, gap};
  }
  throw ContactError(
      fmt::format("bodies overlap by {:.2g} m after t = {} s, and neither a step nor a "
                  "fallback step keeps them apart",
                  -gap, state_.t));
}

void Simulation::accept_fallback(const Bridge& taken, State& next) {
  drop_idle_rims(next.mode, next.loop.rims);
  if (!world_.velocity_level()) next.mode.clear();
  std::swap(state_, next);
  ++report_.statistics.steps;
  ++report_.statistics.fallbacks;
  report_.rows.push_back(fallback_row(state_.t));
  state_.loop.crowd = 0;
  report_step(taken.span, taken.gap);
  if (world_.scenario->contact.scheme != "time-stepping")
    settle_contacts();  // which has no impacts
}

// One event more, or a share of one. Steps without any, as short as slip and growing forces ask
// for, are no crowd.
void Simulation::count_event(double share) {
  if (state_.t - state_.loop.crowd_time > kCrowdSpan) {
    state_.loop.crowd_time = state_.t;
    state_.loop.crowd = 0;
  }
  state_.loop.crowd += share;
}

// Where events crowd, a trial over all that is left of a step of the scene meets hundreds of them,
// to find the first of all: not much longer than they are apart does.
// @return s
double Simulation::storm_span() const {
  const LoopState& loop = state_.loop;
  if (loop.events <= kManyEvents) return kInfinity;
  const double apart = (state_.t - loop.part_time) / loop.events;
  return std::max(kEventsAhead * apart, shortest_step(*world_.scenario));
}

// What an end counts of an event that may be one of endlessly many: all of it where no time has
// passed.
double Simulation::share_of(const Ending& ending, double t_before) const {
  const bool advanced = state_.t - t_before > instant(*world_.scenario, state_.t);
  return advanced ? ending.endless : 1.0;
}

// @param due  s, where the step would have ended without an event
void Simulation::watch_events(double t_before, double due, const Ending& ending) {
  LoopState& loop = state_.loop;
  const double share = share_of(ending, t_before);
  if (ending.by_event) count_event(share);
  if (state_.t - loop.storm_time >= world_.scenario->integrator.step) {
    loop.storm_time = loop.part_time = t_before;
    loop.storm = loop.events = 0.0;
  }
  if (past(due)) return;
  const bool by_slip = world_.rubs() && !ending.by_event;
  loop.storm += by_slip ? kStormOfSlip : share;
  loop.events += by_slip ? kStormOfSlip : 1.0;
  if (loop.events < 2.0 * kManyEvents) return;
  loop.part_time = 0.5 * (loop.part_time + state_.t);
  loop.events *= 0.5;
}

}  // namespace pequod
