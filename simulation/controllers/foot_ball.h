// The ball that stands for a foot.
#pragma once

#include "core/model.h"
#include "core/types.h"

namespace pequod {

struct FootBall {
  int frame = -1;                      ///< carries the foot's shape
  Vector3d centre = Vector3d::Zero();  ///< m, link frame
  double radius = 0.0;                 ///< m
};

/// The foot of a leg's last link. It is a sphere of a leaf frame (one that no joint leaves in the
/// robot's description) if that reaches as far from the knee as any shape of the link does;
/// otherwise the shape that reaches farthest, and the ball is the one whose extent in the plane of
/// the knee fits that shape best within 1 rad of the shank: exact for a half-disc.
/// @throws std::invalid_argument if the link has no shape
[[nodiscard]] FootBall find_foot_ball(const Model& model, int link);

}  // namespace pequod
