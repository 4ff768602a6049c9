// How far a robot must be lifted until its lowest point touches the ground.
#include <algorithm>
#include <cmath>
#include <variant>

#include "core/dynamics.h"
#include "scene/reader.h"

namespace pequod {
namespace {

/// Largest d · x over the shape, d in the shape frame.
double support(const Geometry& geometry, const Vector3d& d) {
  const double across = d.head<2>().norm();
  struct Visitor {
    const Vector3d& d;
    double across;
    double operator()(const Sphere& s) const { return s.radius * d.norm(); }
    double operator()(const Box& b) const { return 0.5 * b.size.dot(d.cwiseAbs()); }
    double operator()(const Capsule& c) const {
      return 0.5 * c.length * std::abs(d.z()) + c.radius * d.norm();
    }
    double operator()(const Cylinder& c) const {
      return 0.5 * c.length * std::abs(d.z()) + c.radius * across;
    }
    double operator()(const Cone& c) const {
      return std::max(0.5 * c.length * d.z(), c.radius * across - 0.5 * c.length * d.z());
    }
    double operator()(const Plane&) const { return kInfinity; }
    double operator()(const Convex& c) const { return of_points(c.vertices); }
    double operator()(const Mesh& m) const { return of_points(m.vertices); }
    double operator()(const HeightField&) const { return kInfinity; }
    double of_points(const std::vector<Vector3d>& points) const {
      double most = -kInfinity;
      for (const Vector3d& x : points) most = std::max(most, d.dot(x));
      return most;
    }
  };
  return std::visit(Visitor{d, across}, geometry);
}

double support(const Geometry& geometry, const Pose& X_WS, const Vector3d& d_W) {
  return support(geometry, X_WS.R.transpose() * d_W) + d_W.dot(X_WS.p);
}

/// Lift above a plane {n·x = offset} along z.
double lift_over_plane(const Pose& X_WP, const Geometry& geometry, const Pose& X_WS) {
  const Vector3d n = X_WP.R.col(2);
  if (n.z() < 1e-6) return -kInfinity;  // a wall: lifting does not help
  const double lowest = -support(geometry, X_WS, -n);
  return (n.dot(X_WP.p) - lowest) / n.z();
}

/// Lift above the highest sample under the shape's bounding rectangle, one cell wider; the field's
/// z must be up.
double lift_over_field(const HeightField& field, const Pose& X_WF, const Geometry& geometry,
                       const Pose& X_WS) {
  const Pose X_FS = X_WF.inverse() * X_WS;
  const auto range = [&](const Vector3d& d, double origin, double step, int n) {
    const double low = (-support(geometry, X_FS, -d) - origin) / step;
    const double high = (support(geometry, X_FS, d) - origin) / step;
    const double last = n - 1;
    return std::pair{static_cast<int>(std::clamp(std::floor(low), 0.0, last)),
                     static_cast<int>(std::clamp(std::ceil(high), 0.0, last))};
  };
  const auto [i0, i1] = range(Vector3d::UnitX(), field.origin.x(), field.dx, field.nx);
  const auto [j0, j1] = range(Vector3d::UnitY(), field.origin.y(), field.dy, field.ny);
  double highest = -kInfinity;
  for (int i = i0; i <= i1; ++i) {
    for (int j = j0; j <= j1; ++j) highest = std::max(highest, field.sample(i, j).z());
  }
  return highest + support(geometry, X_FS, -Vector3d::UnitZ());
}

}  // namespace

double lift_to_ground(const Model& model, int entity, const VectorXd& q) {
  Kinematics kin;
  compute_kinematics(model, q, VectorXd::Zero(model.nv), kin);
  double lift = -kInfinity;
  bool ground_found = false;
  const auto over = [&](const auto& lift_over) {
    for (const Shape& shape : model.shapes) {
      if (shape.link < 0 || nth(model.frames, shape.frame).entity != entity) {
        continue;
      }
      const Pose X_WS = nth(kin.links, shape.link).X_WL * shape.X_LS;
      lift = std::max(lift, lift_over(shape.geometry, X_WS));
    }
  };
  for (const Shape& ground : model.shapes) {
    if (ground.link >= 0) continue;
    if (std::holds_alternative<Plane>(ground.geometry)) {
      ground_found = true;
      over([&](const Geometry& g, const Pose& X) { return lift_over_plane(ground.X_LS, g, X); });
    } else if (const HeightField* field = std::get_if<HeightField>(&ground.geometry)) {
      ground_found = true;
      over([&](const Geometry& g, const Pose& X) {
        return lift_over_field(*field, ground.X_LS, g, X);
      });
    }
  }
  if (!ground_found) {
    over([](const Geometry& g, const Pose& X) { return lift_over_plane(Pose{}, g, X); });
  }
  return std::isfinite(lift) ? lift : 0.0;
}

}  // namespace pequod
