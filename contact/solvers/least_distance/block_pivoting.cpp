#include "contact/solvers/least_distance/block_pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pequod {
namespace {

class BlockPivoting {
 public:
  BlockPivoting(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                BlockPivotingWorkspace& workspace)
      : problem_(problem), options_(options), w_(workspace), n_(problem.inequalities()) {}

  // Unit columns and their right sides. @return whether all have a direction
  bool prepare() {
    const Index m = problem_.y0.size();
    w_.columns.reset(m);
    w_.c.resize(n_);
    w_.inverse_norm.resize(n_);
    double largest = 0.0;
    for (Index i = 0; i < n_; ++i) {
      w_.columns.append(problem_.G.data() + i * m);
      const double norm = w_.columns.norm(static_cast<int>(i));
      if (!(norm > 0.0)) return false;
      w_.inverse_norm[i] = 1.0 / norm;
      w_.c[i] = problem_.c[i] / norm;
      largest = std::max(largest, std::abs(w_.c[i]));
      for (int e = w_.columns.starts()[i]; e < w_.columns.starts()[i + 1]; ++e)
        w_.columns.values()[e] /= norm;
    }
    scale_ = problem_.y0.norm() + largest;
    if (!std::isfinite(scale_)) return false;
    w_.factor.set(w_.columns);
    return true;
  }

  // @return whether a set was found that is right
  bool run(std::span<const int> warm_start) {
    constexpr int kMostSets = 100;
    constexpr int kPatience = 4;  // sets that change all at once without lowering the least count
    w_.active.assign(n_, 0);
    for (const int row : warm_start) w_.active[row] = 1;
    Index least = std::numeric_limits<Index>::max();
    int patience = kPatience;
    for (int set = 0; set < kMostSets; ++set) {
      if (!solve_on_set()) return false;
      const Index wrong = find_wrong();
      if (wrong == 0) return true;
      if (wrong < least) {
        least = wrong;
        patience = kPatience;
      } else {
        --patience;
      }
      change(patience > 0);
    }
    return false;
  }

  void write(LeastDistanceSolution& solution) const {
    solution.reason.clear();
    solution.status = SolveStatus::solved;
    solution.pivots = changes_;
    solution.switches = 0;
    solution.y = w_.y;
    solution.f.setZero(problem_.G.cols());
    solution.fe.setZero(problem_.E.cols());
    solution.accepted.clear();
    solution.active.clear();
    for (Index i = 0; i < n_; ++i) {
      if (!w_.active[i]) continue;
      solution.active.push_back(static_cast<int>(i));
      solution.f[i] = w_.inverse_norm[i] * std::max(0.0, w_.u[i]);
    }
  }

 private:
  // y, u of the active rows as equalities. Rows that depend on others leave: what they ask is met,
  // or the set is not one that single steps would come to.
  bool solve_on_set() {
    const bool independent = w_.factor.factorise(w_.active);
    w_.y = problem_.y0;
    w_.factor.solve(w_.columns, w_.c, w_.y, w_.u);
    if (independent) return true;
    for (Index i = 0; i < n_; ++i) {
      if (!w_.factor.dependent()[i]) continue;
      w_.active[i] = 0;
      if (violated(i)) return false;
    }
    return true;
  }

  [[nodiscard]] bool violated(Index i) const {
    return w_.columns.dot(static_cast<int>(i), w_.y.data()) - w_.c[i] < -options_.violated * scale_;
  }

  // next: rows on the wrong side. @return how many
  Index find_wrong() {
    w_.next.assign(n_, 0);
    Index count = 0;
    for (Index i = 0; i < n_; ++i) {
      const bool wrong = w_.active[i] ? w_.u[i] < -options_.negative * scale_ : violated(i);
      w_.next[i] = wrong ? 1 : 0;
      count += wrong ? 1 : 0;
    }
    return count;
  }

  // All wrong rows change sides, or the last alone (Murty 1974): that ends if nothing else does.
  void change(bool all) {
    for (Index i = n_; i-- > 0;) {
      if (!w_.next[i]) continue;
      w_.active[i] = w_.active[i] ? 0 : 1;
      ++changes_;
      if (!all) return;
    }
  }

  const LeastDistanceProblem& problem_;
  const LeastDistanceOptions& options_;
  BlockPivotingWorkspace& w_;
  Index n_;
  double scale_ = 0.0;
  int changes_ = 0;
};

}  // namespace

bool solve_by_blocks(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                     std::span<const int> warm_start, BlockPivotingWorkspace& workspace,
                     LeastDistanceSolution& solution) {
  const Index n = problem.inequalities();
  if (problem.equalities() > 0 || n < kManyRows || problem.y0.size() < kManyRows) return false;
  if (std::ranges::any_of(warm_start, [&](int row) { return row < 0 || row >= n; })) return false;
  check_sizes(problem);
  BlockPivoting method(problem, options, workspace);
  if (!method.prepare() || !method.run(warm_start)) return false;
  method.write(solution);
  check_residuals(problem, options, solution);
  return solution.status == SolveStatus::solved;
}

}  // namespace pequod
