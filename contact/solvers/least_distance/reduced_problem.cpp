#include "contact/solvers/least_distance/reduced_problem.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

SolveStatus ReducedProblem::prepare(const LeastDistanceProblem& problem,
                                    const LeastDistanceOptions& options,
                                    LeastDistanceSolution& solution) {
  check_sizes(problem);
  problem_ = &problem;
  m_ = stride_ = problem.y0.size();
  n_ = problem.inequalities();
  y0_ = problem.y0.data();
  G_ = problem.G.data();
  grow(work_, m_);
  equalities_.reset(m_);
  solution.y.setConstant(m_, NAN);
  solution.f.setZero(problem.G.cols());
  solution.fe.setZero(problem.E.cols());
  solution.accepted.clear();

  scale_rows();
  if (!std::isfinite(scale_)) {
    solution.reason = "the data are not finite, or too large to square";
    return SolveStatus::failed;
  }
  if (problem.equalities() > 0) {
    remove_equalities(options);
    solution.accepted.assign(equalities_.accepted().begin(), equalities_.accepted().end());
    if (equalities_contradict(options, solution)) return SolveStatus::no_solution;
  }
  return idle_row_contradicts(options, solution) ? SolveStatus::no_solution : SolveStatus::solved;
}

void ReducedProblem::scale_rows() {
  grow(c_, n_);
  grow(inverse_norm_, n_);
  grow(left_, n_);
  std::fill_n(left_.data(), n_, 1.0);
  // Sums, because a maximum loses a NaN.
  double largest_c = 0, largest_e = 0, sum = 0;
  for (Index i = 0; i < n_; ++i) {
    const double* g = G_ + i * stride_;
    const double norm = std::sqrt(dot(g, g, stride_));
    inverse_norm_[i] = norm > 0 ? 1.0 / norm : 0.0;
    c_[i] = norm > 0 ? problem_->c[i] / norm : problem_->c[i];
    largest_c = std::max(largest_c, std::abs(c_[i]));
    sum += norm + std::abs(c_[i]);
  }
  for (Index j = 0; j < problem_->equalities(); ++j) {
    const double norm = problem_->E.col(j).norm(), e = std::abs(problem_->e[j]);
    largest_e = std::max(largest_e, norm > 0 ? e / norm : e);
    sum += norm + e;
  }
  scale_ = std::sqrt(dot(y0_, y0_, stride_)) + largest_c + largest_e;
  if (!std::isfinite(sum)) scale_ = NAN;
}

void ReducedProblem::remove_equalities(const LeastDistanceOptions& options) {
  const Index k = problem_->equalities();
  equalities_.factor(problem_->E.leftCols(k), problem_->e.head(k), options.rank);
  const Index r = equalities_.rank();
  grow(split_y0_, stride_);
  std::copy_n(problem_->y0.data(), stride_, split_y0_.data());
  equalities_.to_split(split_y0_.data());
  // The inequalities in split coordinates; the part that the equalities fix moves to the right.
  grow(split_G_, stride_ * n_);
  for (Index i = 0; i < n_; ++i) {
    double* g = split_G_.data() + i * stride_;
    std::copy_n(problem_->G.data() + i * stride_, stride_, g);
    equalities_.to_split(g);
    c_[i] -= inverse_norm_[i] * dot(g, equalities_.fixed().data(), r);
    left_[i] = inverse_norm_[i] * std::sqrt(dot(g + r, g + r, stride_ - r));
    if (left_[i] < options.left) inverse_norm_[i] = 0;
  }
  m_ = stride_ - r;
  y0_ = split_y0_.data() + r;
  G_ = split_G_.data() + r;
  // Coordinates fixed by nearly dependent equalities can be longer than e; so is their rounding.
  scale_ += equalities_.fixed().norm();
}

bool ReducedProblem::equalities_contradict(const LeastDistanceOptions& options,
                                           LeastDistanceSolution& solution) {
  std::size_t next = 0;  // accepted columns hold by construction, and they come in order
  for (int j = 0; j < problem_->equalities(); ++j) {
    if (next < solution.accepted.size() && solution.accepted[next] == j) {
      ++next;
      continue;
    }
    std::copy_n(problem_->E.data() + j * stride_, stride_, work_.data());
    const double norm = std::sqrt(dot(work_.data(), work_.data(), stride_));
    equalities_.to_split(work_.data());
    const double met = dot(work_.data(), equalities_.fixed().data(), equalities_.rank());
    const double off = problem_->e[j] - met;
    if (std::abs(off) <= options.contradiction * scale_ * (norm > 0 ? norm : 1.0)) continue;
    // Ray: this column against its combination of the accepted ones.
    if (off > 0) work_ = -work_;
    equalities_.multipliers(work_.data(), solution.fe);
    solution.fe[j] = off > 0 ? 1.0 : -1.0;
    solution.reason = "the equalities contradict each other";
    return true;
  }
  return false;
}

bool ReducedProblem::idle_row_contradicts(const LeastDistanceOptions& options,
                                          LeastDistanceSolution& solution) {
  for (Index i = 0; i < n_; ++i) {
    if (!idle(i) || c_[i] <= options.contradiction * scale_) continue;
    solution.f[i] = 1.0;
    work_.head(stride_) = -problem_->G.col(i);
    write_equality_multipliers(solution);
    solution.reason = "an inequality contradicts the equalities, or is zero and cannot be met";
    return true;
  }
  return false;
}

void ReducedProblem::unit_row(Index i, VectorXd& g) const {
  const double* column = G_ + i * stride_;
  for (Index j = 0; j < m_; ++j) g[j] = inverse_norm_[i] * column[j];
}

void ReducedProblem::expand(const VectorXd& y, std::span<const int> set, const VectorXd& u,
                            LeastDistanceSolution& solution) {
  const Index r = equalities_.rank();
  solution.y.head(r) = equalities_.fixed();
  solution.y.tail(m_) = y.head(m_);
  equalities_.from_split(solution.y.data());
  for (std::size_t j = 0; j < set.size(); ++j) solution.f[set[j]] = inverse_norm_[set[j]] * u[j];
  if (r == 0) return;
  // E fe = y − y₀ − G f
  work_.head(stride_) = solution.y - problem_->y0;
  for (const int i : set) work_.head(stride_) -= solution.f[i] * problem_->G.col(i);
  write_equality_multipliers(solution);
}

void ReducedProblem::expand_ray(std::span<const int> set, const VectorXd& u,
                                LeastDistanceSolution& solution) {
  work_.head(stride_).setZero();
  for (std::size_t j = 0; j < set.size(); ++j) {
    const int i = set[j];
    solution.f[i] = inverse_norm_[i] * u[j];
    work_.head(stride_) -= solution.f[i] * problem_->G.col(i);
  }
  write_equality_multipliers(solution);
}

void ReducedProblem::write_equality_multipliers(LeastDistanceSolution& solution) {
  equalities_.to_split(work_.data());
  equalities_.multipliers(work_.data(), solution.fe);
}

}  // namespace pequod
