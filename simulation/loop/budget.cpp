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

}  // namespace

bool is_spent(const EventBudget& budget, std::size_t trees) {
  const double storm = kStorm + kStormOfBody * static_cast<double>(trees);
  return budget.crowd > kCrowd || budget.storm > storm;
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
  if (state.t - budget.storm_time >= scenario.integrator.step) {
    budget.storm_time = budget.part_time = spent.from;
    budget.storm = budget.events = 0.0;
  }
  if (has_come(scenario, state, spent.due)) return;
  if (spent.rubs && !spent.ending.by_event)
    count_part(state.t, kStormOfSlip, kStormOfSlip, budget);
  else
    count_part(state.t, share, 1.0, budget);
}

void spend_instant(double now, EventBudget& budget) {
  budget.crowd_time = now;
  budget.crowd = kCrowd + 1;
}

void spend_all(EventBudget& budget) { budget.storm = kInfinity; }

}  // namespace pequod
