// Which shapes may meet, from boxes around everything they sweep.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/shape.h"
#include "core/types.h"

namespace pequod {

/// Axis-aligned box, world axes, m. May be infinite; touching boxes overlap.
struct Aabb {
  Vector3d lo = Vector3d::Constant(kInfinity), hi = Vector3d::Constant(-kInfinity);

  [[nodiscard]] bool overlaps(const Aabb& other) const {
    return (lo.array() <= other.hi.array()).all() && (other.lo.array() <= hi.array()).all();
  }
};

/// The smallest box that holds both.
[[nodiscard]] inline Aabb merge(const Aabb& a, const Aabb& b) {
  return {a.lo.cwiseMin(b.lo), a.hi.cwiseMax(b.hi)};
}

/// Box around a shape, tight but for a hull's or field's rounding. A plane's solid half space is
/// bounded only along a world axis that is its normal; a height field's ground reaches down to
/// −∞ along its z where that is a world axis.
[[nodiscard]] Aabb bounding_box(const Geometry& geometry, const Pose& X_WS);

/// Kept from call to call to save allocations; carries no meaning.
struct BroadPhaseWorkspace {
  std::vector<int> order, unbounded;
};

/// Pairs (i, j), i < j, of overlapping boxes, sorted; `pairs` is overwritten. Bounded boxes are
/// divided in halves, along the axis on which they spread most: n log n where few overlap; each
/// that is not is compared with all. An empty box (lo > hi) meets nothing.
/// @throws std::invalid_argument  naming a box with a NaN
void find_candidate_pairs(std::span<const Aabb> boxes, BroadPhaseWorkspace& workspace,
                          std::vector<std::pair<int, int>>& pairs);

}  // namespace pequod
