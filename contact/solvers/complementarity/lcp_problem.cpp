#include "contact/solvers/complementarity/lcp_problem.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "contact/solvers/complementarity/lcp_bounds.h"

namespace pequod {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[noreturn]] void fail(const char* kind, const std::string& what) {
  throw std::invalid_argument(std::string(kind) + ": " + what);
}

void check_square(const char* kind, const MatrixXd& M, const VectorXd& q) {
  const Index n = q.size();
  if (M.rows() == n && M.cols() == n) return;
  fail(kind, "M is " + std::to_string(M.rows()) + "×" + std::to_string(M.cols()) + " but q has " +
                 std::to_string(n) + " entries");
}

/// True if pᵢwᵢ ≥ 0 whatever w the bounds allow at a solution.
bool sign_fits(const Bounds& bound, double p) {
  return !(bound.below() && p < 0) && !(bound.above() && p > 0);
}

}  // namespace

void check_sizes(const LcpProblem& problem) {
  check_square("linear complementarity problem", problem.M, problem.q);
}

void check_sizes(const BoxProblem& problem) {
  const char* kind = "box problem";
  check_square(kind, problem.M, problem.q);
  const Index n = problem.q.size();
  if (problem.lower.size() != n || problem.upper.size() != n)
    fail(kind, std::to_string(problem.lower.size()) + " lower and " +
                   std::to_string(problem.upper.size()) + " upper bounds but q has " +
                   std::to_string(n) + " entries");
  for (Index i = 0; i < n; ++i)
    if (!(problem.lower[i] <= problem.upper[i]))
      fail(kind, "row " + std::to_string(i) + ": the lower bound " +
                     std::to_string(problem.lower[i]) + " is above the upper one " +
                     std::to_string(problem.upper[i]));
}

BoxProblem as_box(const MlcpProblem& problem) {
  const char* kind = "mixed complementarity problem";
  const Index n = problem.q.size();
  check_square(kind, problem.M, problem.q);
  if (std::ssize(problem.equality) != n)
    fail(kind, std::to_string(problem.equality.size()) + " equality flags but q has " +
                   std::to_string(n) + " entries");
  BoxProblem box{problem.M, problem.q, VectorXd::Zero(n), VectorXd::Constant(n, kInfinity)};
  for (Index i = 0; i < n; ++i)
    if (problem.equality[i] != 0) box.lower[i] = -kInfinity;
  return box;
}

template <class Problem>
void measure(const Problem& problem, LcpSolution& solution) {
  measure_between(problem.M, problem.q, solution, [&](Index i) { return bounds(problem, i); });
}

template <class Problem>
double ruled_out(const Problem& problem, const VectorXd& p) {
  double g = problem.q.dot(p), helps = 0;
  for (Index i = 0; i < p.size(); ++i) {
    const Bounds bound = bounds(problem, i);
    if (!sign_fits(bound, p[i])) return 0;
    const double slope = problem.M.col(i).dot(p);
    if (bound.below() && bound.above()) {
      g += std::max(slope * bound.lower, slope * bound.upper);
    } else {
      if (bound.below()) g += slope * bound.lower;
      if (bound.above()) g += slope * bound.upper;
      if (!bound.above()) helps = std::max(helps, slope);
      if (!bound.below()) helps = std::max(helps, -slope);
    }
  }
  if (!(g < 0)) return 0;
  return helps > 0 ? -g / helps : kInfinity;
}

template void measure(const LcpProblem&, LcpSolution&);
template double ruled_out(const LcpProblem&, const VectorXd&);
template void measure(const BoxProblem&, LcpSolution&);
template double ruled_out(const BoxProblem&, const VectorXd&);

}  // namespace pequod
