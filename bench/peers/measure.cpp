#include "bench/peers/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace peers {
namespace {

/// A shape where it is.
struct Placed {
  const Shape* shape = nullptr;
  Vector3d p = Vector3d::Zero();  ///< m, its centre
  Matrix3d R = Matrix3d::Identity();
  double reach = 0.0;  ///< m, from its centre to its farthest point
  int body = -1;
};

double reach(const Shape& shape) {
  if (const Ball* ball = std::get_if<Ball>(&shape)) return ball->radius;
  if (const Box* box = std::get_if<Box>(&shape)) return box->half.norm();
  return 0.0;
}

/// How far a shape reaches from its centre along a direction, m.
double support(const Placed& A, const Vector3d& direction) {
  if (const Ball* ball = std::get_if<Ball>(A.shape)) return ball->radius;
  return std::get<Box>(*A.shape).half.dot((A.R.transpose() * direction).cwiseAbs());
}

/// The largest separation of two boxes along the fifteen directions that can tell two boxes apart;
/// below 0 it is the depth.
double separation(const Placed& A, const Placed& B) {
  double largest = -std::numeric_limits<double>::infinity();
  const Vector3d between = B.p - A.p;
  const auto look = [&](const Vector3d& n) {
    largest = std::max(largest, std::abs(n.dot(between)) - support(A, n) - support(B, n));
  };
  for (int i = 0; i < 3; ++i) {
    look(A.R.col(i));
    look(B.R.col(i));
    for (int j = 0; j < 3; ++j) {
      const Vector3d n = A.R.col(i).cross(B.R.col(j));
      // Of edges that are all but parallel the product is noise, and faces tell those apart.
      if (n.norm() > 1e-6) look(n.normalized());
    }
  }
  return largest;
}

double depth(const Placed& A, const Placed& B) {
  const bool balls = std::holds_alternative<Ball>(*A.shape);
  // Scenes have boxes or balls, never both.
  if (balls) return std::max(0.0, A.reach + B.reach - (B.p - A.p).norm());
  return std::max(0.0, -separation(A, B));
}

std::vector<Placed> place(const Scene& scene, const std::vector<Pose>& poses) {
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (std::holds_alternative<std::monostate>(body.shape)) continue;
    placed.push_back({&body.shape, poses[i] * body.p_BS, poses[i].q.toRotationMatrix(),
                      reach(body.shape), static_cast<int>(i)});
  }
  return placed;
}

/// Cells as wide as the largest shape, so that what overlaps is in cells that touch.
class Cells {
 public:
  explicit Cells(const std::vector<Placed>& placed) : placed_(placed) {
    for (const Placed& A : placed) width_ = std::max(width_, 2.0 * A.reach);
    for (std::size_t i = 0; i < placed.size(); ++i)
      cells_[key(cell(placed[i].p))].push_back(static_cast<int>(i));
  }

  /// Calls `look` with each later shape that may overlap shape i.
  template <typename Look>
  void neighbours(std::size_t i, const Look& look) const {
    const Cell at = cell(placed_[i].p);
    for (std::int64_t x = at[0] - 1; x <= at[0] + 1; ++x)
      for (std::int64_t y = at[1] - 1; y <= at[1] + 1; ++y)
        for (std::int64_t z = at[2] - 1; z <= at[2] + 1; ++z) {
          const auto found = cells_.find(key({x, y, z}));
          if (found == cells_.end()) continue;
          for (const int j : found->second)
            if (static_cast<std::size_t>(j) > i) look(placed_[static_cast<std::size_t>(j)]);
        }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  [[nodiscard]] Cell cell(const Vector3d& p) const {
    return {std::llround(p.x() / width_), std::llround(p.y() / width_),
            std::llround(p.z() / width_)};
  }
  // Positions below 1 km and shapes above 2 mm leave 21 bits each enough.
  static std::uint64_t key(const Cell& c) {
    constexpr std::uint64_t kMask = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(c[0]) & kMask) << 42 |
           (static_cast<std::uint64_t>(c[1]) & kMask) << 21 |
           (static_cast<std::uint64_t>(c[2]) & kMask);
  }

  const std::vector<Placed>& placed_;
  double width_ = 0.0;  // m
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

}  // namespace

double worst_depth(const Scene& scene, const std::vector<Pose>& poses) {
  const std::vector<Placed> placed = place(scene, poses);
  double worst = 0.0;
  for (const Placed& A : placed)
    for (const Plane& plane : scene.planes)
      worst = std::max(worst, plane.offset - plane.normal.dot(A.p) + support(A, plane.normal));
  if (scene.robot) return worst;  // its feet never come near each other

  const Cells cells(placed);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const Placed& A = placed[i];
    cells.neighbours(i, [&](const Placed& B) {
      if ((B.p - A.p).squaredNorm() < (A.reach + B.reach) * (A.reach + B.reach))
        worst = std::max(worst, depth(A, B));
    });
  }
  return worst;
}

double energy(const Scene& scene, const std::vector<Pose>& before, const std::vector<Pose>& after) {
  double sum = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const Vector3d from = before[i] * body.com, to = after[i] * body.com;
    const Vector3d v = (to - from) / scene.step;
    const Quaterniond turn = before[i].q.conjugate() * after[i].q;
    // 2 q_vec is the rotation vector up to a relative error of its square over 24.
    const Vector3d w = 2.0 * std::copysign(1.0, turn.w()) * turn.vec() / scene.step;
    sum += 0.5 * body.mass * v.squaredNorm() + 0.5 * w.dot(body.inertia.cwiseProduct(w)) +
           0.5 * body.mass * scene.gravity * (from.z() + to.z());
  }
  return sum;
}

double creep(const Scene& scene, const std::vector<Pose>& from, const std::vector<Pose>& to) {
  double longest = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (scene.robot && std::holds_alternative<std::monostate>(body.shape)) continue;
    const Vector3d way = to[i] * body.p_BS - from[i] * body.p_BS;
    longest = std::max(longest, scene.robot ? way.head<2>().norm() : way.norm());
  }
  return longest;
}

bool sane(const std::vector<Pose>& poses) {
  return std::ranges::all_of(poses, [](const Pose& pose) {
    return pose.p.allFinite() && pose.q.coeffs().allFinite() && pose.p.norm() < 1e3;
  });
}

}  // namespace peers
