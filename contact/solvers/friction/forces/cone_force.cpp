#include "contact/solvers/friction/forces/cone_force.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/friction/friction_cone.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

using Kind = ForceCone::Kind;

constexpr double kRowRepeats = 1e-9;  // a row that adds less to the others repeats them
constexpr double kCompliances[] = {1e-3, 1e-6, 1e-9, 1e-12};
// Of what the compliance before misses: where there is a force it is at most a thousandth.
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

// Rows of the forces' components stand as columns here: p×3, or p×1.
void apply_pyramid(double mu, const double* z, MatrixXd& rows) {
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
  rows.col(0) = (rows.col(0) + mu * (sign[1] * rows.col(1) + sign[2] * rows.col(2))) / weight;
  for (const int i : {1, 2})
    if (sign[i] != 0.0) rows.col(i) = mu * sign[i] * rows.col(0);
}

// rows of Z ← D rows of Z, D the derivative of the projection at z.
void apply_derivative(const ForceCone& cone, const double* z, MatrixXd& rows) {
  if (cone.kind == Kind::interval) {
    if (std::abs(z[0]) >= cone.bound) rows.setZero();
    return;
  }
  if (cone.kind == Kind::pyramid) return apply_pyramid(cone.bound, z, rows);
  if (cone.kind != Kind::cone) {
    if (z[0] <= 0.0) rows.col(0).setZero();
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
  for (Index j = 0; j < rows.rows(); ++j) {
    const double along = c1 * rows(j, 1) + c2 * rows(j, 2);
    const double across = (c1 * rows(j, 2) - c2 * rows(j, 1)) * mu * s / t;
    const double ds = (rows(j, 0) + mu * along) / (1.0 + mu * mu);
    rows(j, 0) = ds;
    rows(j, 1) = mu * ds * c1 - across * c2;
    rows(j, 2) = mu * ds * c2 + across * c1;
  }
}

// Z (c×p, orthonormal columns) and b with Zᵀf = b for W f = a. @return p
Index make_orthonormal(const ConeForceProblem& problem, ConeForceWorkspace& w) {
  const Index rows = problem.W.rows(), c = problem.W.cols();
  w.Z.resize(c, rows);
  w.b.resize(rows);
  Index p = 0;
  for (Index i = 0; i < rows && p < c; ++i) {
    w.row = problem.W.row(i);
    double a = problem.a[i];
    const double length = w.row.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < p; ++k) {
        const double d = w.Z.col(k).dot(w.row);
        w.row -= d * w.Z.col(k);
        a -= d * w.b[k];
      }
    const double rest = w.row.norm();
    if (rest <= kRowRepeats * length) continue;
    w.Z.col(p) = w.row / rest;
    w.b[p++] = a / rest;
  }
  return p;
}

// Z, and the least-norm force with the effect that is asked for: Z b
void place_least(const ConeForceProblem& problem, ConeForceWorkspace& w, VectorXd& least) {
  const Index p = make_orthonormal(problem, w);
  w.Z.conservativeResize(Eigen::NoChange, p);
  least.noalias() = w.Z * w.b.head(p);
}

void project_all(const std::vector<ForceCone>& cones, const VectorXd& z, VectorXd& f) {
  f = z;
  Index at = 0;
  for (const ForceCone& cone : cones) {
    project(cone, f.data() + at);
    at += cone.size();
  }
}

bool is_inside(const VectorXd& projected, const VectorXd& f) {
  return (projected - f).norm() <= kInside * f.norm();
}

// One least-squares problem with penalty 1/δ: Newton from w.lambda.
class Penalty {
 public:
  Penalty(const OrthonormalRows& Z, ConeForceWorkspace& workspace, double delta)
      : Z_(Z), w_(workspace), delta_(delta) {}

  // @return iterations
  int minimise() {
    double value = evaluate(w_.lambda), before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMostSteps; ++iteration) {
      w_.g = delta_ * w_.lambda - w_.b;
      w_.g.noalias() += Z_.transpose() * w_.f;
      const double off = w_.g.norm();
      const bool stands = off <= kRounding * w_.z.norm() && off > 0.5 * before;
      if (off <= kConverged || stands) return iteration;
      before = off;
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
  static constexpr double kConverged = 1e-14;   // |b| = 1
  static constexpr double kRounding = 2.3e-16;  // of what is projected: no step need come nearer

  double evaluate(const VectorXd& lambda) {
    w_.z.noalias() = Z_ * lambda;
    project_all(w_.cones, w_.z, w_.f);
    return w_.z.dot(w_.f) - 0.5 * w_.f.squaredNorm() - w_.b.dot(lambda) +
           0.5 * delta_ * lambda.squaredNorm();
  }

  // (Zᵀ D Z + δ) step = −g; w_.z belongs to w_.lambda. Most forces are inside their cones, where D
  // is the identity, and ZᵀZ is: only the others change the matrix.
  void place_step() {
    w_.H.setIdentity(Z_.cols(), Z_.cols());
    w_.H.diagonal().array() += delta_;
    Index at = 0;
    for (const ForceCone& cone : w_.cones) {
      const double* z = w_.z.data() + at;
      if (!std::equal(z, z + cone.size(), w_.f.data() + at)) take_off(cone, z, at);
      at += cone.size();
    }
    w_.step = -w_.g;
    factorise(w_.H, w_.factor);
    solve_in_place(w_.factor, w_.step);
  }

  // H ← H − Zᵀ (1 − D) Z of the rows of a cone, its lower half.
  void take_off(const ForceCone& cone, const double* z, Index at) {
    w_.rows = Z_.middleRows(at, cone.size()).transpose();
    w_.D_rows = w_.rows;
    apply_derivative(cone, z, w_.D_rows);
    w_.D_rows = w_.rows - w_.D_rows;
    const Index p = w_.H.cols();
    for (Index j = 0; j < p; ++j)
      for (Index k = 0; k < w_.rows.cols(); ++k)
        w_.H.col(j).tail(p - j) -= w_.D_rows(j, k) * w_.rows.col(k).tail(p - j);
  }

  const OrthonormalRows& Z_;
  ConeForceWorkspace& w_;
  double delta_;
};

// What is asked for, of length one. @return its length before
double start(const OrthonormalRows& Z, const VectorXd& least, const std::vector<ForceCone>& cones,
             ConeForceWorkspace& w) {
  const Index p = Z.cols();
  // Newton's method may be needed late in a run: it shall find its buffers.
  w.rows.resize(p, 3);
  w.D_rows.resize(p, 3);
  w.H.resize(p, p);
  for (VectorXd* buffer : {&w.next, &w.g, &w.step}) buffer->resize(p);
  w.b.noalias() = Z.transpose() * least;
  const double size = w.b.norm();
  w.cones = cones;
  for (ForceCone& cone : w.cones)
    if (cone.kind == Kind::interval && size > 0.0) cone.bound /= size;
  if (size > 0.0) w.b /= size;
  w.lambda = w.b;
  return size;
}

// |Zᵀ f − b|.
double missed_by(const OrthonormalRows& Z, ConeForceWorkspace& w) {
  w.g = -w.b;
  w.g.noalias() += Z.transpose() * w.f;
  return w.g.norm();
}

}  // namespace

bool are_in_cones(const std::vector<ForceCone>& cones, const VectorXd& f, ConeForceWorkspace& w) {
  project_all(cones, f, w.f);
  return is_inside(w.f, f);
}

void solve_plain_force(const ConeForceProblem& problem, ConeForceWorkspace& w,
                       ConeForceSolution& solution) {
  place_least(problem, w, solution.f);
  solution.pull = solution.f;
  solution.residual = 0.0;
  solution.iterations = 0;
  solution.plain = true;
  solution.given_up = false;
}

void solve_cone_force(const ConeForceProblem& problem, ConeForceWorkspace& w,
                      ConeForceSolution& solution, NoForce otherwise) {
  place_least(problem, w, w.least);
  push_into_cones(w.Z, w.least, problem.cones, w, solution, otherwise);
}

void push_into_cones(const OrthonormalRows& Z, const VectorXd& least,
                     const std::vector<ForceCone>& cones, ConeForceWorkspace& w,
                     ConeForceSolution& solution, NoForce otherwise) {
  const double size = start(Z, least, cones, w);
  w.z.noalias() = Z * w.b;
  project_all(w.cones, w.z, w.f);
  solution.iterations = 0;
  solution.residual = 0.0;
  solution.given_up = false;
  solution.plain = is_inside(w.f, w.z);
  double missed = 1.0;  // by the compliance before
  for (const double delta : kCompliances) {
    if (solution.plain || solution.given_up) break;
    solution.iterations += Penalty(Z, w, delta).minimise();
    const double now = missed_by(Z, w);
    solution.given_up = otherwise == NoForce::nothing && now > kComesNearer * missed;
    missed = now;
  }
  if (size > 0.0) solution.residual = missed_by(Z, w);
  solution.f = size * w.f;
  solution.pull = size * w.z;
}

void find_cone_units(const Eigen::Ref<const MatrixXd>& C, std::span<const ForceCone> cones,
                     const VectorXd& f, VectorXd& loads, std::vector<double>& units) {
  // Of the largest entry of a contact: a smaller one is rounding. Those of two bodies differ by the
  // root of their mass ratio.
  constexpr double kNoShare = 1e-12;
  loads.setZero(C.rows());
  Index at = 0;
  for (const ForceCone& cone : cones) {
    loads += f.segment(at, cone.size()).norm() * C.middleCols(at, cone.size()).rowwise().norm();
    at += cone.size();
  }
  units.clear();
  at = 0;
  for (const ForceCone& cone : cones) {
    const auto columns = C.middleCols(at, cone.size());
    const double largest = columns.rowwise().norm().maxCoeff();
    double unit = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < C.rows(); ++k)
      if (const double share = columns.row(k).norm(); share > kNoShare * largest)
        unit = std::min(unit, loads[k] / share);
    units.push_back(std::isfinite(unit) ? unit : 0.0);
    at += cone.size();
  }
}

void put_into_units(const std::vector<ForceCone>& cones, const VectorXd& unit,
                    std::vector<ForceCone>& out) {
  out = cones;
  if (unit.size() == 0) return;
  Index column = 0;
  for (ForceCone& cone : out) {
    if (cone.kind == ForceCone::Kind::interval) cone.bound /= unit[column];
    column += cone.size();
  }
}

}  // namespace pequod
