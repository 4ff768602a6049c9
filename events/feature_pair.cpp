#include "events/feature_pair.h"

#include <algorithm>
#include <cmath>

#include "events/ground_normals.h"
#include "events/tolerances.h"
#include "events/witness.h"

namespace pequod {
namespace {

Placed place(const Feature& f, const Pose& X) {
  Placed out;
  out.kind = f.kind;
  out.p = X * f.p;
  out.radius = f.radius;
  out.rounding = f.rounding;
  out.taper = f.taper;
  if (f.kind == FeatureKind::circle) {
    out.x_axis = X.R.col(0);
    out.y_axis = X.R.col(1);
    out.a = X.R.col(2);
    out.arc_middle = f.arc_middle;
    out.arc_half = f.arc_half;
  } else if (f.kind != FeatureKind::point) {
    out.a = X.R * f.a;
  }
  return out;
}

/// Point of a circle that is farthest along n; keeps the parameter where the whole rim is.
double rim_parameter(const Placed& circle, const Vector3d& n, double kept) {
  const double x = n.dot(circle.x_axis), y = n.dot(circle.y_axis);
  return x * x + y * y > 1e-30 ? std::atan2(y, x) : kept;
}

/// @param x, y  the direction of a circle's lowest point; out: that of the end of its arc nearest
///              to it, if it lies beyond
/// @return whether it does
bool stop_at_end_of_arc(const Placed& circle, double& x, double& y) {
  if (circle.arc_half >= M_PI) return false;
  const double cosine = std::cos(circle.arc_middle), sine = std::sin(circle.arc_middle);
  const double along = x * cosine + y * sine, end = std::cos(circle.arc_half);
  if (along >= end) return false;
  const double aside = std::copysign(std::sin(circle.arc_half), y * cosine - x * sine);
  x = end * cosine - aside * sine;
  y = end * sine + aside * cosine;
  return true;
}

void to_face(Witness& w) {
  w.n = -w.Q.a;
  w.x_P = w.P.p;
  if (w.P.kind == FeatureKind::circle) {
    // No angles here: a wheel on the ground asks this all the time.
    double x = w.n.dot(w.P.x_axis), y = w.n.dot(w.P.y_axis);
    const double slope = std::sqrt(x * x + y * y);
    x = slope > 1e-15 ? x / slope : 1.0;
    y = slope > 1e-15 ? y / slope : 0.0;
    const bool ends = stop_at_end_of_arc(w.P, x, y);
    w.x_P += w.P.radius * (x * w.P.x_axis + y * w.P.y_axis);
    if (!ends) w.t_P = x * w.P.y_axis - y * w.P.x_axis;
  }
  w.distance = w.n.dot(w.Q.p - w.x_P);
  w.x_Q = w.x_P + w.distance * w.n;
}

/// m: below this the direction of a distance is rounding of coordinates of order one.
constexpr double kNoDirection = 1e-15;

/// Unit vector along d, or what was known before where d vanishes.
void normal_along(Witness& w, const Vector3d& n_before) {
  const Vector3d d = w.x_Q - w.x_P;
  const double length = d.norm();
  w.n = length > kNoDirection ? Vector3d(d / length) : n_before;
  w.distance = length;
}

void point_to_curve(Witness& w, const Vector3d& n_before) {
  w.x_P = w.P.p;
  if (w.Q.kind == FeatureKind::line) {
    w.s_Q = w.Q.a.dot(w.x_P - w.Q.p);
  } else {
    w.s_Q = rim_parameter(w.Q, w.x_P - w.Q.p, w.s_Q);
  }
  w.x_Q = w.Q.at(w.s_Q);
  normal_along(w, n_before);
}

/// One damped Newton step; false when there is nothing left to gain.
bool improve(Witness& w, Stationarity& now) {
  double ds_P = 0.0, ds_Q = 0.0;
  if (now.is_singular()) return false;  // parallel: any point is as good
  now.solve(now.f, now.g, ds_P, ds_Q);
  const double step = std::abs(ds_P) * now.t_P.norm() + std::abs(ds_Q) * now.t_Q.norm();
  if (step < 1e-16) return false;  // m, rounding of bodies of 0.1 m and more
  for (int halving = 0; halving < 12; ++halving, ds_P *= 0.5, ds_Q *= 0.5) {
    const Stationarity next(w, w.s_P + ds_P, w.s_Q + ds_Q);
    if (!(next.residual() < now.residual())) continue;
    w.s_P += ds_P;
    w.s_Q += ds_Q;
    now = next;
    return true;
  }
  return false;
}

/// Stationary distance of two curves: d·t_P = d·t_Q = 0, by Newton from the kept parameters (two
/// lines need no iteration). The normal is the cross product of the tangents and stays regular
/// through distance 0; where they are parallel, as where a rim leans on a cylinder's side, it is
/// that of the distance.
void curve_to_curve(Witness& w, double sign, const Vector3d& n_before) {
  if (w.P.kind == FeatureKind::line && w.Q.kind == FeatureKind::circle) {
    w.s_P = w.P.a.dot(w.Q.at(w.s_Q) - w.P.p);  // one unknown is left to begin with
  }
  Stationarity now(w, w.s_P, w.s_Q);
  if (w.P.kind == FeatureKind::line && w.Q.kind == FeatureKind::line) {
    double ds_P = 0.0, ds_Q = 0.0;
    if (!now.is_singular()) now.solve(now.f, now.g, ds_P, ds_Q);
    w.s_P += ds_P;
    w.s_Q += ds_Q;
  } else {
    for (int iteration = 0; iteration < 30 && improve(w, now); ++iteration) {
    }
  }
  w.x_P = w.P.at(w.s_P);
  w.x_Q = w.Q.at(w.s_Q);
  const Vector3d t_P = w.P.tangent(w.s_P), t_Q = w.Q.tangent(w.s_Q);
  const Vector3d cross = t_P.cross(t_Q);
  const double length = cross.norm();
  w.n = length > 1e-150 ? Vector3d(sign / length * cross) : n_before;
  if (is_along_distance(w, t_P, t_Q, length)) w.n = (w.x_Q - w.x_P).normalized();
  w.distance = w.n.dot(w.x_Q - w.x_P);
}

[[nodiscard]] bool is_ground_edge(const Feature& f) {
  return f.kind == FeatureKind::line && std::isfinite(f.lean_high);
}
[[nodiscard]] bool is_ground_corner(const Feature& f) {
  return f.kind == FeatureKind::point && std::isfinite(f.lean_high);
}

/// Where the curves have left an edge of the ground. P then is the body. @return whether the edge
/// was P
bool leave_edge(Witness& w, const Feature& P, const Feature& Q, const Pose& X_WP,
                const Pose& X_WQ) {
  const double kept_P = P.parameter, kept_Q = Q.parameter;
  const bool left_P = is_ground_edge(P) && stand_beside_edge(w, P, true, kept_Q, X_WP);
  if (left_P || (is_ground_edge(Q) && stand_beside_edge(w, Q, false, kept_P, X_WQ))) to_face(w);
  return left_P;
}

/// The commonest pair, a corner or a ball over a plane, with nothing that is not asked for.
/// @param on_a  whether the point is A's
void follow_over_face(const Feature& point, const Pose& X_WP, const Feature& face, const Pose& X_WQ,
                      bool on_a, ContactPoint& contact) {
  const Vector3d x = X_WP * point.p;
  const Vector3d n = -(X_WQ.R * face.a);
  const double distance = n.dot(X_WQ * face.p - x);
  contact.gap = distance - point.rounding - face.rounding;
  contact.n_W = on_a ? n : Vector3d(-n);
  contact.p_W = x + (point.rounding + point_side(point, face, !on_a) * contact.gap) * n;
}

/// Two corners or balls, the commonest pair of piles, as resolve() would have it.
void follow_between_points(const Feature& A, const Pose& X_WA, const Feature& B, const Pose& X_WB,
                           ContactPoint& contact) {
  const Vector3d x = X_WA * A.p, d = X_WB * B.p - x;
  const double distance = d.norm();
  if (distance > kNoDirection) contact.n_W = d / distance;
  contact.gap = distance - A.rounding - B.rounding;
  contact.p_W = x + (A.rounding + point_side(A, B, false) * contact.gap) * contact.n_W;
}

}  // namespace

bool is_along_distance(const Witness& w, const Vector3d& t_P, const Vector3d& t_Q, double cross) {
  const double rounding = w.P.rounding + w.Q.rounding;
  return rounding > 0.0 && cross <= 1e-5 * t_P.norm() * t_Q.norm() &&
         (w.x_Q - w.x_P).norm() > 0.5 * rounding;
}

Witness resolve(const FeaturePair& pair, const Pose& X_WA, const Pose& X_WB, const Vector3d& n_W,
                bool& swapped) {
  swapped = pair.A.kind > pair.B.kind;
  const Feature& P = swapped ? pair.B : pair.A;
  const Feature& Q = swapped ? pair.A : pair.B;
  const Pose& X_WP = swapped ? X_WB : X_WA;
  const Pose& X_WQ = swapped ? X_WA : X_WB;
  Witness w;
  w.P = place(P, X_WP);
  w.s_P = P.parameter;
  w.s_Q = Q.parameter;
  w.Q = has_border(Q.kind) ? nearest_part(Q, X_WQ, w.P.p) : place(Q, X_WQ);
  const Vector3d n_before = swapped ? Vector3d(-n_W) : n_W;
  if (w.Q.kind == FeatureKind::face) {
    to_face(w);
  } else if (is_tapered(w)) {
    resolve_tapered(w, pair.sign, n_before);
  } else if (w.Q.kind == FeatureKind::point) {
    w.x_P = w.P.p;
    w.x_Q = w.Q.p;
    normal_along(w, n_before);
  } else if (w.P.kind == FeatureKind::point) {
    point_to_curve(w, n_before);
    if (is_ground_corner(P) && stand_beside_corner(w, P, X_WP)) {
      to_face(w);
      swapped = !swapped;
    }
  } else {
    curve_to_curve(w, pair.sign, n_before);
    if (leave_edge(w, P, Q, X_WP, X_WQ)) swapped = !swapped;
  }
  return w;
}

void follow(ContactPoint& contact, const Pose& X_WA, const Pose& X_WB) {
  const Feature &A = contact.feature.A, &B = contact.feature.B;
  if (A.kind == FeatureKind::point && B.kind == FeatureKind::face)
    return follow_over_face(A, X_WA, B, X_WB, true, contact);
  if (A.kind == FeatureKind::face && B.kind == FeatureKind::point)
    return follow_over_face(B, X_WB, A, X_WA, false, contact);
  if (A.kind == FeatureKind::point && B.kind == FeatureKind::point)
    return follow_between_points(A, X_WA, B, X_WB, contact);
  bool swapped = false;
  const Witness w = resolve(contact.feature, X_WA, X_WB, contact.n_W, swapped);
  Feature& P = swapped ? contact.feature.B : contact.feature.A;
  Feature& Q = swapped ? contact.feature.A : contact.feature.B;
  P.parameter = w.s_P;
  if (!has_border(Q.kind)) Q.parameter = w.s_Q;
  contact.gap = w.distance - w.P.rounding - w.Q.rounding;
  contact.n_W = swapped ? Vector3d(-w.n) : w.n;
  contact.p_W = w.x_P + (w.P.rounding + point_side(P, Q, swapped) * contact.gap) * w.n;
}

double followed_gap(const ContactPoint& contact, const Pose& X_WA, const Pose& X_WB) {
  const Feature &A = contact.feature.A, &B = contact.feature.B;
  if (A.kind == FeatureKind::point && B.kind == FeatureKind::point)
    return (X_WB * B.p - X_WA * A.p).norm() - A.rounding - B.rounding;
  ContactPoint moved = contact;
  follow(moved, X_WA, X_WB);
  return moved.gap;
}

double gap_rate(const ContactPoint& contact, const BodyMotion& A, const BodyMotion& B) {
  return contact.n_W.dot(velocity_at(B, contact.p_W) - velocity_at(A, contact.p_W));
}

}  // namespace pequod
