// Distance of two convex bodies by their support points (Gilbert, Johnson & Keerthi 1988).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/types.h"

namespace pequod {

/// Farthest point of a body along a direction, and its name (vertex index; −1 for a rim).
struct SupportPoint {
  Vector3d point = Vector3d::Zero();
  int index = -1;
};

/// Simplex of the difference Q − P, all in P's frame.
struct GjkVertex {
  SupportPoint p, q;
  Vector3d w;           // q − p
  double weight = 0.0;  // barycentric coordinate of the point nearest to the origin
};

struct GjkResult {
  std::array<GjkVertex, 4> simplex;
  int size = 0;          ///< vertices that carry weight
  bool overlap = false;  ///< the origin is in the difference, or nearer than rounding shows
  Vector3d v = Vector3d::Zero();  ///< m, from the nearest point of P to that of Q
  double lower = -kInfinity;      ///< m, certified: no pair of points is nearer
  int iterations = 0;

  [[nodiscard]] Vector3d on_p() const {
    return sum([](const GjkVertex& x) { return x.p.point; });
  }
  [[nodiscard]] Vector3d on_q() const {
    return sum([](const GjkVertex& x) { return x.q.point; });
  }

 private:
  template <typename Get>
  [[nodiscard]] Vector3d sum(Get get) const {
    Vector3d total = Vector3d::Zero();
    for (int k = 0; k < size; ++k) {
      const GjkVertex& x = nth(simplex, k);
      total += x.weight * get(x);
    }
    return total;
  }
};

/// Keeps of the simplex the vertices around its point nearest to the origin, sets their weights and
/// v. The newest vertex is the last one, and the nearest point lies on a face that has it.
/// @return whether the origin is inside
bool reduce_simplex(GjkResult& result);

/// @param support_p, support_q  SupportPoint of a direction (any length), P's frame
/// @param start  first guess of v, not zero
/// @param size   m, of the larger body: sets what rounding means
template <typename SupportP, typename SupportQ>
GjkResult gjk(const SupportP& support_p, const SupportQ& support_q, const Vector3d& start,
              double size) {
  constexpr int kMaxIterations = 100;
  // Relative to the size; products of coordinates are rounded at 2e-16.
  constexpr double kTolerance = 1e-15;
  GjkResult result;
  result.v = start;
  double shortest = kInfinity;
  for (; result.iterations < kMaxIterations; ++result.iterations) {
    const double length = result.v.norm();
    if (result.size > 0 && length <= 1e-14 * size) {
      result.overlap = true;
      break;
    }
    GjkVertex next;
    next.p = support_p(result.v);
    next.q = support_q(-result.v);
    next.w = next.q.point - next.p.point;
    if (length > 0.0) result.lower = std::max(result.lower, result.v.dot(next.w) / length);
    if (result.size > 0) {
      if (length - result.lower <= kTolerance * size) break;
      const bool repeated =
          std::any_of(result.simplex.begin(), result.simplex.begin() + result.size,
                      [&](const GjkVertex& x) { return x.w == next.w; });
      if (repeated) break;
    }
    const GjkResult before = result;
    nth(result.simplex, result.size++) = next;
    if (reduce_simplex(result)) {
      result.overlap = true;
      break;
    }
    if (result.v.norm() >= shortest) {  // rounding: no nearer point can be shown
      result = before;
      break;
    }
    shortest = result.v.norm();
  }
  return result;
}

}  // namespace pequod
