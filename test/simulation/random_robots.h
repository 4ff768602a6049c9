// Scenes at random of robots: trees of every kind of joint, with limits, friction, damping, motors'
// inertias, springs and closed loops, that touch a ground and are struck by bodies.
#pragma once

#include "test/simulation/random_scene.h"

namespace pequod::test {

/// The scene of this seed. One or two robots of two to eight links: one whose base is free touches
/// the ground where it starts, one whose base is fixed is above it. Up to two bodies fly at them.
/// No two links overlap that may collide.
[[nodiscard]] RandomScene random_robots(std::uint64_t seed);

}  // namespace pequod::test
