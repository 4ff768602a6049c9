#include "simulation/controllers/foot_ball.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

// A shape as the hull of balls of one radius, m, shape frame. Circles are sampled.
struct Outline {
  std::vector<Vector3d> points;
  double radius = 0.0;
};

void add_circle(double radius, double z, Outline& outline) {
  constexpr int kSides = 64;
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSides;
    outline.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
}

struct MakeOutline {
  Outline operator()(const Sphere& s) const { return {{Vector3d::Zero()}, s.radius}; }
  Outline operator()(const Box& b) const {
    Outline outline;
    for (int i = 0; i < 8; ++i)
      outline.points.emplace_back((i & 1 ? 0.5 : -0.5) * b.size.x(),
                                  (i & 2 ? 0.5 : -0.5) * b.size.y(),
                                  (i & 4 ? 0.5 : -0.5) * b.size.z());
    return outline;
  }
  Outline operator()(const Capsule& c) const {
    return {{{0.0, 0.0, 0.5 * c.length}, {0.0, 0.0, -0.5 * c.length}}, c.radius};
  }
  Outline operator()(const Cylinder& c) const {
    Outline outline;
    add_circle(c.radius, 0.5 * c.length, outline);
    add_circle(c.radius, -0.5 * c.length, outline);
    return outline;
  }
  Outline operator()(const Cone& c) const {
    Outline outline{{{0.0, 0.0, 0.5 * c.length}}, 0.0};
    add_circle(c.radius, -0.5 * c.length, outline);
    return outline;
  }
  Outline operator()(const Convex& c) const { return {c.vertices, 0.0}; }
  Outline operator()(const Mesh& m) const { return {m.vertices, 0.0}; }
  Outline operator()(const Plane&) const { return {}; }        // never part of a foot
  Outline operator()(const HeightField&) const { return {}; }  // neither
};

// Points in the link frame.
Outline outline_of(const Shape& shape) {
  Outline outline = std::visit(MakeOutline{}, shape.geometry);
  for (Vector3d& point : outline.points) point = shape.X_LS * point;
  return outline;
}

// Largest distance of the shape from the link's origin, which lies on the knee's axis.
double reach(const Outline& outline) {
  double most = 0.0;
  for (const Vector3d& point : outline.points) most = std::max(most, point.norm() + outline.radius);
  return most;
}

double support(const Outline& outline, const Vector3d& d) {
  double most = -kInfinity;
  for (const Vector3d& point : outline.points) most = std::max(most, d.dot(point));
  return most + outline.radius;
}

const Vector3d& farthest(const Outline& outline) {
  return *std::max_element(
      outline.points.begin(), outline.points.end(),
      [](const Vector3d& a, const Vector3d& b) { return a.squaredNorm() < b.squaredNorm(); });
}

// Least squares of support(d) = c·d + r over directions d about the shank in the plane normal to
// the knee's axis; along the axis the ball sits in the shape's middle.
FootBall fit_ball(const Outline& outline, const Vector3d& axis) {
  const Vector3d tip = farthest(outline);
  const Vector3d down = (tip - axis * axis.dot(tip)).normalized();
  const Vector3d side = axis.cross(down);
  constexpr int kDirections = 41;
  MatrixXd A(kDirections, 3);
  VectorXd b(kDirections);
  for (int i = 0; i < kDirections; ++i) {
    const double angle = 2.0 * i / (kDirections - 1) - 1.0;  // rad
    A.row(i) << std::cos(angle), std::sin(angle), 1.0;
    b[i] = support(outline, std::cos(angle) * down + std::sin(angle) * side);
  }
  Vector3d fit = LeastNormFactor(A).solve(b);
  if (fit[2] < 0.0) {  // sharper than a point: take the point
    fit.head<2>() = LeastNormFactor(A.leftCols<2>()).solve(b);
    fit[2] = 0.0;
  }
  const double along = 0.5 * (support(outline, axis) - support(outline, -axis));
  return {-1, fit[0] * down + fit[1] * side + along * axis, fit[2]};
}

}  // namespace

FootBall find_foot_ball(const Model& model, int link) {
  const Shape* foot = nullptr;
  const Shape* sphere = nullptr;
  double most = 0.0, most_sphere = 0.0;
  for (const Shape& shape : model.shapes) {
    if (shape.link != link) continue;
    const double r = reach(outline_of(shape));
    if (r > most) {
      most = r;
      foot = &shape;
    }
    const Frame& frame = nth(model.frames, shape.frame);
    if (frame.leaf && std::holds_alternative<Sphere>(shape.geometry) && r > most_sphere) {
      most_sphere = r;
      sphere = &shape;
    }
  }
  if (!foot)
    throw std::invalid_argument("no foot: " + link_name(model, link) +
                                " ends a leg and has no collision shape");
  constexpr double kAsFar = 0.9;  // a sphere on the knee's axis is no foot
  if (sphere && most_sphere >= kAsFar * most)
    return {sphere->frame, sphere->X_LS.p, std::get<Sphere>(sphere->geometry).radius};
  FootBall ball = fit_ball(outline_of(*foot), nth(model.links, link).joint.axis);
  ball.frame = foot->frame;
  return ball;
}

}  // namespace pequod
