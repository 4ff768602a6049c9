#include "contact/solvers/friction/friction_problem.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "contact/solvers/friction/friction_measure.h"

namespace pequod {

namespace {

[[noreturn]] void reject(const std::string& what) {
  throw std::invalid_argument("friction problem: " + what);
}

void check_coefficients(const VectorXd& mu, Index n, const char* name) {
  if (mu.size() != n)
    reject("q has room for " + std::to_string(n) + " contacts but " + name + " has " +
           std::to_string(mu.size()) + " entries");
  for (Index i = 0; i < n; ++i)
    if (!(mu[i] >= 0))
      reject(std::string(name) + " of contact " + std::to_string(i) + " is " +
             std::to_string(mu[i]) + ", not a number ≥ 0");
}

template <class Problem>
void check_vectors(const Problem& problem) {
  const int dimension = problem.dimension;
  if (dimension != 2 && dimension != 3 && dimension != 5)
    reject("its dimension is " + std::to_string(dimension) + ", not 2, 3 or 5");
  const Index N = problem.q.size();
  if (N % dimension != 0)
    reject("q has " + std::to_string(N) + " entries, no multiple of " + std::to_string(dimension));
  if (problem.W.rows() != N || problem.W.cols() != N)
    reject("W is " + std::to_string(problem.W.rows()) + "×" + std::to_string(problem.W.cols()) +
           " but q has " + std::to_string(N) + " entries");
  if (!problem.q.allFinite()) reject("an entry of q is not finite");
  check_coefficients(problem.mu, N / dimension, "mu");
  if (dimension == 5) check_coefficients(problem.mu_rolling, N / dimension, "mu_rolling");
}

}  // namespace

std::string_view name(FrictionMode mode) {
  switch (mode) {
    case FrictionMode::open:
      return "open";
    case FrictionMode::stick:
      return "stick";
    case FrictionMode::slide:
      break;
  }
  return "slide";
}

template <class Matrix>
void measure(const ContactsWith<Matrix>& problem, FrictionSolution& solution) {
  const int n = static_cast<int>(problem.mu.size());
  solution.u.resize(problem.q.size());
  solution.u.noalias() = problem.W * solution.r;
  solution.u += problem.q;
  solution.modes.resize(n);
  VectorXd& d = solution.units;
  d.resize(n);
  for (int i = 0; i < n; ++i) d[i] = contact_unit(problem, i);
  solution.residuals = measure(
      {n, problem.dimension, solution.r.data(), solution.u.data(), problem.q.data(), d.data(),
       problem.mu.data(), problem.mu_rolling.data(), problem.associated, problem.scale},
      solution.modes.data());
  solution.exact = !problem.associated && problem.dimension != 5 && is_exact(solution.residuals);
}

template void measure(const FrictionProblem&, FrictionSolution&);
template void measure(const SparseFrictionProblem&, FrictionSolution&);

void refuse(Index rows, Index contacts, const char* reason, FrictionSolution& solution) {
  solution.r.setConstant(rows, NAN);
  solution.u = solution.r;
  solution.modes.assign(contacts, FrictionMode::open);
  solution.residuals = {};
  solution.exact = false;
  solution.iterations = 0;
  solution.status = SolveStatus::failed;
  solution.reason = reason;
}

void judge(const FrictionOptions& options, FrictionSolution& solution) {
  solution.reason.clear();
  solution.status = SolveStatus::solved;
  const FrictionResiduals& residuals = solution.residuals;
  const bool grown = residuals.growth > kGrown;
  if (residuals.scaled <= options.accepted && !grown) return;
  solution.status = SolveStatus::failed;
  std::array<char, 160> text;
  if (grown)
    std::snprintf(text.data(), text.size(), "impulses have grown to %.1e of the motion after %d ",
                  residuals.growth, solution.iterations);
  else
    std::snprintf(text.data(), text.size(),
                  "the natural map is %.1e of its scale, not %.1e, after %d ", residuals.scaled,
                  options.accepted, solution.iterations);
  solution.reason = text.data() + ("iterations of " + std::string(solution.method));
}

void check(const FrictionProblem& problem) {
  check_vectors(problem);
  if (!problem.W.allFinite()) reject("an entry of W is not finite");
}

void check(const SparseFrictionProblem& problem) {
  check_vectors(problem);
  if (!problem.W.isCompressed()) reject("W is not compressed");
  if (!Eigen::Map<const VectorXd>(problem.W.valuePtr(), problem.W.nonZeros()).allFinite())
    reject("an entry of W is not finite");
}

}  // namespace pequod
