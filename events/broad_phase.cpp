#include "events/broad_phase.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace pequod {
namespace {

Aabb around_points(const std::vector<Vector3d>& points, const Pose& X) {
  Aabb box;
  for (const Vector3d& p : points) {
    const Vector3d p_W = X * p;
    box.lo = box.lo.cwiseMin(p_W);
    box.hi = box.hi.cwiseMax(p_W);
  }
  return box;
}

/// Half extents of a disc of radius r with axis a.
Vector3d disc_extent(double r, const Vector3d& a) {
  return r * (1.0 - a.array().square()).max(0.0).sqrt().matrix();
}

struct BoundingBox {
  const Pose& X;

  [[nodiscard]] Aabb centred(const Vector3d& half) const { return {X.p - half, X.p + half}; }

  Aabb operator()(const Sphere& s) const { return centred(Vector3d::Constant(s.radius)); }
  Aabb operator()(const Box& s) const { return centred(0.5 * (X.R.cwiseAbs() * s.size)); }
  Aabb operator()(const Capsule& s) const {
    return centred(0.5 * s.length * X.R.col(2).cwiseAbs() + Vector3d::Constant(s.radius));
  }
  Aabb operator()(const Cylinder& s) const {
    return centred(0.5 * s.length * X.R.col(2).cwiseAbs() + disc_extent(s.radius, X.R.col(2)));
  }
  Aabb operator()(const Cone& s) const {
    const Vector3d half = 0.5 * s.length * X.R.col(2), disc = disc_extent(s.radius, X.R.col(2));
    const Vector3d apex = X.p + half, base = X.p - half;
    return {apex.cwiseMin(base - disc), apex.cwiseMax(base + disc)};
  }
  Aabb operator()(const Plane&) const {
    Aabb box{Vector3d::Constant(-kInfinity), Vector3d::Constant(kInfinity)};
    for (int k = 0; k < 3; ++k) {
      if (X.R(k, 2) == 1.0) box.hi[k] = X.p[k];
      if (X.R(k, 2) == -1.0) box.lo[k] = X.p[k];
    }
    return box;
  }
  Aabb operator()(const Convex& s) const { return around_points(s.vertices, X); }
  Aabb operator()(const Mesh& s) const { return around_points(s.vertices, X); }
  Aabb operator()(const HeightField& s) const {
    const Vector3d first = s.sample(0, 0), last = s.sample(s.nx - 1, s.ny - 1);
    const Vector3d half(0.5 * (last.x() - first.x()), 0.5 * (last.y() - first.y()),
                        0.5 * (s.max_height - s.min_height));
    const Vector3d centre(first.x() + half.x(), first.y() + half.y(), s.min_height + half.z());
    const Vector3d middle = X * centre, extent = X.R.cwiseAbs() * half;
    Aabb box{middle - extent, middle + extent};
    for (int k = 0; k < 3; ++k) {  // solid below
      if (X.R(k, 2) > 0.0) box.lo[k] = -kInfinity;
      if (X.R(k, 2) < 0.0) box.hi[k] = kInfinity;
    }
    return box;
  }
};

using Pairs = std::vector<std::pair<int, int>>;

/// Finds the overlaps of bounded boxes by halving: n log n where few overlap.
struct Halving {
  std::span<const Aabb> boxes;
  std::vector<int>& items;  // a stack of the lists that are being divided
  Pairs& pairs;

  [[nodiscard]] const Aabb& box(int i) const { return nth(boxes, i); }
  [[nodiscard]] const Aabb& at(std::size_t k) const { return box(items[k]); }

  /// Mean of the centres along the axis on which they spread most.
  double middle(std::size_t first, std::size_t last, int& axis) const {
    Vector3d sum = Vector3d::Zero(), squares = Vector3d::Zero();
    for (std::size_t k = first; k < last; ++k) {
      const Vector3d centre = 0.5 * (at(k).lo + at(k).hi);
      sum += centre;
      squares += centre.cwiseAbs2();
    }
    const auto count = static_cast<double>(last - first);
    (squares - sum.cwiseAbs2() / count).maxCoeff(&axis);
    return sum[axis] / count;
  }

  /// Sweeps along one axis; a pair counts where it begins beyond `after` along each.
  void sweep(std::size_t first, std::size_t last, int axis, const Vector3d& after) {
    std::sort(items.begin() + static_cast<std::ptrdiff_t>(first),
              items.begin() + static_cast<std::ptrdiff_t>(last), [&](int i, int j) {
                return box(i).lo[axis] < box(j).lo[axis] ||
                       (box(i).lo[axis] == box(j).lo[axis] && i < j);
              });
    for (std::size_t k = first; k < last; ++k) {
      for (std::size_t l = k + 1; l < last && at(l).lo[axis] <= at(k).hi[axis]; ++l) {
        if (!at(k).overlaps(at(l))) continue;
        if ((at(k).lo.cwiseMax(at(l).lo).array() > after.array()).all())
          pairs.emplace_back(std::minmax(items[k], items[l]));
      }
    }
  }

  /// Boxes that begin up to the middle, and those that end beyond it: a pair that begins up to the
  /// middle is among the former, any other among the latter.
  void divide(std::size_t first, std::size_t last, const Vector3d& after) {
    constexpr std::size_t kFew = 16;
    const std::size_t count = last - first;
    int axis = 0;
    if (count < 2) return;
    const double m = middle(first, last, axis);
    const std::size_t left = items.size();
    for (std::size_t k = first; count > kFew && k < last; ++k)
      if (at(k).lo[axis] <= m) items.push_back(items[k]);
    const std::size_t right = items.size();
    for (std::size_t k = first; count > kFew && k < last; ++k)
      if (at(k).hi[axis] > m) items.push_back(items[k]);
    const std::size_t end = items.size();
    // Too few, too many that reach over the middle, or a middle that leaves all on one side: of
    // boxes of no extent at one place, or so far away that it is rounded to their edge, or +∞.
    const std::size_t longer = std::max(right - left, end - right);
    if (end == left || 2 * (end - left) > 3 * count || longer == count) {
      items.resize(left);
      return sweep(first, last, axis, after);
    }
    Vector3d beyond = after;
    beyond[axis] = std::max(after[axis], m);
    divide(right, end, beyond);
    items.resize(right);
    divide(left, right, after);
    items.resize(left);
  }
};

}  // namespace

Aabb bounding_box(const Geometry& geometry, const Pose& X_WS) {
  return std::visit(BoundingBox{X_WS}, geometry);
}

void find_candidate_pairs(std::span<const Aabb> boxes, BroadPhaseWorkspace& workspace,
                          std::vector<std::pair<int, int>>& pairs) {
  pairs.clear();
  std::vector<int>& order = workspace.order;
  std::vector<int>& unbounded = workspace.unbounded;
  order.clear();
  unbounded.clear();
  const auto box = [&](int i) -> const Aabb& { return nth(boxes, i); };
  const auto add = [&](int i, int j) {
    if (box(i).overlaps(box(j))) pairs.emplace_back(std::min(i, j), std::max(i, j));
  };

  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    if (box(i).lo.hasNaN() || box(i).hi.hasNaN()) {
      throw std::invalid_argument("bounding box of shape " + std::to_string(i) +
                                  " is not a number");
    }
    if ((box(i).lo.array() > box(i).hi.array()).any()) continue;
    (box(i).lo.allFinite() && box(i).hi.allFinite() ? order : unbounded).push_back(i);
  }
  const std::size_t bounded = order.size();
  for (std::size_t k = 0; k < unbounded.size(); ++k) {
    for (std::size_t l = k + 1; l < unbounded.size(); ++l) add(unbounded[k], unbounded[l]);
    for (const int i : order) add(unbounded[k], i);
  }
  Halving{boxes, order, pairs}.divide(0, bounded, Vector3d::Constant(-kInfinity));
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace pequod
