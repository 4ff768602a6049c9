// How the gap of a pair of features changes with the motion of its bodies.
#include <algorithm>
#include <cmath>

#include "events/feature_pair.h"
#include "events/tolerances.h"
#include "events/witness.h"

namespace pequod {
namespace {

Rates face_rates(const Witness& w, const BodyMotion& P, const BodyMotion& Q, const Vector3d& v) {
  Rates rates;
  rates.n = Q.w.cross(w.n);
  if (w.P.kind == FeatureKind::circle) {
    // The lowest point follows n's projection on the rim's plane; a flat rim has none to follow.
    const Vector3d turn = (Q.w - P.w).cross(w.n);
    const double slope = across(w.P.a, w.n).norm();
    if (slope > 1e-15) rates.u_P = w.t_P * (w.P.radius * w.t_P.dot(turn) / slope);
  }
  // x_Q = x_P + distance n, differentiated.
  rates.u_Q = rates.u_P - v + w.n * w.n.dot(v) + w.distance * rates.n;
  return rates;
}

Rates point_rates(const Witness& w, const BodyMotion& Q, const Vector3d& v) {
  Rates rates;
  if (w.Q.kind != FeatureKind::point) {
    // d·t = 0 holds, d = x_Q − x_P.
    const Vector3d d = w.x_Q - w.x_P, t = w.Q.tangent(w.s_Q);
    const double stiffness = t.squaredNorm() + d.dot(w.Q.second(w.s_Q));
    if (stiffness > 1e-20 * t.squaredNorm()) {
      rates.u_Q = t * (-(v.dot(t) + d.dot(Q.w.cross(t))) / stiffness);
    }
  }
  if (w.distance > 1e-15) rates.n = across(w.n, v + rates.u_Q) / w.distance;
  return rates;
}

Rates curve_rates(const Witness& w, const BodyMotion& P, const BodyMotion& Q, const Vector3d& v) {
  const Stationarity at(w, w.s_P, w.s_Q);
  const Vector3d d = w.x_Q - w.x_P;
  const Vector3d cross = at.t_P.cross(at.t_Q);
  const double length = cross.norm();
  const bool along_d = is_along_distance(w, at.t_P, at.t_Q, length);
  if (at.is_singular() || (!along_d && length < 1e-150)) return {};
  // d·t_P = d·t_Q = 0, differentiated.
  double s_P = 0.0, s_Q = 0.0;
  at.solve(v.dot(at.t_P) + d.dot(P.w.cross(at.t_P)), v.dot(at.t_Q) + d.dot(Q.w.cross(at.t_Q)), s_P,
           s_Q);
  if (along_d) {
    const Vector3d u_P = s_P * at.t_P, u_Q = s_Q * at.t_Q;
    return {across(w.n, v + u_Q - u_P) / w.distance, u_P, u_Q};
  }
  const Vector3d t_P_rate = P.w.cross(at.t_P) + s_P * w.P.second(w.s_P);
  const Vector3d t_Q_rate = Q.w.cross(at.t_Q) + s_Q * w.Q.second(w.s_Q);
  const Vector3d cross_rate = t_P_rate.cross(at.t_Q) + at.t_P.cross(t_Q_rate);
  const double along = cross.dot(w.n) < 0.0 ? -1.0 : 1.0;
  return {along / length * across(w.n, cross_rate), s_P * at.t_P, s_Q * at.t_Q};
}

/// Of a tapered line, where its witness moves over the body with velocity u.
double rounding_rate(const Placed& line, const Vector3d& u) { return -line.taper * line.a.dot(u); }

bool is_rim_across_sharp_curve(const FeaturePair& pair) {
  const auto is_sharp = [](const Feature& side) {
    const bool curve =
        side.kind == FeatureKind::circle || (side.kind == FeatureKind::line && is_sharp_edge(side));
    return curve && side.rounding == 0.0 && side.taper == 0.0;
  };
  return is_sharp(pair.A) && is_sharp(pair.B) &&
         (pair.A.kind == FeatureKind::circle || pair.B.kind == FeatureKind::circle);
}

/// m, that a crossing of a rim may run along it, and along what it crosses: a share of what is left
/// to where both are parallel. Infinite for other pairs.
double way_to_merging(const FeaturePair& pair, const Witness& w) {
  if (!is_rim_across_sharp_curve(pair)) return kInfinity;
  const Vector3d t_P = w.P.tangent(w.s_P), t_Q = w.Q.tangent(w.s_Q);
  const double sine = t_P.cross(t_Q).norm() / (t_P.norm() * t_Q.norm());
  double radius = kInfinity;
  for (const Feature* side : {&pair.A, &pair.B})
    if (side->kind == FeatureKind::circle) radius = std::min(radius, side->radius);
  return kToTip * radius * sine;
}

/// Whether a point is on the border of a facet beyond which the ground all but goes on.
bool is_on_flat_border(const Witness& w, const Feature& ground) {
  return w.P.kind == FeatureKind::point && has_border(ground.kind) &&
         std::ranges::max(ground.side_lean) < kAllButFlat;
}

/// The pair at the poses of two motions and the rates of its witness points.
struct MovingWitness {
  bool swapped = false;
  Witness w;
  const BodyMotion &P, &Q;
  Rates rates;
  Vector3d v;  // of the material points at the witnesses, Q against P

  MovingWitness(const ContactPoint& contact, const BodyMotion& A, const BodyMotion& B)
      : w(resolve(contact.feature, A.X_WL, B.X_WL, contact.n_W, swapped)),
        P(swapped ? B : A),
        Q(swapped ? A : B) {
    v = velocity_at(Q, w.x_Q) - velocity_at(P, w.x_P);
    const bool flat = w.Q.kind == FeatureKind::face ||
                      is_on_flat_border(w, swapped ? contact.feature.A : contact.feature.B);
    rates = flat                             ? face_rates(w, P, Q, v)
            : is_tapered(w)                  ? tapered_rates(w, P.w, Q.w, v)
            : w.P.kind == FeatureKind::point ? point_rates(w, Q, v)
                                             : curve_rates(w, P, Q, v);
  }
};

}  // namespace

double gap_acceleration(const ContactPoint& contact, const BodyMotion& A, const BodyMotion& B) {
  const MovingWitness moving(contact, A, B);
  const auto& [swapped, w, P, Q, rates, v] = moving;
  // d/dt of φ̇ = n·(v_Q(x_Q) − v_P(x_P)), where x_Q and x_P also move over their bodies.
  return w.n.dot(acceleration_at(Q, w.x_Q) - acceleration_at(P, w.x_P)) +
         w.n.dot(Q.w.cross(rates.u_Q) - P.w.cross(rates.u_P)) + rates.n.dot(v);
}

double running_time(const ContactPoint& contact, const BodyMotion& A, const BodyMotion& B,
                    double reach) {
  const MovingWitness moving(contact, A, B);
  reach = std::min(reach, way_to_merging(contact.feature, moving.w));
  const auto time = [&](const Placed& curve, double s, const Vector3d& rate) {
    const double way = curve.taper > 0.0 ? std::min(reach, kToTip * std::abs(s)) : reach;
    return way / rate.norm();
  };
  return std::min(time(moving.w.P, moving.w.s_P, moving.rates.u_P),
                  time(moving.w.Q, moving.w.s_Q, moving.rates.u_Q));
}

double merging_time(const ContactPoint& contact, const BodyMotion& A, const BodyMotion& B) {
  if (!is_rim_across_sharp_curve(contact.feature)) return kInfinity;
  const MovingWitness moving(contact, A, B);
  return way_to_merging(contact.feature, moving.w) /
         std::max(moving.rates.u_P.norm(), moving.rates.u_Q.norm());
}

Vector3d slip_acceleration(const ContactPoint& contact, const BodyMotion& A, const BodyMotion& B) {
  const MovingWitness moving(contact, A, B);
  const auto& [swapped, w, P, Q, rates, v] = moving;
  // The point lies in the gap and moves over both bodies.
  const Vector3d on_P = velocity_at(P, w.x_P) + rates.u_P + w.P.rounding * rates.n +
                        rounding_rate(w.P, rates.u_P) * w.n;
  const Vector3d on_Q = velocity_at(Q, w.x_Q) + rates.u_Q - w.Q.rounding * rates.n -
                        rounding_rate(w.Q, rates.u_Q) * w.n;
  const double side = point_side(swapped ? contact.feature.B : contact.feature.A,
                                 swapped ? contact.feature.A : contact.feature.B, swapped);
  const Vector3d p_rate = on_P + side * (on_Q - on_P);
  const Vector3d p = contact.p_W;
  return acceleration_at(B, p) - acceleration_at(A, p) + B.w.cross(p_rate - velocity_at(B, p)) -
         A.w.cross(p_rate - velocity_at(A, p));
}

}  // namespace pequod
