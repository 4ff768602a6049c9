#include "contact/solvers/dantzig.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/lcp_least_distance.h"
#include "contact/solvers/lcp_steps.h"
#include "contact/solvers/small_vector_operations.h"

namespace pequod {

namespace {

using Eigen::Index;

constexpr double kViolated = 1e-13;   // of scale · √Mᵢᵢ: below −this w is violated
constexpr double kDependent = 1e-11;  // of M_dd: a smaller remainder is rounding
constexpr double kNoise = 1e-14;      // of the terms of Δw: a smaller Δw is rounding
constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Drive { reached, stuck, unbounded };

/// A step along (x, Δw) and the row that ends it.
struct Step {
  double length = kInfinity;
  int row = -1;
  Index position = -1;  ///< of the row in C, or −1
};

struct Dantzig {
  const LcpProblem& problem;
  DantzigWorkspace& work;
  Eigen::VectorXd& z;
  Eigen::VectorXd& w;
  int pivots = 0;
  int limit = 0;
  int driven = -1;  ///< the row of the last drive

  [[nodiscard]] Index n() const { return problem.q.size(); }
  [[nodiscard]] bool clamped(Index i) const {
    return work.clamped[static_cast<std::size_t>(i)] != 0;
  }

  void reset() {
    work.factor.reset(n());
    work.root = problem.M.diagonal().cwiseMax(0.0).cwiseSqrt();
    work.clamped.assign(static_cast<std::size_t>(n()), 0);
    work.barred.assign(static_cast<std::size_t>(n()), 0);
    work.x.resize(n());
    work.dw.resize(n());
    work.scale = 0;
    for (Index i = 0; i < n(); ++i)
      if (work.root[i] > 0)
        work.scale = std::max(work.scale, std::abs(problem.q[i]) / work.root[i]);
  }

  /// Clamps row d if it does not depend on C.
  bool clamp(int d) {
    if (!(work.factor.split(problem.M, d) > kDependent * problem.M(d, d))) return false;
    work.factor.append(d);
    work.clamped[static_cast<std::size_t>(d)] = 1;
    ++pivots;
    return true;
  }

  void release(Index position) {
    const int row = work.factor.rows()[static_cast<std::size_t>(position)];
    work.factor.remove(position);
    work.clamped[static_cast<std::size_t>(row)] = 0;
    z[row] = 0;
    ++pivots;
  }

  /// z_C = −M_CC⁻¹q_C with one step of refinement, then w of all rows.
  void solve_on_set() {
    const std::span<const int> C = work.factor.rows();
    const auto k = static_cast<Index>(C.size());
    z.setZero();
    w = problem.q;
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < k; ++i) work.x[i] = -w[C[static_cast<std::size_t>(i)]];
      work.factor.solve(work.x.data());
      for (Index i = 0; i < k; ++i) z[C[static_cast<std::size_t>(i)]] += work.x[i];
      w = problem.q;
      add_columns(z, w);
    }
  }

  /// y += M_:C v_C
  void add_columns(const Eigen::VectorXd& v, Eigen::VectorXd& y) {
    for (const int j : work.factor.rows()) add_scaled(v[j], problem.M.col(j).data(), y.data(), n());
  }

  /// Rows with a negative z leave, until none has one.
  /// @return  rows that left
  int release_negative() {
    int released = 0;
    for (bool again = true; again;) {
      again = false;
      solve_on_set();
      for (Index j = work.factor.size() - 1; j >= 0; --j) {
        const int row = work.factor.rows()[static_cast<std::size_t>(j)];
        if (z[row] * work.root[row] >= -kViolated * work.scale) continue;
        release(j);
        ++released;
        again = true;
      }
    }
    return released;
  }

  /// The row of least w/√M below the tolerance, the lowest number among equals; −1 if none.
  [[nodiscard]] int most_violated() const {
    int worst = -1;
    double least = -kViolated * work.scale;
    for (Index i = 0; i < n(); ++i) {
      if (clamped(i)) continue;
      const double size = work.root[i] > 0 ? work.root[i] : 1.0;
      if (w[i] / size < least) {
        least = w[i] / size;
        worst = static_cast<int>(i);
      }
    }
    return worst;
  }

  /// The direction for a unit change of z_d (fdirection in the paper): x, Δw, and Δw_d exactly.
  /// @return  a bound of the terms of Δwᵢ/√Mᵢᵢ
  double set_direction(int d, double remainder) {
    const std::span<const int> C = work.factor.rows();
    work.factor.follow(work.x.data());
    work.dw = problem.M.col(d);
    double terms = work.root[d];
    Index i = 0;
    const auto k = static_cast<Index>(C.size());
    // Four columns at a time, so that Δw is read and written a quarter as often.
    for (; i + 3 < k; i += 4) {
      const double *a = column(C[i]), *b = column(C[i + 1]), *c = column(C[i + 2]),
                   *e = column(C[i + 3]);
      const double xa = work.x[i], xb = work.x[i + 1], xc = work.x[i + 2], xe = work.x[i + 3];
      double* y = work.dw.data();
      for (Index row = 0; row < n(); ++row)
        y[row] += (xa * a[row] + xb * b[row]) + (xc * c[row] + xe * e[row]);
    }
    for (; i < k; ++i) add_scaled(work.x[i], column(C[i]), work.dw.data(), n());
    for (i = 0; i < k; ++i) terms += std::abs(work.x[i]) * work.root[C[i]];
    work.dw[d] = remainder;
    return terms;
  }

  [[nodiscard]] const double* column(int j) const { return problem.M.data() + j * n(); }

  /// The first limit on the way (maxstep in the paper); ties go to the lowest row.
  [[nodiscard]] Step longest_step(int d, bool dependent, double terms) const {
    Step step;
    const auto offer = [&](double length, int row, Index position) {
      if (length > step.length || (length == step.length && row > step.row)) return;
      step = {length, row, position};
    };
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i)
      if (work.x[static_cast<Index>(i)] < 0)
        offer(std::max(0.0, z[C[i]]) / -work.x[static_cast<Index>(i)], C[i], static_cast<Index>(i));
    for (int i = 0; i < n(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (i == d || clamped(i) || work.barred[at] != 0) continue;
      if (work.dw[i] >= -kNoise * work.root[i] * terms) continue;
      // Rows that are violated themselves have their turn later.
      if (w[i] < -kViolated * work.scale * work.root[i]) continue;
      offer(std::max(0.0, w[i]) / -work.dw[i], i, -1);
    }
    // Reaching the goal wins a tie: that ends the drive.
    if (!dependent && -w[d] / work.dw[d] <= step.length) step = {-w[d] / work.dw[d], d, -1};
    return step;
  }

  void take(const Step& step, int d) {
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i)
      z[C[i]] += step.length * work.x[static_cast<Index>(i)];
    z[d] += step.length;
    add_scaled(step.length, work.dw.data(), w.data(), n());
    for (const int i : C) w[i] = 0;
  }

  /// Drives w_d to zero (drive-to-zero in the paper).
  Drive drive(int d) {
    driven = d;
    std::fill(work.barred.begin(), work.barred.end(), 0);
    while (pivots < limit) {
      const double remainder = work.factor.split(problem.M, d);
      const bool dependent = !(remainder > kDependent * problem.M(d, d));
      const double terms = set_direction(d, dependent ? 0.0 : remainder);
      const Step step = longest_step(d, dependent, terms);
      if (step.row < 0) return Drive::unbounded;
      take(step, d);
      if (step.row == d) {
        w[d] = 0;
        // The directions have not changed the factor, so its last split is still that of d.
        work.factor.append(d);
        work.clamped[static_cast<std::size_t>(d)] = 1;
        ++pivots;
        return Drive::reached;
      }
      if (step.position >= 0)
        release(step.position);
      else if (!clamp(step.row))
        work.barred[static_cast<std::size_t>(step.row)] = 1;
    }
    return Drive::stuck;
  }

  /// The direction of the last drive, which had no limit.
  void write_ray(Eigen::VectorXd& p) const {
    p.setZero(n());
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i)
      p[C[i]] = std::max(0.0, work.x[static_cast<Index>(i)]);
    p[driven] = 1.0;
  }

  void begin_from(const Eigen::VectorXd& start) {
    for (int i = 0; i < start.size(); ++i)
      if (start[i] > 0) clamp(i);
  }

  /// Without a warm start, a guess of the last set: all rows of a wrong sign change sides at once
  /// (Júdice & Pires 1994) while that leaves fewer of them. Dantzig's steps alone take several
  /// times as many pivots as C has rows. A guess that does not settle leads astray, as where rows
  /// depend on each other, and is dropped.
  void begin_in_blocks() {
    constexpr Index kWorthIt = 32;  // below that it costs more than it saves
    Index fewest = n() + 1, wrong = n() > kWorthIt ? fewest : 0;
    w = problem.q;
    for (int idle = 0; wrong > 0 && idle < 2;) {
      wrong = 0;
      if (!exchange_wrong_rows(wrong)) break;
      solve_on_set();
      idle = wrong < fewest ? 0 : idle + 1;
      fewest = std::min(fewest, wrong);
    }
    if (wrong == 0) return;
    work.factor.reset(n());
    std::fill(work.clamped.begin(), work.clamped.end(), 0);
  }

  /// @param wrong  how many rows had the wrong sign
  /// @return       false if one could not be clamped, because it depends on the others
  bool exchange_wrong_rows(Index& wrong) {
    for (Index j = work.factor.size() - 1; j >= 0; --j) {
      const int row = work.factor.rows()[static_cast<std::size_t>(j)];
      if (z[row] * work.root[row] >= -kViolated * work.scale) continue;
      release(j);
      ++wrong;
      w[row] = 0;
    }
    for (int i = 0; i < n(); ++i) {
      if (clamped(i)) continue;
      if (w[i] >= -kViolated * work.scale * work.root[i]) continue;
      ++wrong;
      if (!clamp(i)) return false;
    }
    return true;
  }

  /// Drives rows until none is violated. The iterates gather rounding, so the last set is solved
  /// anew, and what that shows is mended.
  Drive run() {
    release_negative();
    for (int round = 0; round < 10; ++round) {
      int drives = 0;
      for (int d = most_violated(); d >= 0; d = most_violated(), ++drives) {
        const Drive drive_d = drive(d);
        if (drive_d != Drive::reached) return drive_d;
      }
      if (drives == 0 && round > 0) break;
      if (release_negative() == 0 && most_violated() < 0) break;
    }
    z = z.cwiseMax(0.0);
    return Drive::reached;
  }

  /// False if rounding has left more than 10⁻¹⁰ of the scale in the rows, in their own units, or
  /// could have: a z of 10⁶ times the scale comes from rows that depend on each other.
  [[nodiscard]] bool exact() const {
    constexpr double kExact = 1e-10, kHuge = 1e6;
    for (Index i = 0; i < n(); ++i) {
      if (z[i] * work.root[i] > kHuge * work.scale) return false;
      const double off = clamped(i) ? std::abs(w[i]) : std::max(0.0, -w[i]);
      if (off > kExact * work.scale * work.root[i]) return false;
    }
    return true;
  }
};

}  // namespace

void solve_lcp_by_dantzig(const LcpProblem& problem, const LcpOptions& options,
                          const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                          LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "dantzig")) return;
  if (!may_be_semidefinite(problem.M)) {
    measure(problem, solution);
    solution.reason = "M is not symmetric positive semidefinite";
    return;
  }
  Dantzig dantzig{problem, workspace.dantzig, solution.z, solution.w};
  dantzig.limit = options.max_iterations > 0 ? options.max_iterations
                                             : static_cast<int>(100 + 20 * problem.q.size());
  dantzig.reset();
  if (workspace.start.size() > 0)
    dantzig.begin_from(workspace.start);
  else
    dantzig.begin_in_blocks();
  const Drive outcome = dantzig.run();
  solution.pivots = dantzig.pivots;
  if (outcome == Drive::stuck) solution.reason = "the limit of pivots is reached";
  if (outcome == Drive::unbounded)
    solution.reason = "z runs off along a ray that proves nothing: M is not positive semidefinite";
  finish_lcp(problem, options, solution);
  if (solution.status == LcpStatus::solved && !dantzig.exact()) {
    solution.status = LcpStatus::failed;
    solution.reason = "rounding: rows depend on each other up to the accuracy of M";
  }
  if (outcome != Drive::unbounded || solution.status == LcpStatus::solved) return;
  dantzig.write_ray(workspace.kept);
  accept_certificate(problem, workspace.kept, solution);
}

}  // namespace pequod
