#include "core/shape.h"

#include <algorithm>
#include <cmath>

namespace pequod {
namespace {

double farthest(const std::vector<Vector3d>& points) {
  double squared = 0.0;
  for (const Vector3d& p : points) squared = std::max(squared, p.squaredNorm());
  return std::sqrt(squared);
}

struct BoundingRadius {
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Box& s) const { return 0.5 * s.size.norm(); }
  double operator()(const Capsule& s) const { return 0.5 * s.length + s.radius; }
  double operator()(const Cylinder& s) const { return std::hypot(0.5 * s.length, s.radius); }
  double operator()(const Cone& s) const { return std::hypot(0.5 * s.length, s.radius); }
  double operator()(const Plane&) const { return kInfinity; }
  double operator()(const Convex& s) const { return farthest(s.vertices); }
  double operator()(const Mesh& s) const { return farthest(s.vertices); }
  double operator()(const HeightField& s) const {
    const double x = std::max(std::abs(s.origin.x()), std::abs(s.origin.x() + (s.nx - 1) * s.dx));
    const double y = std::max(std::abs(s.origin.y()), std::abs(s.origin.y() + (s.ny - 1) * s.dy));
    const double z = std::max(std::abs(s.min_height), std::abs(s.max_height));
    return std::hypot(x, y, z);
  }
};

}  // namespace

void measure_heights(HeightField& field) {
  const auto [least, most] = std::minmax_element(field.heights.begin(), field.heights.end());
  field.min_height = *least;
  field.max_height = *most;
  double along_x = 0.0, along_y = 0.0;
  for (int i = 0; i < field.nx; ++i) {
    for (int j = 0; j < field.ny; ++j) {
      const double z = field.sample(i, j).z();
      if (i + 1 < field.nx)
        along_x = std::max(along_x, std::abs(field.sample(i + 1, j).z() - z) / field.dx);
      if (j + 1 < field.ny)
        along_y = std::max(along_y, std::abs(field.sample(i, j + 1).z() - z) / field.dy);
    }
  }
  // The gradient of a facet has the slopes of two of its sides.
  field.max_slope = std::hypot(along_x, along_y);
}

double bounding_radius(const Geometry& geometry) { return std::visit(BoundingRadius{}, geometry); }

}  // namespace pequod
