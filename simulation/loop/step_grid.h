// How long steps are that no event cuts.
#pragma once

#include <string>

#include "simulation/options.h"

namespace pequod {

/// Steps of a scene end also at rows and at ticks of controllers, so these cut those that are
/// longer or no whole part of them.
struct StepGrid {
  double shortest = 0.0, mean = 0.0, longest = 0.0;  ///< s, without events
  [[nodiscard]] bool even() const { return longest - shortest <= 1e-6 * longest; }
};

[[nodiscard]] StepGrid step_grid(const Scenario& scenario);

/// What cuts the steps of the scene, and to what; empty if nothing does.
[[nodiscard]] std::string cut_note(const Scenario& scenario);

}  // namespace pequod
