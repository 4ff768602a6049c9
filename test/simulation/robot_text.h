// URDF texts made from others, or from dimensions alone.
#pragma once

#include <string>

#include "core/types.h"

namespace pequod::test {

/// The robot `scale` times as long, its masses going with the cube, so that gravity stays: inertias
/// go with the fifth power, efforts with the fourth.
[[nodiscard]] std::string scaled_urdf(const std::string& urdf, double scale);

/// Left and right exchanged. Rotations may turn only what is symmetric (they are left alone).
[[nodiscard]] std::string mirrored_urdf(const std::string& urdf);

/// A quadruped that resembles none of the others: dimensions in m, any order of legs, joint frames
/// turned at random, axes of either sign, and names that say nothing.
struct Stranger {
  double mass = 9.0;  ///< kg, of the trunk
  double half_length = 0.24, half_width = 0.11, offset = 0.07, thigh = 0.19, shank = 0.21;
  double foot = 0.018;        ///< m, radius
  bool knees_outward = true;  ///< front knees bend forward, hind knees back
  unsigned seed = 1;
};
[[nodiscard]] std::string stranger_urdf(const Stranger& stranger);

}  // namespace pequod::test
