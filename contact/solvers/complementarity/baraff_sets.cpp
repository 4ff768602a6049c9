#include "contact/solvers/complementarity/baraff_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/complementarity/baraff.h"

namespace pequod {

namespace {

using Place = BaraffWorkspace::Place;

constexpr double kZero = 1e-12;          // of max |bᵢ|: a smaller a is zero
constexpr double kRegularBlock = 1e-11;  // a block of clamped rows below this is singular
constexpr double kNoise = 1e-13;         // of the largest change: a smaller one is rounding

/// The first limit of a step: the row moves to another place.
struct Limit {
  double length = std::numeric_limits<double>::infinity();
  int row = -1;
  Place next = Place::open;
};

struct Sets {
  const BaraffProblem& problem;
  DenseLu& lu;
  BaraffWorkspace& work;
  VectorXd& f;
  VectorXd& a;
  int pivots = 0;

  [[nodiscard]] int rows() const { return static_cast<int>(problem.b.size()); }
  [[nodiscard]] int normal(int i) const { return problem.normal[i]; }
  [[nodiscard]] Place& place(int i) const { return work.place[i]; }
  [[nodiscard]] bool is_zero(double x) const { return std::abs(x) <= kZero * work.scale; }
  [[nodiscard]] double sign_at_bound(int i) const {
    return place(i) == Place::upper ? 1.0 : place(i) == Place::lower ? -1.0 : 0.0;
  }

  void reset() {
    work.place.assign(rows(), Place::open);
    work.df.resize(rows());
    work.da.resize(rows());
    work.x.resize(rows());
    work.columns.resize(rows(), rows());
    work.clamped.reserve(rows());
    work.scale = rows() > 0 ? problem.b.cwiseAbs().maxCoeff() : 0.0;
    f.setZero(rows());
    a = problem.b;
  }

  /// The column of a force: friction at a bound moves with its normal force.
  void set_column(int i) {
    work.columns.col(i) = problem.A.col(i);
    if (normal(i) >= 0) return;
    for (int j = 0; j < rows(); ++j)
      if (normal(j) == i && sign_at_bound(j) != 0)
        work.columns.col(i) += sign_at_bound(j) * problem.mu[j] * problem.A.col(j);
  }

  void set_force_change(int i, double change) {
    work.df[i] = change;
    if (normal(i) >= 0) return;
    for (int j = 0; j < rows(); ++j)
      if (normal(j) == i) work.df[j] += sign_at_bound(j) * problem.mu[j] * change;
  }

  /// work.clamped and the factor of their block, but for one row. @return false if it has none
  bool factor_clamped(int but) {
    std::vector<int>& C = work.clamped;
    C.clear();
    for (int i = 0; i < rows(); ++i)
      if (place(i) == Place::clamped && i != but) C.push_back(i);
    for (const int i : C) set_column(i);
    const auto k = static_cast<Index>(C.size());
    Eigen::Map<MatrixXd> block = lu.matrix(k);
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < k; ++i) block(i, j) = work.columns(C[i], C[j]);
    return lu.factor() >= kRegularBlock;
  }

  /// df, da for a change of f_d by `sign` that keeps a = 0 of the clamped rows; false if those
  /// depend on each other.
  bool set_direction(int d, double sign) {
    if (!factor_clamped(d)) return false;
    set_column(d);
    const std::vector<int>& C = work.clamped;
    const auto k = static_cast<Index>(C.size());
    for (Index i = 0; i < k; ++i) work.x[i] = -sign * work.columns(C[i], d);
    lu.solve(work.x.data());
    work.df.setZero();
    set_force_change(d, sign);
    for (Index i = 0; i < k; ++i) set_force_change(C[i], work.x[i]);
    work.da = sign * work.columns.col(d);
    for (Index i = 0; i < k; ++i) work.da += work.x[i] * work.columns.col(C[i]);
    const double noise = kNoise * (sign * work.columns.col(d)).cwiseAbs().maxCoeff();
    for (double& x : work.da)
      if (std::abs(x) <= noise) x = 0;
    for (const int i : C) work.da[i] = 0;
    return true;
  }

  /// How far until value + s · change = 0, if it gets nearer; a value of the wrong sign has no way.
  static double way(double value, double change) {
    return change < 0 ? std::max(0.0, value) / -change : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] Limit longest_step(int d) const {
    Limit limit;
    const auto offer = [&](double length, int row, Place next) {
      if (length < limit.length) limit = {length, row, next};
    };
    // The goal first, so that it wins a tie.
    offer(a[d] < 0 ? way(-a[d], -work.da[d]) : way(a[d], work.da[d]), d, Place::clamped);
    for (int i = 0; i < rows(); ++i) {
      if (normal(i) < 0) {
        if (i != d && place(i) == Place::clamped) offer(way(f[i], work.df[i]), i, Place::open);
        if (i != d && place(i) == Place::open && a[i] >= -kZero * work.scale)
          offer(way(a[i], work.da[i]), i, Place::clamped);
        continue;
      }
      if (place(i) == Place::upper) offer(way(-a[i], -work.da[i]), i, Place::clamped);
      if (place(i) == Place::lower) offer(way(a[i], work.da[i]), i, Place::clamped);
      if (place(i) != Place::clamped && i != d) continue;
      const double bound = problem.mu[i] * f[normal(i)], rise = problem.mu[i] * work.df[normal(i)];
      offer(way(bound - f[i], rise - work.df[i]), i, Place::upper);
      offer(way(bound + f[i], rise + work.df[i]), i, Place::lower);
    }
    return limit;
  }

  void move(int row, Place next) {
    place(row) = next;
    ++pivots;
    if (normal(row) >= 0 || next != Place::open) return;
    f[row] = 0;
    for (int j = 0; j < rows(); ++j) {
      if (normal(j) != row) continue;
      place(j) = Place::open;
      f[j] = 0;
    }
  }

  /// Drives row d to a = 0, or a friction force to its bound.
  bool drive(int d, int limit) {
    const double sign = a[d] < 0 ? 1.0 : -1.0;
    while (pivots < limit) {
      if (!set_direction(d, sign)) return false;
      const Limit step = longest_step(d);
      if (step.row < 0) return false;
      f += step.length * work.df;
      a += step.length * work.da;
      if (step.next == Place::clamped) a[step.row] = 0;
      move(step.row, step.next);
      if (step.row == d) return true;
      // Without its normal force there is no friction to drive.
      if (normal(d) >= 0 && place(normal(d)) == Place::open) return true;
    }
    return false;
  }

  /// The next row to drive: friction that slips although it carries no force, then a normal row
  /// that approaches, the lowest first; −1 if all are where they belong.
  [[nodiscard]] int next() const {
    for (int i = 0; i < rows(); ++i) {
      if (normal(i) < 0 || place(i) != Place::open || is_zero(a[i])) continue;
      if (place(normal(i)) == Place::clamped && problem.mu[i] * f[normal(i)] > 0) return i;
    }
    for (int i = 0; i < rows(); ++i)
      if (normal(i) < 0 && place(i) == Place::open && a[i] < -kZero * work.scale) return i;
    return -1;
  }

  /// f anew from the sets, which removes the rounding that the steps gathered.
  void solve_on_sets() {
    if (!factor_clamped(-1)) return;
    const std::vector<int>& C = work.clamped;
    const auto k = static_cast<Index>(C.size());
    for (Index i = 0; i < k; ++i) work.x[i] = -problem.b[C[i]];
    lu.solve(work.x.data());
    work.df.setZero();
    for (Index i = 0; i < k; ++i) set_force_change(C[i], work.x[i]);
    f = work.df;
  }
};

}  // namespace

bool settle_baraff_sets(const BaraffProblem& problem, const LcpOptions& options, DenseLu& lu,
                        BaraffWorkspace& workspace, VectorXd& f, VectorXd& a, int& pivots) {
  Sets sets{problem, lu, workspace, f, a};
  lu.reserve(problem.b.size());
  sets.reset();
  const int limit = options.max_iterations > 0 ? options.max_iterations
                                               : static_cast<int>(50 + 10 * problem.b.size());
  bool settled = true;
  for (int d = sets.next(); d >= 0 && settled; d = sets.next()) settled = sets.drive(d, limit);
  if (settled) sets.solve_on_sets();
  pivots = sets.pivots;
  return settled;
}

}  // namespace pequod
