#include "contact/solvers/complementarity/dantzig.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/complementarity/lcp_least_distance.h"
#include "contact/solvers/complementarity/lcp_steps.h"
#include "contact/solvers/linear/decompositions.h"
#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

namespace {

constexpr double kViolated = 1e-13;   // of scale · √Mᵢᵢ: below −this w is violated
constexpr double kDependent = 1e-11;  // of M_dd: a smaller remainder is rounding
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

enum class Drive { reached, stuck, unbounded };

/// A step along x and the row that ends it.
struct Step {
  double length = kUnbounded;
  int row = -1;
  Index position = -1;  ///< of the row in C, or −1
};

struct Dantzig {
  const LcpProblem& problem;
  DantzigWorkspace& work;
  VectorXd& z;
  VectorXd& w;
  int pivots = 0;
  int limit = 0;
  int driven = -1;  ///< the row of the last drive

  [[nodiscard]] Index n() const { return problem.q.size(); }
  [[nodiscard]] bool clamped(Index i) const { return work.clamped[i] != 0; }

  void reset() {
    work.factor.reset(n());
    work.root = problem.M.diagonal().cwiseMax(0.0).cwiseSqrt();
    work.inverse = (work.root.array() > 0.0).select(work.root.cwiseInverse(), 1.0);
    work.clamped.assign(n(), 0);
    work.x.resize(n());
    work.scale = 0;
    for (Index i = 0; i < n(); ++i)
      if (work.root[i] > 0)
        work.scale = std::max(work.scale, std::abs(problem.q[i]) / work.root[i]);
  }

  /// Clamps row d if it does not depend on C.
  bool clamp(int d) {
    if (!(work.factor.split(problem.M, d) > kDependent * problem.M(d, d))) return false;
    work.factor.append(d);
    work.clamped[d] = 1;
    ++pivots;
    return true;
  }

  void release(Index position) {
    const int row = work.factor.rows()[position];
    work.factor.remove(position);
    work.clamped[row] = 0;
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
      for (Index i = 0; i < k; ++i) work.x[i] = -w[C[i]];
      work.factor.solve(work.x.data());
      for (Index i = 0; i < k; ++i) z[C[i]] += work.x[i];
      place_w();
    }
  }

  /// y += M_:C v_C, v in the order of C, four columns at a time, so that y is read and written a
  /// quarter as often.
  void add_columns(const VectorXd& v, VectorXd& y) const {
    const std::span<const int> C = work.factor.rows();
    const auto k = static_cast<Index>(C.size());
    Index i = 0;
    for (; i + 3 < k; i += 4) {
      const double *a = column(C[i]), *b = column(C[i + 1]), *c = column(C[i + 2]),
                   *e = column(C[i + 3]);
      const double xa = v[i], xb = v[i + 1], xc = v[i + 2], xe = v[i + 3];
      double* out = y.data();
      for (Index row = 0; row < n(); ++row)
        out[row] += (xa * a[row] + xb * b[row]) + (xc * c[row] + xe * e[row]);
    }
    for (; i < k; ++i) add_scaled(v[i], column(C[i]), y.data(), n());
  }

  /// w ← M z + q, z being zero outside C; leaves z_C in work.x.
  void place_w() {
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i) work.x[i] = z[C[i]];
    w = problem.q;
    add_columns(work.x, w);
  }

  /// Rows with a negative z leave, until none has one.
  /// @return  rows that left
  int release_negative() {
    int released = 0;
    for (bool again = true; again;) {
      again = false;
      solve_on_set();
      for (Index j = work.factor.size() - 1; j >= 0; --j) {
        const int row = work.factor.rows()[j];
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
      const double scaled = w[i] * work.inverse[i];
      if (scaled < least) {
        least = scaled;
        worst = static_cast<int>(i);
      }
    }
    return worst;
  }

  [[nodiscard]] const double* column(int j) const { return problem.M.data() + j * n(); }

  /// Where the first z of C vanishes; ties go to the lowest row.
  [[nodiscard]] Step first_to_vanish() const {
    Step step;
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i) {
      const double change = work.x[i];
      if (!(change < 0)) continue;
      const double length = std::max(0.0, z[C[i]]) / -change;
      if (length < step.length || (length == step.length && C[i] < step.row))
        step = {length, C[i], static_cast<Index>(i)};
    }
    return step;
  }

  void move_forces(double length, int d) {
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i) z[C[i]] += length * work.x[i];
    z[d] += length;
  }

  /// Drives w_d to zero (drive-to-zero in the paper) past rows outside C, which may become
  /// violated: zᵀMz/2 + qᵀz falls with every drive, as in the dual method of Goldfarb & Idnani
  /// (1983), so none comes twice.
  Drive drive(int d) {
    driven = d;
    Drive outcome = Drive::stuck;
    while (pivots < limit && outcome == Drive::stuck) {
      const double remainder = work.factor.split(problem.M, d);
      const bool dependent = !(remainder > kDependent * problem.M(d, d));
      work.factor.follow(work.x.data());
      Step step = first_to_vanish();
      if (!dependent && -w[d] / remainder <= step.length) step = {-w[d] / remainder, d, -1};
      if (step.row < 0) return Drive::unbounded;
      move_forces(step.length, d);
      if (!dependent) w[d] += step.length * remainder;
      if (step.row == d) {
        work.factor.append(d);
        work.clamped[d] = 1;
        ++pivots;
        outcome = Drive::reached;
      } else {
        release(step.position);
      }
    }
    return outcome;
  }

  /// Drives one row after another until none is violated.
  Drive walk() {
    for (int d = most_violated(); d >= 0; d = most_violated()) {
      const Drive outcome = drive(d);
      if (outcome != Drive::reached) return outcome;
      place_w();
      for (const int i : work.factor.rows()) w[i] = 0;
    }
    return Drive::reached;
  }

  /// The direction of the last drive, which had no limit.
  void write_ray(VectorXd& p) const {
    p.setZero(n());
    const std::span<const int> C = work.factor.rows();
    for (std::size_t i = 0; i < C.size(); ++i) p[C[i]] = std::max(0.0, work.x[i]);
    p[driven] = 1.0;
  }

  void begin_from(const VectorXd& start) {
    for (int i = 0; i < start.size(); ++i)
      if (start[i] > 0) clamp(i);
  }

  /// Without a warm start, a guess of the last set: all rows of a wrong sign change sides at once
  /// (Júdice & Pires 1994) while that leaves a quarter fewer of them. Dantzig's steps alone take
  /// several times as many pivots as C has rows. A guess that does not settle leads astray, as
  /// where rows depend on each other, and is dropped.
  void begin_in_blocks() {
    constexpr Index kWorthIt = 32;  // below that it costs more than it saves
    Index fewest = n() + 1, wrong = n() > kWorthIt ? fewest : 0;
    w = problem.q;
    for (bool settles = true; wrong > 0 && settles;) {
      wrong = 0;
      if (!exchange_wrong_rows(wrong)) break;
      solve_on_set();
      settles = fewest > n() || 4 * wrong <= 3 * fewest;
      fewest = wrong;
    }
    if (wrong == 0) return;
    work.factor.reset(n());
    std::fill(work.clamped.begin(), work.clamped.end(), 0);
  }

  /// @param wrong  how many rows had the wrong sign
  /// @return       false if one could not be clamped, because it depends on the others
  bool exchange_wrong_rows(Index& wrong) {
    for (Index j = work.factor.size() - 1; j >= 0; --j) {
      const int row = work.factor.rows()[j];
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
    constexpr int kMostRounds = 10;
    release_negative();
    for (int round = 0; round < kMostRounds; ++round) {
      const Drive outcome = walk();
      if (outcome != Drive::reached) return outcome;
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
                          const VectorXd& warm_start, LcpWorkspace& workspace,
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
  if (solution.status == SolveStatus::solved && !dantzig.exact()) {
    solution.status = SolveStatus::failed;
    solution.reason = "rounding: rows depend on each other up to the accuracy of M";
  }
  if (outcome != Drive::unbounded || solution.status == SolveStatus::solved) return;
  dantzig.write_ray(workspace.kept);
  accept_certificate(problem, workspace.kept, solution);
}

}  // namespace pequod
