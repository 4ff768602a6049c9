#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "events/witness.h"

namespace pequod {
namespace {

/// Of the line Q with rounding ρ' = −τ seen from x_P: n·a = −τ, and n lies in the plane of x_P and
/// the line.
void point_to_line(Witness& w, const Vector3d& n_before) {
  const double sine = w.Q.taper, cosine = std::sqrt(1.0 - sine * sine);
  const Vector3d from = w.x_P - w.Q.p;
  const Vector3d outward = across(w.Q.a, from);
  const double rho = outward.norm();
  Vector3d e = -across(w.Q.a, n_before);  // on the axis any direction is as good
  if (rho > 1e-15) {
    e = outward / rho;
  } else {
    e = e.norm() > 1e-9 ? Vector3d(e.normalized()) : Vector3d(w.Q.a.unitOrthogonal());
  }
  w.n = -sine * w.Q.a - cosine * e;
  w.distance = rho / cosine;
  w.s_Q = from.dot(w.Q.a) - w.distance * sine;
  w.x_Q = w.Q.at(w.s_Q);
}

/// n·a_P = τ_P, n·a_Q = −τ_Q; then x_P + L n = x_Q gives both parameters.
void line_to_line(Witness& w, double sign, const Vector3d& n_before) {
  const Vector3d &a = w.P.a, &b = w.Q.a;
  const Vector3d cross = a.cross(b);
  const double square = cross.squaredNorm();
  w.n = n_before;
  if (square > 1e-24) {
    const double g = a.dot(b), p = w.P.taper, q = -w.Q.taper;
    const Vector3d within = ((p - g * q) * a + (q - g * p) * b) / square;
    const double rest = 1.0 - within.squaredNorm();
    // Lines too steep for both angles at once have no such normal; the nearest stands for it.
    w.n = rest > 0.0 ? Vector3d(within + sign * std::sqrt(rest / square) * cross)
                     : within.normalized();
  }
  Matrix3d A;
  A << b, -a, -w.n;
  // Parallel to both lines n has no such points; the kept ones do.
  if (std::abs(A.determinant()) > 1e-12) {
    const Vector3d solution = A.inverse() * (w.P.p - w.Q.p);
    w.s_Q = solution[0];
    w.s_P = solution[1];
  }
  w.x_P = w.P.at(w.s_P);
  w.x_Q = w.Q.at(w.s_Q);
  w.distance = w.n.dot(w.x_Q - w.x_P);
}

/// ∂²φ/∂s² in the parameters of both curves times L, and the mixed term: what the conditions
/// d·t_P − τ_P L = 0 and d·t_Q + τ_Q L = 0 change by.
struct Curvature {
  double pp, pq, qp, qq;

  Curvature(const Witness& w, const Vector3d& t_P, const Vector3d& t_Q) {
    const Vector3d d = w.x_Q - w.x_P;
    pp = -t_P.squaredNorm() + w.P.taper * w.n.dot(t_P);
    if (w.P.kind == FeatureKind::circle) pp += d.dot(w.P.second(w.s_P));
    pq = t_P.dot(t_Q) - w.P.taper * w.n.dot(t_Q);
    qp = -t_P.dot(t_Q) - w.Q.taper * w.n.dot(t_P);
    qq = t_Q.squaredNorm() + w.Q.taper * w.n.dot(t_Q);
    if (w.Q.kind == FeatureKind::circle) qq += d.dot(w.Q.second(w.s_Q));
  }
};

/// The line P at its best for the point s_Q of the rim.
void line_to_rim_point(Witness& w, double s_Q, const Vector3d& n_before) {
  Witness turned;
  turned.x_P = w.Q.at(s_Q);
  turned.Q = w.P;
  point_to_line(turned, -n_before);
  w.s_Q = s_Q;
  w.s_P = turned.s_Q;
  w.x_P = turned.x_Q;
  w.x_Q = turned.x_P;
  w.n = -turned.n;
  w.distance = turned.distance;
}

/// One unknown is left: d·t_Q = 0 by damped Newton steps from the kept angle.
void line_to_rim(Witness& w, const Vector3d& n_before) {
  line_to_rim_point(w, w.s_Q, n_before);
  for (int iteration = 0; iteration < 30; ++iteration) {
    const Vector3d t_P = w.P.tangent(w.s_P), t_Q = w.Q.tangent(w.s_Q);
    const double off = (w.x_Q - w.x_P).dot(t_Q);
    const Curvature c(w, t_P, t_Q);
    const double slope = c.qq - c.qp * c.pq / c.pp;
    if (!(std::abs(slope) > 1e-20 * t_Q.squaredNorm())) return;
    double step = -off / slope;
    if (std::abs(step) * w.Q.radius < 1e-16) return;  // m, rounding of bodies of 0.1 m and more
    step = std::clamp(step, -0.5, 0.5);
    Witness next = w;
    bool better = false;
    for (int halving = 0; halving < 12 && !better; ++halving, step *= 0.5) {
      line_to_rim_point(next, w.s_Q + step, w.n);
      better = std::abs((next.x_Q - next.x_P).dot(next.Q.tangent(next.s_Q))) < std::abs(off);
    }
    if (!better) return;
    w = next;
  }
}

}  // namespace

void resolve_tapered(Witness& w, double sign, const Vector3d& n_before) {
  if (w.P.kind == FeatureKind::point) {
    w.x_P = w.P.p;
    point_to_line(w, n_before);
  } else if (w.Q.kind == FeatureKind::circle) {
    line_to_rim(w, n_before);
  } else {
    line_to_line(w, sign, n_before);
  }
  w.P.rounding -= w.P.taper * w.s_P;
  w.Q.rounding -= w.Q.taper * w.s_Q;
}

// The conditions of Curvature, differentiated by time.
Rates tapered_rates(const Witness& w, const Vector3d& w_P, const Vector3d& w_Q, const Vector3d& v) {
  if (std::abs(w.distance) <= 1e-15) return {};
  const bool point = w.P.kind == FeatureKind::point;
  const Vector3d d = w.x_Q - w.x_P;
  const Vector3d t_P = point ? Vector3d(Vector3d::Zero()) : w.P.tangent(w.s_P);
  const Vector3d t_Q = w.Q.tangent(w.s_Q);
  Curvature c(w, t_P, t_Q);
  if (point) c.pp = -1.0;  // nothing to move
  const double f = point ? 0.0 : v.dot(t_P) + d.dot(w_P.cross(t_P)) - w.P.taper * w.n.dot(v);
  const double g = v.dot(t_Q) + d.dot(w_Q.cross(t_Q)) + w.Q.taper * w.n.dot(v);
  const double det = c.pp * c.qq - c.pq * c.qp;
  if (std::abs(det) <= 1e-20 * t_Q.squaredNorm()) return {};
  const double s_P = -(f * c.qq - c.pq * g) / det, s_Q = -(c.pp * g - c.qp * f) / det;
  Rates rates;
  rates.u_P = s_P * t_P;
  rates.u_Q = s_Q * t_Q;
  rates.n = across(w.n, v + rates.u_Q - rates.u_P) / w.distance;
  return rates;
}

}  // namespace pequod
