// Inside of feature_pair.cpp and its neighbours: a pair of features placed in the world.
#pragma once

#include <cmath>

#include "events/facet_part.h"

namespace pequod {

/// A point of a curve, and its derivatives by the parameter.
struct CurvePoint {
  Vector3d x, tangent, second;
};

/// A feature placed in the world. `second` is x'' of a curve.
struct Placed {
  FeatureKind kind = FeatureKind::point;
  Vector3d p = Vector3d::Zero(), a = Vector3d::Zero();
  Vector3d x_axis = Vector3d::Zero(), y_axis = Vector3d::Zero();  // of a circle
  double radius = 0.0, rounding = 0.0, taper = 0.0;
  double arc_middle = 0.0, arc_half = M_PI;  // of a circle

  [[nodiscard]] Vector3d at(double s) const {
    if (kind == FeatureKind::line) return p + s * a;
    return p + radius * (std::cos(s) * x_axis + std::sin(s) * y_axis);
  }
  [[nodiscard]] Vector3d tangent(double s) const {
    if (kind == FeatureKind::line) return a;
    return radius * (std::cos(s) * y_axis - std::sin(s) * x_axis);
  }
  [[nodiscard]] Vector3d second(double s) const {
    if (kind == FeatureKind::line) return Vector3d::Zero();
    return -radius * (std::cos(s) * x_axis + std::sin(s) * y_axis);
  }
  /// All three with one sine and cosine.
  [[nodiscard]] CurvePoint differentiate(double s) const {
    if (kind == FeatureKind::line) return {p + s * a, a, Vector3d::Zero()};
    const double c = std::cos(s), d = std::sin(s);
    const Vector3d radial = c * x_axis + d * y_axis;
    return {p + radius * radial, radius * (c * y_axis - d * x_axis), -radius * radial};
  }
};

/// The pair seen from its simpler side P towards Q: core points, their normal and distance.
struct Witness {
  Placed P, Q;
  Vector3d x_P = Vector3d::Zero(), x_Q = Vector3d::Zero(), n = Vector3d::UnitZ();
  double distance = 0.0;        // n·(x_Q − x_P)
  double s_P = 0.0, s_Q = 0.0;  // parameters on curves
  // Unit tangent of a rim at x_P, over a face; zero at the end of its arc, which does not move.
  Vector3d t_P = Vector3d::Zero();
};

/// Where in the gap the point of a contact lies: 0 on P, 1 on Q. A ball turns about its centre at
/// its own radius; between two balls it is the middle. On a plane it lies on that, and else on A:
/// points on one face or edge are coplanar or collinear whatever their gaps, so that their
/// tangential rows repeat each other to rounding, not nearly.
/// @param swapped  Q is A
[[nodiscard]] inline double point_side(const Feature& P, const Feature& Q, bool swapped) {
  const bool ball_P = is_ball(P), ball_Q = is_ball(Q);
  if (ball_P || ball_Q) return ball_P && ball_Q ? 0.5 : ball_Q ? 1.0 : 0.0;
  return is_plane(Q) || swapped ? 1.0 : 0.0;
}

/// Rates that the velocities imply: ṅ, and how fast the witness points move over their bodies.
struct Rates {
  Vector3d n = Vector3d::Zero();
  Vector3d u_P = Vector3d::Zero(), u_Q = Vector3d::Zero();
};

[[nodiscard]] inline Vector3d across(const Vector3d& n, const Vector3d& x) {
  return x - n * n.dot(x);
}

/// The part of a triangle that is closest to q: its face, an edge or a corner (Ericson 2005, sec.
/// 5.1.5). The ground is solid: a point below the triangle, seen along the field's vertical, is
/// inside, as deep as it lies under the plane. Behind a facet of a mesh only what has its foot in
/// the facet, or beyond an open side of it, is inside. Where q has passed a border so far that the
/// next facet carries it, that one's plane.
/// @param touched  out, if given: that part of the facet
[[nodiscard]] Placed nearest_part(const Feature& triangle, const Pose& X, const Vector3d& q,
                                  FacetPart* touched = nullptr);

/// Whether one side is a line whose rounding changes along it: the side of a cone.
[[nodiscard]] inline bool is_tapered(const Witness& w) {
  return w.P.taper != 0.0 || w.Q.taper != 0.0;
}

/// Fills x, n, distance and parameters of a pair with a tapered line: the least of |x_Q − x_P| less
/// both roundings, which there are ρ_P and ρ_Q, linear along their lines. Where it is stationary,
/// n·t_P = −ρ_P' and n·t_Q = ρ_Q': n keeps its angle to each line, so that for a point or two lines
/// it has a closed form, and the rim of a cap leaves one unknown.
/// @param sign, n_before  as for follow()
void resolve_tapered(Witness& w, double sign, const Vector3d& n_before);

/// @param v  velocity of the material point x_Q less that of x_P, m/s
[[nodiscard]] Rates tapered_rates(const Witness& w, const Vector3d& w_P, const Vector3d& w_Q,
                                  const Vector3d& v);

/// d·t_P and d·t_Q, which vanish at a stationary distance, with their derivatives by the
/// parameters.
struct Stationarity {
  Vector3d t_P, t_Q;
  double f, g;       // d·t_P, d·t_Q
  double pp, c, qq;  // ∂f/∂s_P, ∂f/∂s_Q = −∂g/∂s_P, ∂g/∂s_Q
  double det;        // pp qq + c²

  Stationarity(const Witness& w, double s_P, double s_Q) {
    const CurvePoint P = w.P.differentiate(s_P), Q = w.Q.differentiate(s_Q);
    t_P = P.tangent;
    t_Q = Q.tangent;
    const Vector3d d = Q.x - P.x;
    f = d.dot(t_P);
    g = d.dot(t_Q);
    c = t_P.dot(t_Q);
    pp = -t_P.squaredNorm() + d.dot(P.second);
    qq = t_Q.squaredNorm() + d.dot(Q.second);
    det = pp * qq + c * c;
  }
  [[nodiscard]] bool is_singular() const {
    return std::abs(det) <= 1e-20 * t_P.squaredNorm() * t_Q.squaredNorm();
  }
  /// The rates of both parameters that give f and g the rates −f_rate and −g_rate.
  void solve(double f_rate, double g_rate, double& s_P, double& s_Q) const {
    s_P = -(f_rate * qq - c * g_rate) / det;
    s_Q = -(pp * g_rate + c * f_rate) / det;
  }
  [[nodiscard]] double residual() const {
    return f * f / t_P.squaredNorm() + g * g / t_Q.squaredNorm();
  }
};

/// Whether the cross product of the tangents tells no normal and the distance of the cores does: of
/// a rounded one it is never near zero.
[[nodiscard]] bool is_along_distance(const Witness& w, const Vector3d& t_P, const Vector3d& t_Q,
                                     double cross);

/// The pair from its simpler side. `swapped` says that P is B, and n then points from B to A.
[[nodiscard]] Witness resolve(const FeaturePair& pair, const Pose& X_WA, const Pose& X_WB,
                              const Vector3d& n_W, bool& swapped);

}  // namespace pequod
