#include "simulation/loop/budget.h"

#include <algorithm>

#include "simulation/loop/instant.h"
#include "simulation/loop/tolerances.h"

namespace pequod {
namespace {

// One event more, or a share of one. Steps without any, as short as slip and growing forces ask
// for, are no crowd.
void count_event(double now, double share, EventBudget& budget) {
  if (now - budget.crowd_time > kCrowdSpan) {
    budget.crowd_time = now;
    budget.crowd = 0;
  }
  budget.crowd += share;
}

// @param events  of a part of the step, whose later half tells how far they are apart now
void count_part(double now, double share, double events, EventBudget& budget) {
  budget.storm += share;
  budget.events += events;
  if (budget.events < 2.0 * kManyEvents) return;
  budget.part_time = 0.5 * (budget.part_time + now);
  budget.events *= 0.5;
}

// How much more than one of `few` contacts a part costs: it grows as the cube of what it holds.
double cost_of(double contacts, double few) {
  const double more = contacts / few;
  return std::max(1.0, more * more * more);
}

// What a part counts that slip cuts short.
double share_of_slip(std::size_t contacts) {
  return std::min(kMostOfSlip, kStormOfSlip * cost_of(static_cast<double>(contacts), kSlipsOfBox));
}

bool is_storm(const EventBudget& budget, std::size_t trees) {
  return budget.storm > budget.allowance * (kStorm + kStormOfBody * static_cast<double>(trees));
}

// What a step of the scene may cost is spent. Where that was the least, and at once, the steps to
// come have more events than can be followed: none is in some of them, twice as many each time.
void end_events(double now, double step, EventBudget& budget) {
  const bool at_once =
      budget.allowance <= kLeastAllowance && now - budget.storm_time < kAtOnce * step;
  budget.wait = at_once ? std::min(2.0 * budget.wait + 1.0, kLongestWait) : 0.0;
  budget.waiting = budget.wait;
}

// The step of the scene that begins here has all that a step may cost, but for a storm that lasts:
// each step that spent what it had leaves less to the next.
void begin_scene_step(double from, std::size_t trees, EventBudget& budget) {
  budget.storm_time = budget.part_time = from;
  budget.events = 0.0;
  if (budget.waiting > 0.0) {
    budget.waiting -= 1.0;
    spend_all(budget);
    return;
  }
  if (is_storm(budget, trees)) {
    budget.allowance = std::max(budget.allowance * kStormLasts, kLeastAllowance);
  } else {
    budget.allowance = std::min(budget.allowance * kStormEnds, 1.0);
    budget.wait = 0.0;
  }
  budget.storm = 0.0;
}

}  // namespace

double crowd_at(double now, const EventBudget& budget) {
  return now - budget.crowd_time > kCrowdSpan ? 0.0 : budget.crowd;
}

bool is_crowded(const EventBudget& budget) { return budget.crowd > kCrowd; }

bool is_spent(const EventBudget& budget, std::size_t trees) {
  return is_crowded(budget) || is_storm(budget, trees);
}

double trial_span(const EventBudget& budget, double now, double shortest) {
  if (budget.events <= kManyEvents) return kInfinity;
  const double apart = (now - budget.part_time) / budget.events;
  return std::max(kEventsAhead * apart, shortest);
}

void count_step(const Scenario& scenario, const SpentStep& spent, State& state) {
  EventBudget& budget = state.loop.budget;
  // What an end counts of an event that may be one of endlessly many: all where no time has passed.
  const bool advanced = state.t - spent.from > instant(scenario, state.t);
  const double share = advanced ? spent.ending.endless : 1.0;
  if (spent.ending.by_event) count_event(state.t, share, budget);
  const double step = scenario.integrator.step;
  if (budget.storm_time < spent.from - step) budget.storm_time = budget.part_time = spent.from;
  if (has_come(scenario, state, budget.storm_time + step))
    begin_scene_step(state.t, scenario.model.trees.size(), budget);
  if (has_come(scenario, state, spent.due)) return;
  const std::size_t trees = scenario.model.trees.size();
  const bool was_storm = is_storm(budget, trees);
  if (spent.rubs && !spent.ending.by_event) {
    const double slip = share_of_slip(state.mode.size());
    count_part(state.t, slip, slip, budget);
  } else {
    const double cost = cost_of(spent.ending.contacts, kContactsOfEvent);
    count_part(state.t, share * cost, 1.0, budget);
  }
  if (!was_storm && is_storm(budget, trees)) end_events(state.t, step, budget);
}

void spend_instant(double now, EventBudget& budget) {
  budget.crowd_time = now;
  budget.crowd = kCrowd + 1;
  budget.storm += 1.0;
}

void spend_all(EventBudget& budget) { budget.storm = kInfinity; }

}  // namespace pequod
