// The tolerances of the room as they are in one scene: those of small bodies are as much smaller,
// so that a scene runs as it does at any other size.
#pragma once

#include "simulation/options.h"
#include "simulation/tolerances.h"

namespace pequod {

/// What tolerances are multiplied by that have a length or a time, and those that all go by. They
/// are given for bodies of kFullSize and more, under a gravity like the Earth's; larger bodies have
/// the same, for what is promised of a gap does not grow with them.
struct SceneTolerances {
  double length = 1.0;    ///< of lengths
  double rounding = 1.0;  ///< of lengths that stand for rounding, as of coordinates up to 1 m
  double pace = 1.0;      ///< of speeds, and of times of fall: √length, under the same gravity

  [[nodiscard]] double gap() const { return length * kGapTolerance; }    ///< m
  [[nodiscard]] double still() const { return length * kStillTouches; }  ///< m
  [[nodiscard]] double noise() const { return rounding * kGapNoise; }    ///< m
  [[nodiscard]] double speed() const { return pace * kSpeedTolerance; }  ///< m/s
  [[nodiscard]] double slip_rest() const { return pace * kSlipRest; }    ///< m/s
  [[nodiscard]] double slip_held() const { return pace * kSlipHeld; }    ///< m/s
};

/// Those of a scene: by the smallest of its trees of bodies, each as large as its largest shape or
/// joint offset, and by how far from the origin they start.
[[nodiscard]] SceneTolerances scene_tolerances(const Scenario& scenario);

}  // namespace pequod
