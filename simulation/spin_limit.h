// What turns too far in a step.
#pragma once

#include <string>

#include "core/state.h"

namespace pequod {

/// Which link turns farthest about its joint, or by itself, in a step, if that is more than a
/// radian: no integrator follows that, and trees with joints gain energy without bound. For errors
/// of runs that end by it.
/// @param step  s
/// @return empty if nothing does
[[nodiscard]] std::string spin_note(const Model& model, const State& state, double step);

}  // namespace pequod
