// The 216 balls of a public benchmark, "666".
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

/// ball_grid.yaml with its balls where the benchmark lays them, each shifted by up to 1 mm. With
/// restitution they start 1 m higher.
[[nodiscard]] Scenario ball_grid(Scenario scenario, double restitution, unsigned seed);

/// Squared depths of all pairs of these balls and of balls in the ground, m².
[[nodiscard]] double overlap(const State& state);

}  // namespace pequod::app
