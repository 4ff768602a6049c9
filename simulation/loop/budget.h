// What a step of the scene may cost: events within it, and when fallback steps take its rest.
#pragma once

#include "simulation/options.h"

namespace pequod {

/// How a call of EventLoop::step() ended.
struct Ending {
  bool by_event = false;
  double endless = 1.0;  ///< of 1: what its event counts as one of endlessly many
  int contacts = 0;      ///< of the largest island that its impacts solved
};

/// A call of EventLoop::step() that has been made.
struct SpentStep {
  double from = 0.0;  ///< s
  double due = 0.0;   ///< s, where it would have ended without an event
  bool rubs = false;  ///< what cut it short without an event may have been slip
  Ending ending;
};

/// Events that have crowded into this instant (s) so far, by how endless they may be.
[[nodiscard]] double crowd_at(double now, const EventBudget& budget);

/// Whether events crowd into one instant: what bounces so has no last impact.
[[nodiscard]] bool is_crowded(const EventBudget& budget);

/// Whether no more events are followed: too many within a nanosecond, or within a step of the scene
/// for a model of so many trees.
[[nodiscard]] bool is_spent(const EventBudget& budget, std::size_t trees);

/// s, how long the next trial may be: where events crowd, one over all that is left of a step of
/// the scene would meet hundreds of them, to find the first of all.
[[nodiscard]] double trial_span(const EventBudget& budget, double now, double shortest);

/// Counts a step that has led to `state`.
void count_step(const Scenario& scenario, const SpentStep& spent, State& state);

/// Leaves nothing for this instant, or for this step of the scene, whose rest is fallback steps.
void spend_instant(double now, EventBudget& budget);
void spend_all(EventBudget& budget);

}  // namespace pequod
