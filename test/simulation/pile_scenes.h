// Scenes whose contact problems are kept: balls, bricks and boxes that fall, stand or are hit.
#pragma once

#include <string>
#include <vector>

#include "simulation/options.h"

namespace pequod::test {

struct PileScene {
  std::string family;  ///< "balls", "hopper", "pyramid", "wall", "hit wall", "boxes", "stack"
  std::string name;
  Scenario scenario;  ///< 5 ms of time-stepping under coulomb
};

/// 64 balls in a box, μ 0, 0.1, 0.3, 0.5, 1 and mass ratio 1000; 216 and 343 balls; 80 of masses
/// 1 … 10 in a closed hopper, μ 0.3 and 0.8; pyramids of 55, 140 and 650 balls; walls of 24, 54,
/// 150 and 408 bricks; three of them hit by a box of 20 kg at 5 m/s; 27, 64 and 150 boxes of all
/// sizes in a box; stacks whose top weighs a thousand times what carries it.
[[nodiscard]] std::vector<PileScene> pile_scenes();

/// One of them. @param hit  by the box
[[nodiscard]] PileScene brick_wall(int rows, int columns, bool hit);

}  // namespace pequod::test
