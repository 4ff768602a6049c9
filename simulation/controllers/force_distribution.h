// Shares a wrench among the feet that stand.
#pragma once

#include <span>

#include "core/types.h"

namespace pequod {

/// Everything dimensionless: forces over m g, moments over m g z0, arms over z0.
struct WrenchShare {
  Vector3d force, moment;          ///< wanted about the centre of mass, world axes
  std::span<const Vector3d> arms;  ///< from the centre of mass to the contact points, at most 4
  double cone = 0.6;               ///< |tangential| ≤ cone · normal, normal along z
};

/// min ‖W (A f − b)‖² + 1e-3 ‖f‖² over forces in their cones, W = diag(1, 1, 3, 5, 5, 2) on
/// (force, moment): two point feet give five components of the wrench, and W decides that the
/// horizontal force yields. The normal equations if they keep the cones, otherwise 60 iterations of
/// ADMM (ρ = 0.3).
/// @param forces  one per arm
void distribute_wrench(const WrenchShare& share, std::span<Vector3d> forces);

/// Nearest point of the cone |(x, y)| ≤ slope · z.
[[nodiscard]] Vector3d project_onto_cone(const Vector3d& f, double slope);

}  // namespace pequod
