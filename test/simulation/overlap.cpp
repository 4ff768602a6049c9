// How deep two shapes overlap, from their extents along directions and from points of meshes.
#include <algorithm>
#include <cmath>
#include <variant>

#include "events/contact_geometry.h"
#include "test/events/projections.h"
#include "test/simulation/referee.h"

namespace pequod::test {
namespace {

// Normals of contacts this near are tried, m. They need not be right: what they show is.
constexpr double kNear = 0.05;
// m: where no more overlap than this is shown, none need be sought: a thousandth of what is judged,
// and more than the rounding of what touches.
constexpr double kShown = 1e-12;
// m: a column under a triangle, deeper than any body of a test is thick.
constexpr double kColumn = 10.0;

template <typename... Ts>
bool is_one_of(const Geometry& geometry) {
  return (std::holds_alternative<Ts>(geometry) || ...);
}

using Points = std::vector<Vector3d>;

Vector3d farthest(const Points& points, const Vector3d& n) {
  double most = -kInfinity;
  std::size_t best = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double along = n.dot(points[i]);
    if (along > most) most = along, best = i;
  }
  return points[best];
}

/// A point of a bounded convex shape that is farthest along n, shape frame.
Vector3d farthest_point(const Geometry& shape, const Vector3d& n) {
  const Vector3d across = Vector3d(n.x(), n.y(), 0.0).normalized();
  const double up = std::copysign(0.5, n.z());
  return std::visit(
      [&](const auto& body) -> Vector3d {
        using T = std::decay_t<decltype(body)>;
        if constexpr (std::is_same_v<T, Sphere>) {
          return body.radius * n.normalized();
        } else if constexpr (std::is_same_v<T, Capsule>) {
          return body.radius * n.normalized() + Vector3d(0.0, 0.0, up * body.length);
        } else if constexpr (std::is_same_v<T, Box>) {
          return 0.5 * body.size.cwiseProduct(n.cwiseSign());
        } else if constexpr (std::is_same_v<T, Cylinder>) {
          return body.radius * across + Vector3d(0.0, 0.0, up * body.length);
        } else if constexpr (std::is_same_v<T, Cone>) {
          const Vector3d tip(0.0, 0.0, 0.5 * body.length), rim = body.radius * across - tip;
          return n.dot(tip) > n.dot(rim) ? tip : rim;
        } else if constexpr (std::is_same_v<T, Convex> || std::is_same_v<T, Mesh>) {
          return farthest(body.vertices, n);
        } else {
          return Vector3d::Constant(kNaN);
        }
      },
      shape);
}

/// Something convex in the world.
struct Solid {
  const Geometry* shape = nullptr;
  Pose X;
  Points points;                ///< in place of a shape
  std::vector<Vector3d> edges;  ///< directions of straight edges

  [[nodiscard]] Vector3d at(const Vector3d& n) const {
    return shape ? X * farthest_point(*shape, X.R.transpose() * n) : farthest(points, n);
  }
};

Solid solid_of(const Geometry& shape, const Pose& X) {
  Solid out{&shape, X, {}, {}};
  if (is_one_of<Box>(shape))
    for (int k = 0; k < 3; ++k) out.edges.push_back(X.R.col(k));
  else if (is_one_of<Capsule, Cylinder>(shape))
    out.edges.push_back(X.R.col(2));
  else if (const auto* hull = std::get_if<Convex>(&shape))
    for (const auto& [i, j] : hull->edges)
      out.edges.push_back(X.R * (nth(hull->vertices, i) - nth(hull->vertices, j)));
  return out;
}

/// The column under a triangle of a height field whose vertical is `up`.
Solid column_of(const TriangleCorners& t, const Vector3d& up) {
  Solid out{nullptr, {}, {t[0], t[1], t[2]}, {up}};
  for (std::size_t k = 0; k < 3; ++k) {
    out.points.push_back(t[k] - kColumn * up);
    out.edges.push_back(t[(k + 1) % 3] - t[k]);
  }
  return out;
}

/// By how much the extents of A and B along n overlap, B in front.
double overlap_along(const Solid& A, const Solid& B, const Vector3d& n) {
  return n.dot(A.at(n) - B.at(-n));
}

/// Turns n in ever smaller steps to where A and B overlap less, until they do not.
double turn_downhill(const Solid& A, const Solid& B, Vector3d n) {
  constexpr int kWays = 16;
  double least = overlap_along(A, B, n);
  double angle = 0.0;
  for (double step = 0.1; step > 1e-12 && least > 0.0;) {
    const Vector3d s = n.unitOrthogonal(), t = n.cross(s);
    Vector3d best = n;
    for (int k = 0; k < kWays; ++k) {
      angle += 2.0 * M_PI / kWays;
      const Vector3d next = (n + step * (std::cos(angle) * s + std::sin(angle) * t)).normalized();
      const double overlap = overlap_along(A, B, next);
      if (overlap >= least) continue;
      least = overlap;
      best = next;
    }
    angle += 0.1;  // the ways between those of before: along a ridge few lead down
    if (best == n) step *= 0.7;
    n = best;
  }
  return least;
}

/// The least overlap along directions across an edge, a quarter turn around n to either side: what
/// touches along an edge may be anything else besides, a rim and a side at once.
double turn_about(const Solid& A, const Solid& B, const Vector3d& edge, const Vector3d& n) {
  const Vector3d e = edge.normalized(), s = (n - e * e.dot(n)).normalized(), t = e.cross(s);
  const auto overlap = [&](double angle) {
    return overlap_along(A, B, std::cos(angle) * s + std::sin(angle) * t);
  };
  double low = -0.5 * M_PI, high = 0.5 * M_PI;
  for (int k = 0; k < 120; ++k) {
    const double third = (high - low) / 3.0;
    if (overlap(low + third) < overlap(high - third))
      high -= third;
    else
      low += third;
  }
  return overlap(0.5 * (low + high));
}

/// The least overlap along any direction that is tried, until there is none: those given; across an
/// edge of each; the way to the nearest point of {b − a}, from one of its farthest points to the
/// next (Gilbert 1966); and around the best of these.
double least_overlap(const Solid& A, const Solid& B, const std::vector<Vector3d>& directions) {
  double least = kInfinity;
  Vector3d best = Vector3d::UnitZ();
  const auto separated = [&](const Vector3d& n) {
    const double overlap = overlap_along(A, B, n);
    if (overlap < least) {
      least = overlap;
      best = n;
    }
    return least <= kShown;
  };
  for (const Vector3d& n : directions)
    if (separated(n)) return least;
  for (const Vector3d& a : A.edges)
    for (const Vector3d& b : B.edges) {
      const Vector3d n = a.cross(b);
      if (n.norm() < 1e-9 * a.norm() * b.norm()) continue;
      if (separated(n.normalized()) || separated(-n.normalized())) return least;
    }
  Vector3d x = B.at(Vector3d::UnitX()) - A.at(-Vector3d::UnitX());
  for (int k = 0; k < 500 && x.norm() > 1e-12; ++k) {
    const Vector3d n = x.normalized();
    if (separated(n)) return least;
    const Vector3d step = B.at(-n) - A.at(n) - x;
    x += std::clamp(-x.dot(step) / step.squaredNorm(), 0.0, 1.0) * step;
  }
  for (const Solid* solid : {&A, &B})
    for (const Vector3d& edge : solid->edges)
      if (least > kShown) least = std::min(least, turn_about(A, B, edge, best));
  return least > kShown ? std::min(least, turn_downhill(A, B, best)) : least;
}

std::vector<Vector3d> normals_between(const Geometry& A, const Pose& X_WA, const Geometry& B,
                                      const Pose& X_WB) {
  std::vector<Vector3d> normals{(X_WB.p - X_WA.p).normalized()};
  std::vector<ContactPoint> contacts;
  find_contacts(A, X_WA, B, X_WB, 0, 1, kNear, contacts);
  for (const ContactPoint& contact : contacts) normals.push_back(contact.n_W);
  for (int k = 0; k < 3; ++k)
    for (const Pose* X : {&X_WA, &X_WB}) {
      normals.push_back(X->R.col(k));
      normals.push_back(-X->R.col(k));
    }
  for (const auto& [shape, X, sign] : {std::tuple{&A, &X_WA, 1.0}, std::tuple{&B, &X_WB, -1.0}})
    if (const auto* hull = std::get_if<Convex>(shape))
      for (const Convex::Face& face : hull->faces) normals.push_back(sign * (X->R * face.normal));
  return normals;
}

/// How deep in the columns under the triangles of a field a body is.
double field_overlap(const HeightField& field, const Pose& X_WA, const Geometry& B,
                     const Pose& X_WB) {
  const Solid body = solid_of(B, X_WB);
  const Vector3d up = X_WA.R.col(2);
  const auto cells = [&](int axis, double origin, double d, int count) {
    const Vector3d n = X_WA.R.col(axis);
    const double low = n.dot(body.at(-n) - X_WA.p), high = n.dot(body.at(n) - X_WA.p);
    const auto cell = [&](double x) {
      return std::clamp(static_cast<int>(std::floor((x - origin) / d)), 0, count - 2);
    };
    return high < origin || low > origin + d * (count - 1) ? std::pair{0, -1}
                                                           : std::pair{cell(low), cell(high)};
  };
  const auto [i0, i1] = cells(0, field.origin.x(), field.dx, field.nx);
  const auto [j0, j1] = cells(1, field.origin.y(), field.dy, field.ny);
  std::vector<Vector3d> normals{up};
  for (const Vector3d& n : normals_between(field, X_WA, B, X_WB)) normals.push_back(n);
  double deepest = -kInfinity;
  for (int i = i0; i <= i1; ++i)
    for (int j = j0; j <= j1; ++j)
      for (const bool upper : {false, true}) {
        const TriangleCorners t{X_WA * field.sample(i, j), X_WA * field.sample(i + 1, j + 1),
                                X_WA * (upper ? field.sample(i, j + 1) : field.sample(i + 1, j))};
        const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
        // Its own normal, and of a ball the way from the nearest point of the triangle.
        normals[0] = n.dot(up) < 0.0 ? Vector3d(-n) : n;
        normals[1] = (X_WB.p - nearest_in(t, X_WB.p)).normalized();
        deepest = std::max(deepest, least_overlap(column_of(t, up), body, normals));
      }
  return deepest;
}

/// Across the triangle above or below it; −∞ beside the field.
double depth_below(const HeightField& field, const Vector3d& p) {
  const double x = (p.x() - field.origin.x()) / field.dx, y = (p.y() - field.origin.y()) / field.dy;
  if (!(x >= 0.0 && y >= 0.0 && x <= field.nx - 1 && y <= field.ny - 1)) return -kInfinity;
  const int i = std::min(static_cast<int>(x), field.nx - 2),
            j = std::min(static_cast<int>(y), field.ny - 2);
  const Vector3d a = field.sample(i, j), b = field.sample(i + 1, j + 1),
                 c = x - i > y - j ? field.sample(i + 1, j) : field.sample(i, j + 1);
  Vector3d n = (b - a).cross(c - a).normalized();
  if (n.z() < 0.0) n = -n;
  return n.dot(a - p);
}

/// How deep a point of the world is in a shape that is no mesh; below zero outside.
double depth_in(const Geometry& shape, const Pose& X, const Vector3d& p_W) {
  const Vector3d p = X.inverse() * p_W;
  const double rho = std::hypot(p.x(), p.y());
  const auto cylinder = [&](double radius, double length) {
    return std::min(radius - rho, 0.5 * length - std::abs(p.z()));
  };
  return std::visit(
      [&](const auto& body) -> double {
        using T = std::decay_t<decltype(body)>;
        if constexpr (std::is_same_v<T, Sphere>) {
          return body.radius - p.norm();
        } else if constexpr (std::is_same_v<T, Capsule>) {
          const double z = std::max(0.0, std::abs(p.z()) - 0.5 * body.length);
          return body.radius - std::hypot(rho, z);
        } else if constexpr (std::is_same_v<T, Box>) {
          return (0.5 * body.size - p.cwiseAbs()).minCoeff();
        } else if constexpr (std::is_same_v<T, Cylinder>) {
          return cylinder(body.radius, body.length);
        } else if constexpr (std::is_same_v<T, Cone>) {
          const double side = (0.5 * body.length - p.z()) * body.radius - rho * body.length;
          return std::min(side / std::hypot(body.radius, body.length), p.z() + 0.5 * body.length);
        } else if constexpr (std::is_same_v<T, Plane>) {
          return -p.z();
        } else if constexpr (std::is_same_v<T, HeightField>) {
          return depth_below(body, p);
        } else if constexpr (std::is_same_v<T, Convex>) {
          double depth = kInfinity;
          for (const Convex::Face& face : body.faces)
            depth = std::min(depth, face.offset - face.normal.dot(p));
          return depth;
        } else {
          return -kInfinity;
        }
      },
      shape);
}

/// Points of a mesh: corners, and seven between the ends of each edge.
std::vector<Vector3d> points_of(const Mesh& mesh, const Pose& X) {
  std::vector<Vector3d> points;
  for (const Vector3d& p : mesh.vertices) points.push_back(X * p);
  for (const Mesh::Edge& edge : mesh.edges)
    for (int k = 1; k < 8; ++k) {
      const auto end = [&](std::size_t i) { return nth(points, edge.ends[i]); };
      points.push_back(end(0) + k / 8.0 * (end(1) - end(0)));
    }
  return points;
}

double mesh_overlap(const Mesh& mesh, const Pose& X_WA, const Geometry& B, const Pose& X_WB) {
  double deepest = -kInfinity;
  for (const Vector3d& p : points_of(mesh, X_WA)) deepest = std::max(deepest, depth_in(B, X_WB, p));
  // A ball is as deep as its centre is near.
  if (const auto* ball = std::get_if<Sphere>(&B)) {
    const Vector3d centre = X_WA.inverse() * X_WB.p;
    for (const auto& t : mesh.triangles) {
      const auto corner = [&](std::size_t k) { return nth(mesh.vertices, t[k]); };
      const TriangleCorners corners{corner(0), corner(1), corner(2)};
      deepest = std::max(deepest, ball->radius - (centre - nearest_in(corners, centre)).norm());
    }
  }
  return deepest;
}

}  // namespace

double overlap_of(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB) {
  if (is_one_of<Plane, HeightField>(A) && is_one_of<Plane, HeightField>(B)) return -kInfinity;
  if (is_one_of<Plane>(A)) {
    const Vector3d n = X_WA.R.col(2);
    return n.dot(X_WA.p - solid_of(B, X_WB).at(-n));
  }
  if (is_one_of<Plane>(B)) return overlap_of(B, X_WB, A, X_WA);
  if (const auto* mesh = std::get_if<Mesh>(&A)) return mesh_overlap(*mesh, X_WA, B, X_WB);
  if (const auto* mesh = std::get_if<Mesh>(&B)) return mesh_overlap(*mesh, X_WB, A, X_WA);
  if (is_one_of<HeightField>(B)) return overlap_of(B, X_WB, A, X_WA);
  if (const auto* field = std::get_if<HeightField>(&A)) return field_overlap(*field, X_WA, B, X_WB);
  return least_overlap(solid_of(A, X_WA), solid_of(B, X_WB), normals_between(A, X_WA, B, X_WB));
}

}  // namespace pequod::test
