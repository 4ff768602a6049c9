// Certified signed distance of two convex bodies, with the direction it is taken along.
#pragma once

#include "core/shape.h"
#include "events/polytope.h"

namespace pequod {

/// The core distance (without roundings) in P's frame.
struct CoreDistance {
  double distance = kNaN;               ///< m, below 0 the least translation that parts them
  Vector3d normal = Vector3d::UnitZ();  ///< unit, from P to Q; every other normal shows less
};

/// Where a vertex of one over a face of the other tells it, these (events/face_distance.h).
/// Else, separated: GJK, finished with the features' own normal, accepted when the separation along
/// the normal (a lower bound) and the distance of the witness points (an upper bound) agree to
/// 1e-12 of the size. Touching or overlapping: the largest separation over all face normals and all
/// crossing edge pairs.
/// @throws std::runtime_error  if the bounds do not meet
[[nodiscard]] CoreDistance core_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ);

/// Separation along a unit normal (P's frame): min over Q of n·q − max over P of n·p, m.
[[nodiscard]] double separation(const Polytope& P, const Polytope& Q, const Pose& X_PQ,
                                const Vector3d& n);

/// Radius of the larger body about its origin, m, the scale of rounding.
[[nodiscard]] double pair_size(const Polytope& P, const Polytope& Q);

}  // namespace pequod
