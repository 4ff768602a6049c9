// Convex hulls of point sets.
#pragma once

#include <vector>

#include "core/shape.h"

namespace pequod {

/// Hull of the points with faces (coplanar triangles merged, within 1e-10 of the size), edges and
/// neighbours. Vertices keep the order of the points; points inside, on faces or on edges are left
/// out. Deterministic.
/// @param points  m, at least 4
/// @throws std::invalid_argument  if a coordinate is not finite or the points span no volume
[[nodiscard]] Convex make_convex(const std::vector<Vector3d>& points);

}  // namespace pequod
