#include "contact/solvers/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contact/solvers/lemke_dictionary.h"

namespace pequod {

namespace {

void check_sizes(const LcpProblem& problem) {
  const Eigen::Index n = problem.q.size();
  if (problem.M.rows() == n && problem.M.cols() == n) return;
  throw std::invalid_argument(
      "linear complementarity problem: M is " + std::to_string(problem.M.rows()) + "×" +
      std::to_string(problem.M.cols()) + " but q has " + std::to_string(n) + " entries");
}

/// w and the residuals, from the problem and z alone.
void measure(const LcpProblem& problem, LcpSolution& solution) {
  solution.w = problem.M * solution.z + problem.q;
  solution.infeasibility = solution.complementarity = 0;
  if (problem.q.size() == 0) return;
  solution.infeasibility = std::max({0.0, -solution.z.minCoeff(), -solution.w.minCoeff()});
  solution.complementarity = solution.z.cwiseProduct(solution.w).cwiseAbs().maxCoeff();
}

/// Solves M z + q = 0 on the rows where z > 0 and keeps the result if it is a better solution.
void polish(const LcpProblem& problem, LcpSolution& solution) {
  std::vector<Eigen::Index> set;
  for (Eigen::Index i = 0; i < solution.z.size(); ++i)
    if (solution.z[i] > 0) set.push_back(i);
  if (set.empty()) return;
  // Least squares: with a regularised start the block can be singular.
  const Eigen::MatrixXd block = problem.M(set, set);
  const Eigen::VectorXd rhs = -problem.q(set);
  LcpSolution better = solution;
  better.z(set) = block.completeOrthogonalDecomposition().solve(rhs).cwiseMax(0.0);
  measure(problem, better);
  if (natural_residual(better) < natural_residual(solution)) solution = std::move(better);
}

/// Lemke's method on M + λI. The shift moves the solution; repeating it around the last z, that is
/// with q − λz, moves it back (the proximal point method, Rockafellar 1976). After such a step the
/// residual of the problem itself is λ times the change of z.
LcpSolution solve_shifted(const LcpProblem& problem, double lambda,
                          const RegularisationOptions& options, double limit) {
  LcpProblem shifted = problem;
  shifted.M.diagonal().array() += lambda;
  LcpSolution best;
  best.z.setZero(problem.q.size());
  double least = std::numeric_limits<double>::infinity();
  int pivots = 0;
  while (least > limit) {
    shifted.q = problem.q - lambda * best.z;
    LcpSolution next = solve_lemke(shifted, options.lemke);
    pivots += next.pivots;
    if (next.status != LcpStatus::solved) break;
    measure(problem, next);
    const double residual = natural_residual(next);
    if (!(residual < 0.5 * least)) break;
    least = residual;
    best = std::move(next);
  }
  best.pivots = pivots;
  return best;
}

}  // namespace

double natural_residual(const LcpSolution& solution) {
  if (solution.z.size() == 0) return 0;
  return solution.z.cwiseMin(solution.w).cwiseAbs().maxCoeff();
}

LcpSolution solve_lemke(const LcpProblem& problem, const LemkeOptions& options) {
  check_sizes(problem);
  LcpSolution solution;
  solution.z.setZero(problem.q.size());
  if (!problem.q.allFinite() || !problem.M.allFinite()) return solution;

  LemkeDictionary dictionary(problem, options.zero);
  LemkeDictionary::Outcome outcome = dictionary.start();
  while (outcome == LemkeDictionary::Outcome::pivoted && dictionary.pivots() < options.max_pivots)
    outcome = dictionary.pivot();
  if (outcome == LemkeDictionary::Outcome::solved) solution.status = LcpStatus::solved;
  if (outcome == LemkeDictionary::Outcome::ray) solution.status = LcpStatus::no_solution;
  solution.pivots = dictionary.pivots();
  if (solution.status == LcpStatus::solved) solution.z = dictionary.z();
  measure(problem, solution);
  if (solution.status == LcpStatus::solved) polish(problem, solution);
  return solution;
}

RegularisedLcpSolution solve_lcp_regularised(const LcpProblem& problem,
                                             const RegularisationOptions& options) {
  RegularisedLcpSolution result{solve_lemke(problem, options.lemke)};
  if (problem.q.size() == 0 || !std::isfinite(problem.q.sum() + problem.M.sum())) return result;
  const double largest_q = problem.q.cwiseAbs().maxCoeff();
  const double limit = options.good * largest_q;
  const auto good = [&](const LcpSolution& solution) {
    return solution.status == LcpStatus::solved && natural_residual(solution) <= limit;
  };
  if (good(result.solution)) return result;

  const double size = problem.M.cwiseAbs().maxCoeff();
  int pivots = result.solution.pivots;
  for (double lambda = options.first; lambda <= options.last * 1.001; lambda *= 10) {
    LcpSolution attempt = solve_shifted(problem, lambda * size, options, limit);
    ++result.attempts;
    pivots += attempt.pivots;
    if (attempt.status != LcpStatus::solved) continue;
    // A ray is believed until a solution contradicts it.
    const double residual = natural_residual(attempt);
    const bool ray = result.solution.status == LcpStatus::no_solution;
    if (ray ? residual > 1e-8 * largest_q : residual >= natural_residual(result.solution)) continue;
    result.solution = std::move(attempt);
    result.lambda = lambda * size;
    if (good(result.solution)) break;
  }
  result.solution.pivots = pivots;
  return result;
}

}  // namespace pequod
