#include "contact/solvers/friction/forces/cone_force.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/friction/friction_cone.h"

namespace pequod {
namespace {

using Eigen::Index;
using Kind = ForceCone::Kind;

constexpr double kRowRepeats = 1e-9;  // a row that adds less to the others repeats them
// Of what a thousand times the compliance misses: where there is a force it is a thousandth.
constexpr double kComesNearer = 0.3;
constexpr double kInside = 1e-12;  // of |f|: a force this far outside a cone is in it

// The normal component of the projection on a pyramid: the zero of the increasing
// x − f_n − μ Σ (|f_i| − μ x)⁺, at least 0.
double pyramid_normal(double mu, const double* f) {
  double x = f[0];
  for (const bool s : {false, true})
    for (const bool t : {false, true}) {
      // The largest candidate is the zero: a summand that should not count only lowers it.
      const double sum = f[0] + mu * ((s ? std::abs(f[1]) : 0.0) + (t ? std::abs(f[2]) : 0.0));
      x = std::max(x, sum / (1.0 + mu * mu * ((s ? 1.0 : 0.0) + (t ? 1.0 : 0.0))));
    }
  return std::max(x, 0.0);
}

void project(const ForceCone& cone, double* f) {
  switch (cone.kind) {
    case Kind::push:
    case Kind::grip:
      f[0] = std::max(f[0], 0.0);
      break;
    case Kind::cone:
      project_on_cone(cone.bound, f);
      break;
    case Kind::pyramid:
      f[0] = pyramid_normal(cone.bound, f);
      for (const int i : {1, 2}) f[i] = std::clamp(f[i], -cone.bound * f[0], cone.bound * f[0]);
      break;
    case Kind::interval:
      f[0] = std::clamp(f[0], -cone.bound, cone.bound);
      break;
  }
}

template <typename Rows>
void apply_pyramid(double mu, const double* z, Rows rows) {
  const double x = pyramid_normal(mu, z);
  if (x <= 0.0) {
    rows.setZero();
    return;
  }
  double weight = 1.0, sign[3] = {1.0, 0.0, 0.0};  // of the tangents at their bounds
  for (const int i : {1, 2})
    if (std::abs(z[i]) > mu * x) {
      sign[i] = z[i] > 0.0 ? 1.0 : -1.0;
      weight += mu * mu;
    }
  for (Index j = 0; j < rows.cols(); ++j) {
    const double dx = (rows(0, j) + mu * (sign[1] * rows(1, j) + sign[2] * rows(2, j))) / weight;
    rows(0, j) = dx;
    for (const int i : {1, 2})
      if (sign[i] != 0.0) rows(i, j) = mu * sign[i] * dx;
  }
}

// rows of Z ← D rows of Z, D the derivative of the projection at z.
template <typename Rows>
void apply_derivative(const ForceCone& cone, const double* z, Rows rows) {
  if (cone.kind == Kind::interval) {
    if (std::abs(z[0]) >= cone.bound) rows.setZero();
    return;
  }
  if (cone.kind == Kind::pyramid) return apply_pyramid(cone.bound, z, rows);
  if (cone.kind != Kind::cone) {
    if (z[0] <= 0.0) rows.row(0).setZero();
    return;
  }
  const double t = std::hypot(z[1], z[2]), mu = cone.bound;
  if (z[0] >= 0.0 && t <= mu * z[0]) return;
  if (mu * t <= -z[0]) {
    rows.setZero();
    return;
  }
  // P = s (1, μ t̂) with s = (n + μ|t|)/(1 + μ²).
  const double s = (z[0] + mu * t) / (1.0 + mu * mu), c1 = z[1] / t, c2 = z[2] / t;
  for (Index j = 0; j < rows.cols(); ++j) {
    const double along = c1 * rows(1, j) + c2 * rows(2, j);
    const double across = (c1 * rows(2, j) - c2 * rows(1, j)) * mu * s / t;
    const double ds = (rows(0, j) + mu * along) / (1.0 + mu * mu);
    rows(0, j) = ds;
    rows(1, j) = mu * ds * c1 - across * c2;
    rows(2, j) = mu * ds * c2 + across * c1;
  }
}

// Z (c×p, orthonormal columns) and b with Zᵀf = b for W f = a.
Index make_orthonormal(const ConeForceProblem& problem, ConeForceWorkspace& w) {
  const Index rows = problem.W.rows(), c = problem.W.cols();
  w.Z.resize(c, rows);
  w.asked.resize(rows);
  Index p = 0;
  for (Index i = 0; i < rows && p < c; ++i) {
    w.row = problem.W.row(i);
    double a = problem.a[i];
    const double length = w.row.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < p; ++k) {
        const double d = w.Z.col(k).dot(w.row);
        w.row -= d * w.Z.col(k);
        a -= d * w.asked[k];
      }
    const double rest = w.row.norm();
    if (rest <= kRowRepeats * length) continue;
    w.Z.col(p) = w.row / rest;
    w.asked[p++] = a / rest;
  }
  return p;
}

void project_all(const std::vector<ForceCone>& cones, const Eigen::VectorXd& z,
                 Eigen::VectorXd& f) {
  f = z;
  Index at = 0;
  for (const ForceCone& cone : cones) {
    project(cone, f.data() + at);
    at += cone.size();
  }
}

// One least-squares problem with penalty 1/δ: Newton from w.lambda.
class Penalty {
 public:
  Penalty(ConeForceWorkspace& workspace, Index p, double delta)
      : w_(workspace), p_(p), delta_(delta) {}

  // @return iterations
  int minimise() {
    double value = evaluate(w_.lambda);
    for (int iteration = 0; iteration < kMostSteps; ++iteration) {
      w_.g = delta_ * w_.lambda - w_.b;
      w_.g.noalias() += w_.Z.leftCols(p_).transpose() * w_.f;
      if (w_.g.norm() <= kConverged) return iteration;
      place_step();
      const double slope = w_.g.dot(w_.step);
      double length = 1.0;
      for (int halving = 0; halving < kHalvings; ++halving, length *= 0.5) {
        w_.next = w_.lambda + length * w_.step;
        const double now = evaluate(w_.next);
        if (now > value + 1e-4 * length * slope + 1e-15 * std::abs(value)) continue;
        value = now;
        break;
      }
      w_.lambda = w_.next;
    }
    return kMostSteps;
  }

 private:
  static constexpr int kMostSteps = 60, kHalvings = 30;
  static constexpr double kConverged = 1e-14;  // |b| = 1

  double evaluate(const Eigen::VectorXd& lambda) {
    w_.z.noalias() = w_.Z.leftCols(p_) * lambda;
    project_all(w_.cones, w_.z, w_.f);
    return w_.z.dot(w_.f) - 0.5 * w_.f.squaredNorm() - w_.b.dot(lambda) +
           0.5 * delta_ * lambda.squaredNorm();
  }

  // (Zᵀ D Z + δ) step = −g; w_.z belongs to w_.lambda.
  void place_step() {
    w_.DZ = w_.Z.leftCols(p_);
    Index at = 0;
    for (const ForceCone& cone : w_.cones) {
      apply_derivative(cone, w_.z.data() + at, w_.DZ.middleRows(at, cone.size()));
      at += cone.size();
    }
    auto H = w_.lu.matrix(p_);
    H.noalias() = w_.Z.leftCols(p_).transpose() * w_.DZ;
    H.diagonal().array() += delta_;
    w_.step = -w_.g;
    w_.lu.factor();
    w_.lu.solve(w_.step.data());
  }

  ConeForceWorkspace& w_;
  Index p_;
  double delta_;
};

// Z, b of length one, and f = z = Z b. @return |b|
double start(const ConeForceProblem& problem, ConeForceWorkspace& w, ConeForceSolution& solution) {
  const Index p = make_orthonormal(problem, w);
  w.b = w.asked.head(p);
  // Newton's method may be needed late in a run: it shall find its buffers.
  w.DZ.resize(w.Z.rows(), p);
  for (Eigen::VectorXd* buffer : {&w.next, &w.g, &w.step}) buffer->resize(p);
  w.lu.reserve(p);
  const double size = w.b.norm();
  w.cones = problem.cones;
  for (ForceCone& cone : w.cones)
    if (cone.kind == Kind::interval && size > 0.0) cone.bound /= size;
  if (size > 0.0) w.b /= size;
  w.lambda = w.b;
  w.z.noalias() = w.Z.leftCols(p) * w.lambda;
  w.f = w.z;
  solution.iterations = 0;
  solution.residual = 0.0;
  solution.given_up = false;
  return size;
}

// |Zᵀ f − b|.
double missed_by(ConeForceWorkspace& w, Index p) {
  w.g = -w.b;
  w.g.noalias() += w.Z.leftCols(p).transpose() * w.f;
  return w.g.norm();
}

}  // namespace

void solve_plain_force(const ConeForceProblem& problem, ConeForceWorkspace& w,
                       ConeForceSolution& solution) {
  const double size = start(problem, w, solution);
  solution.f = solution.pull = size * w.f;
  solution.plain = true;
}

void solve_cone_force(const ConeForceProblem& problem, ConeForceWorkspace& w,
                      ConeForceSolution& solution, NoForce otherwise) {
  const double size = start(problem, w, solution);
  const Index p = w.b.size();
  project_all(w.cones, w.z, w.f);
  solution.plain = (w.f - w.z).norm() <= kInside * w.z.norm();
  double missed = 1.0;  // by the compliance before
  for (double delta = 1e-3; !solution.plain && !solution.given_up && delta > 1e-13; delta *= 1e-3) {
    solution.iterations += Penalty(w, p, delta).minimise();
    const double now = missed_by(w, p);
    solution.given_up = otherwise == NoForce::nothing && now > kComesNearer * missed;
    missed = now;
  }
  if (size > 0.0) solution.residual = missed_by(w, p);
  solution.f = size * w.f;
  solution.pull = size * w.z;
}

}  // namespace pequod
