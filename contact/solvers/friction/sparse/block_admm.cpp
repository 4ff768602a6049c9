#include "contact/solvers/friction/sparse/block_admm.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace pequod {

namespace {

constexpr int kLook = 20;              // steps between looks at the residuals
constexpr double kRatio = 5;           // of the residuals, from which on the penalty changes
constexpr double kFirstPenalty = 0.1;  // factorisations are dear: begin where packings end
constexpr double kRelaxation = 1.6;

// Squared norms of W, and of what is missing to its symmetry.
std::pair<double, double> squared_norms(const BlockFriction& problem) {
  double all = 0, difference = 0;
  for (int i = 0; i < problem.n; ++i)
    for (int b = problem.row_start[i]; b < problem.row_start[i + 1]; ++b) {
      const int j = problem.columns[b];
      const auto begin = problem.columns.begin() + problem.row_start[j];
      const auto end = problem.columns.begin() + problem.row_start[j + 1];
      const auto other = std::lower_bound(begin, end, i);
      const bool found = other != end && *other == i;
      const auto place = 9 * (other - problem.columns.begin());
      for (int k = 0; k < 9; ++k) {
        const double here = problem.blocks[9 * static_cast<std::size_t>(b) + k];
        const double there = found ? problem.blocks[place + 3 * (k % 3) + k / 3] : 0.0;
        all += here * here;
        difference += (here - there) * (here - there);
      }
    }
  return {all, difference};
}

double shift(const BlockFriction& problem, int i, const Eigen::VectorXd& u) {
  if (problem.associated || problem.mu[i] >= kNoSlipFriction) return 0;
  return problem.mu[i] * std::sqrt(u[3 * i + 1] * u[3 * i + 1] + u[3 * i + 2] * u[3 * i + 2]);
}

}  // namespace

// Which rows have a block in each column.
void ShiftedFactor::find_mirrored(const BlockFriction& problem) {
  mirror_start_.assign(problem.n + 1, 0);
  mirrored_.resize(problem.columns.size());
  for (const int j : problem.columns) ++mirror_start_[j + 1];
  for (int j = 0; j < problem.n; ++j) mirror_start_[j + 1] += mirror_start_[j];
  pattern_.assign(mirror_start_.begin(), mirror_start_.end() - 1);
  for (int i = 0; i < problem.n; ++i)
    for (int b = problem.row_start[i]; b < problem.row_start[i + 1]; ++b)
      mirrored_[pattern_[problem.columns[b]]++] = i;
}

// The factor asks for a symmetric structure: blocks that lack theirs across the diagonal get zeros.
void ShiftedFactor::set(const BlockFriction& problem) {
  starts_.assign(1, 0);
  columns_.clear();
  values_.clear();
  find_mirrored(problem);
  for (int i = 0; i < problem.n; ++i) {
    const auto columns = problem.columns.begin();
    pattern_.clear();
    std::set_union(columns + problem.row_start[i], columns + problem.row_start[i + 1],
                   mirrored_.begin() + mirror_start_[i], mirrored_.begin() + mirror_start_[i + 1],
                   std::back_inserter(pattern_));
    for (int k = 0; k < 3; ++k) {
      int b = problem.row_start[i];
      for (const int j : pattern_) {
        const bool there = b < problem.row_start[i + 1] && problem.columns[b] == j;
        for (int l = 0; l < 3; ++l) {
          columns_.push_back(3 * j + l);
          values_.push_back(there ? problem.blocks[9 * static_cast<std::size_t>(b) + 3 * k + l]
                                  : 0.0);
        }
        b += there;
      }
      starts_.push_back(static_cast<int>(columns_.size()));
    }
  }
  const auto [all, difference] = squared_norms(problem);
  symmetric_ = difference <= 1e-26 * all;
  factor_.analyse(starts_, columns_);
}

BlockAdmmResult solve_admm(const BlockFriction& problem, const BlockAdmmSettings& settings,
                           BlockAdmmBuffers& b, Eigen::VectorXd& rho) {
  BlockAdmmResult result;
  const double norm = std::sqrt(squared_norms(problem).first);
  const double eta = 1e-6 * norm / std::sqrt(std::max(1, 3 * problem.n));
  double penalty = kFirstPenalty;
  b.factor.set(problem);
  if (!b.factor.factorise(penalty + eta)) return result;
  b.x = b.y = b.best = rho;
  double least = natural_residual(problem, rho, b.u);
  b.z = b.u;
  for (int i = 0; i < problem.n; ++i) b.z[3 * i] += shift(problem, i, b.u);
  while (least > settings.tolerance && result.iterations < settings.iterations) {
    b.right = b.z + penalty * b.y + eta * b.x - problem.q;
    for (int i = 0; i < problem.n; ++i) b.right[3 * i] -= shift(problem, i, b.z);
    b.factor.solve(b.right, b.x);
    b.before = b.y;
    b.relaxed = kRelaxation * b.x + (1 - kRelaxation) * b.y;
    b.y = b.relaxed - b.z / penalty;
    for (int i = 0; i < problem.n; ++i) project(problem, i, b.y.data() + 3 * i);
    b.z -= penalty * (b.relaxed - b.y);
    if (++result.iterations % kLook != 0) continue;
    const double residual = natural_residual(problem, b.y, b.u);
    if (residual < least) {
      least = residual;
      b.best = b.y;
    }
    const double primal = (b.x - b.y).norm(), dual = penalty * (b.y - b.before).norm();
    if (primal <= kRatio * dual && dual <= kRatio * primal) continue;
    penalty *= primal > dual ? 2 : 0.5;
    if (!b.factor.factorise(penalty + eta)) break;
  }
  rho = b.best;
  result.converged = least <= settings.tolerance;
  return result;
}

}  // namespace pequod
