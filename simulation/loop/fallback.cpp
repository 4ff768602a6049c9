// The step that is taken where events crowd or no event explains an overlap.
#include <fmt/format.h>

#include <algorithm>

#include "simulation/errors.h"
#include "simulation/loop/budget.h"
#include "simulation/loop/event_loop.h"
#include "simulation/loop/soft_landing.h"
#include "simulation/loop/tolerances.h"
#include "simulation/rims.h"

namespace pequod {
namespace {

bool rebounds(const Model& model) {
  return std::ranges::any_of(model.surfaces,
                             [](const Surface& surface) { return surface.restitution > 0.0; });
}

}  // namespace

// A run always advances: events that crowd into one instant, which no mode explains, are bridged by
// one impulse step over everything within reach, projected to gaps ≥ 0. First order, and logged.
void EventLoop::take_fallback_step(double h) {
  State& next = workspace_.next;
  state_.loop.resting.clear();  // everything within reach takes part
  const double longest = std::min(h, kFallbackStep * world_.scenario->integrator.step);
  const double travel = 2.0 * longest * world_.collision.near().fastest(state_.v);  // of two bodies
  const double reach = std::max(kFallbackReach * world_.tolerance.length, travel);
  if (rebounds(world_.model()) && !is_crowded(state_.loop.budget)) {
    find_contacts(range_within(longest));
    rebound(longest, nullptr);
  }
  Bridge taken{};
  try {
    taken = bridge(longest, reach, next);
  } catch (const ContactError&) {
    // `no-slip` holds along the surface what is in reach and does not touch yet, and there may be
    // no impulses that do.
    taken = bridge(longest, world_.tolerance.gap(), next);
  }
  book(fallback_, next);
  accept_fallback(taken, next);
}

// What rebounds and meets within a span (s) does so at its beginning, as the impulses of the step
// know no restitution; then what that makes meet.
// touching_: within reach of it, before and after.
// @param tried  the end of such a step, which meets what its forces bring nearer too; or none
// @return whether there were impacts
bool EventLoop::rebound(double span, const State* tried) {
  if (!rebounds(world_.model())) return false;
  Meeting meeting{span, std::max(fastest_landing(world_), world_.tolerance.speed()), tried};
  for (int round = 0; round < kMeetingRounds; ++round) {
    // The stepper's own terms stay at the end of what was tried.
    const Impacts met = resolve_meetings(world_, fallback_.terms(), meeting, touching_, state_,
                                         report_.rows, lend(workspace_.settle));
    if (!met.any) return round > 0;
    count(met.stats, report_.statistics);
    find_contacts(range_within(span));
    meeting.tried = nullptr;
  }
  return true;
}

// A step ≤ `longest` with impulses at everything within reach, m, to `next`.
EventLoop::Bridge EventLoop::bridge(double longest, double reach, State& next) {
  find_contacts(reach);
  fallback_.terms() = stepper_.terms();
  fallback_.begin(state_, touching_);
  const double shortest = kShortestFallback * world_.scenario->integrator.step;
  // What turns within the step sinks by O(step²): a shorter one then.
  for (double step = longest;; step *= 0.25) {
    fallback_.at(step);
    keep_rims_up(fallback_, step, reach);
    next = fallback_.at(step).state;
    const double gap = measure_gap(fallback_.terms());
    if (gap >= -world_.tolerance.gap()) return {step, gap};
    if (step < shortest) return join_overlapping(longest, gap, next);
  }
}

// What neither impulses nor projection keep apart moves as one body for the step, without rebound
// or slip, and so does what that would push into others.
// @param gap  m, the smallest at the end of the trial step of fallback_
EventLoop::Bridge EventLoop::join_overlapping(double step, double gap, State& next) {
  const double shortest = std::min(1e-9, 1e-3 * step);  // s
  std::vector<ShapePair> joined;
  while (step >= shortest) {
    const std::size_t known = joined.size();
    world_.collision.add_overlapping(fallback_.trial().terms, world_.tolerance.gap(), joined);
    if (joined.size() == known) step *= 0.25;  // both turn
    fallback_.join(joined);
    next = fallback_.at(step).state;
    gap = measure_gap(fallback_.terms());
    if (gap < -world_.tolerance.gap()) continue;
    spend_all(next.loop.budget);
    return {step, gap};
  }
  throw ContactError(
      fmt::format("bodies overlap by {:.2g} m after t = {} s, and neither a step nor a "
                  "fallback step keeps them apart",
                  -gap, state_.t));
}

void EventLoop::accept_fallback(const Bridge& taken, State& next) {
  drop_idle_rims(next.mode, next.loop.rims);
  swap(state_, next);
  ++report_.statistics.steps;
  ++report_.statistics.fallbacks;
  report_.rows.push_back(fallback_row(state_.t));
  state_.loop.budget.crowd = 0;
  report_step(taken.span, static_cast<int>(touching_.size()), stepper_.trial().stats, taken.gap);
  if (world_.scenario->contact.scheme != "time-stepping")
    settle_contacts();  // which has no impacts
}

}  // namespace pequod
