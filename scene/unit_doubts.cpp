#include "scene/unit_doubts.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <variant>

#include "scene/mass_properties.h"

namespace pequod {
namespace {

// Millimetres are a thousand times as many, their squares a million times. A pendulum may be a ball
// on a rod without shape, of many times its size.
constexpr double kFar = 10.0, kFarthest = 1.0, kHeavy = 1e4;  // of the extent; m; of the moment

// A link that fixed joints weld into a body and that would be less of it: sensors are given any
// inertia, which changes nothing.
constexpr double kOfBody = 0.5;

struct Extent {
  double size = NAN;        // m, longest side of a box around all
  double away = kInfinity;  // m, of a point from the nearest
};

// A ball that holds the shape, in the shape's frame; of planes one without end.
struct Ball {
  Vector3d centre = Vector3d::Zero();
  double radius = NAN;  // m
};

Ball ball_around(const std::vector<Vector3d>& vertices) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& vertex : vertices) box.extend(vertex);
  return {box.center(), 0.5 * box.diagonal().norm()};
}

Ball ball_around(const Geometry& geometry) {
  if (const Convex* hull = std::get_if<Convex>(&geometry)) return ball_around(hull->vertices);
  if (const Mesh* mesh = std::get_if<Mesh>(&geometry)) return ball_around(mesh->vertices);
  return {Vector3d::Zero(), bounding_radius(geometry)};
}

Extent extent_of(const std::vector<CollisionShape>& shapes, const Vector3d& point) {
  Extent extent;
  Eigen::AlignedBox3d all;
  for (const CollisionShape& shape : shapes) {
    const Ball ball = ball_around(shape.geometry);
    const Vector3d centre = shape.X_LS * ball.centre;
    all.extend(centre - Vector3d::Constant(ball.radius));
    all.extend(centre + Vector3d::Constant(ball.radius));
    extent.away = std::min(extent.away, (point - centre).norm() - ball.radius);
  }
  extent.size = all.sizes().maxCoeff();
  return extent;
}

double largest_moment(const Matrix3d& about_com) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(about_com, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

// The largest moment of the shapes filled evenly with the mass; none if they enclose no volume.
std::optional<double> even_moment(const std::vector<CollisionShape>& shapes, double mass) {
  try {
    return largest_moment(solid(shapes, mass).about_com);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<UnitDoubt> unit_doubts(const Inertia& given, const std::vector<CollisionShape>& shapes,
                                   const Inertia& body) {
  std::vector<UnitDoubt> doubts;
  if (!(given.mass > 0.0) || shapes.empty()) return doubts;
  const Extent extent = extent_of(shapes, given.com);
  if (extent.away > std::max(kFar * extent.size, kFarthest))
    doubts.push_back(
        {"com",
         fmt::format("the centre of mass ({:g}, {:g}, {:g}) m is {:.3g} m from the shapes, which "
                     "are {:.3g} m large",
                     given.com.x(), given.com.y(), given.com.z(), extent.away, extent.size),
         "if it is in millimetres, scale it by 0.001"});
  const double moment = largest_moment(given.about_com);
  const std::optional<double> even = even_moment(shapes, given.mass);
  if (!(moment > 0.0) || !even || !(*even > 0.0)) return doubts;
  const double ratio = moment / *even;
  if (ratio > 1.0 / kHeavy && ratio < kHeavy) return doubts;
  if (std::max(moment, *even) < kOfBody * largest_moment(body.about_com)) return doubts;
  doubts.push_back(
      {"inertia",
       fmt::format("the inertia, {:.3g} kg m² at most, is {:.2g} times that of the shapes filled "
                   "evenly with its mass, {:.3g} kg m²",
                   moment, ratio, *even),
       ratio > 1.0 ? "if it is in kg mm², scale it by 1e-6"
                   : "is it in kg m², the mass in kilograms, the size in metres?"});
  return doubts;
}

}  // namespace pequod
