#include "contact/solvers/complementarity/baraff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "contact/solvers/complementarity/baraff_sets.h"
#include "contact/solvers/complementarity/lcp_auto.h"
#include "contact/solvers/complementarity/lcp_bounds.h"

namespace pequod {

namespace {

void check(const BaraffProblem& problem) {
  const auto fail = [](const std::string& what) {
    throw std::invalid_argument("contact forces with static friction: " + what);
  };
  const Index n = problem.b.size();
  if (problem.A.rows() != n || problem.A.cols() != n || problem.mu.size() != n ||
      problem.normal.size() != static_cast<std::size_t>(n))
    fail("A is " + std::to_string(problem.A.rows()) + "×" + std::to_string(problem.A.cols()) +
         ", normal has " + std::to_string(problem.normal.size()) + " entries and mu " +
         std::to_string(problem.mu.size()) + ", but b has " + std::to_string(n));
  for (Index i = 0; i < n; ++i) {
    const int normal = problem.normal[i];
    if (normal == -1) continue;
    if (normal < 0 || normal >= n || problem.normal[normal] != -1)
      fail("row " + std::to_string(i) + " names row " + std::to_string(normal) +
           ", which is not a normal row");
    if (!(problem.mu[i] >= 0) || std::isinf(problem.mu[i]))
      fail("row " + std::to_string(i) + " has a coefficient of friction of " +
           std::to_string(problem.mu[i]));
  }
}

/// f = E z of the LCP.
MatrixXd force_map(const BaraffProblem& problem) {
  const Index n = problem.b.size();
  const auto normals = static_cast<Index>(std::ranges::count(problem.normal, -1));
  MatrixXd E = MatrixXd::Zero(n, normals + 3 * (n - normals));
  Index at_normal = 0, at_friction = normals;
  for (Index i = 0; i < n; ++i) {
    if (problem.normal[i] == -1) {
      E(i, at_normal++) = 1;
      continue;
    }
    E(i, at_friction) = 1;
    E(i, at_friction + 1) = -1;
    at_friction += 3;
  }
  return E;
}

/// Lemke's method on the LCP; what it says of the problem.
void solve_as_lcp(const BaraffProblem& problem, const LcpOptions& options, LcpWorkspace& workspace,
                  LcpSolution& solution) {
  LcpSolution& reduced = workspace.reduced;
  solve_lcp_auto(baraff_lcp(problem), options, {}, workspace, reduced);
  solution.pivots += reduced.pivots;
  solution.switches += 1 + reduced.switches;
  solution.solver = reduced.solver;
  solution.z = force_map(problem) * reduced.z;
  measure(problem, solution);
  solution.status = reduced.status;
  solution.reason = reduced.reason;
  solution.certificate = reduced.certificate;
}

}  // namespace

LcpProblem baraff_lcp(const BaraffProblem& problem) {
  check(problem);
  const MatrixXd E = force_map(problem);
  LcpProblem lcp{E.transpose() * problem.A * E, E.transpose() * problem.b};
  std::vector<Index> place(problem.normal.size(), -1);
  Index next = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (problem.normal[i] == -1) place[i] = next++;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (problem.normal[i] == -1) continue;
    const Index speed = next + 2;
    lcp.M(next, speed) = lcp.M(next + 1, speed) = 1;
    lcp.M(speed, next) = lcp.M(speed, next + 1) = -1;
    lcp.M(speed, place[problem.normal[i]]) = problem.mu[i];
    next += 3;
  }
  return lcp;
}

VectorXd baraff_lcp_answer(const BaraffProblem& problem, const LcpSolution& solution) {
  std::vector<double> normals, frictions;
  for (std::size_t i = 0; i < problem.normal.size(); ++i) {
    const double f = solution.z[i], a = solution.w[i];
    if (problem.normal[i] == -1)
      normals.push_back(f);
    else
      frictions.insert(frictions.end(), {std::max(0.0, f), std::max(0.0, -f), std::abs(a)});
  }
  normals.insert(normals.end(), frictions.begin(), frictions.end());
  return Eigen::Map<const VectorXd>(normals.data(), static_cast<Index>(normals.size()));
}

void measure(const BaraffProblem& problem, LcpSolution& solution) {
  measure_between(problem.A, problem.b, solution, [&](Index i) {
    const int normal = problem.normal[i];
    if (normal < 0) return Bounds{0.0, std::numeric_limits<double>::infinity()};
    const double bound = problem.mu[i] * std::max(0.0, solution.z[normal]);
    return Bounds{-bound, bound};
  });
}

void solve_baraff(const BaraffProblem& problem, const LcpOptions& options, LcpWorkspace& workspace,
                  LcpSolution& solution) {
  check(problem);
  solution.status = SolveStatus::failed;
  solution.reason.clear();
  solution.certificate.resize(0);
  solution.z.setZero(problem.b.size());
  solution.pivots = solution.switches = 0;
  solution.solver = "baraff";
  if (!problem.A.allFinite() || !problem.b.allFinite()) {
    measure(problem, solution);
    solution.reason = "the data are not finite";
    return;
  }
  const bool settled = settle_baraff_sets(problem, options, workspace.lu, workspace.baraff,
                                          solution.z, solution.w, solution.pivots);
  measure(problem, solution);
  if (settled && solution.residuals.relative <= options.residual)
    solution.status = SolveStatus::solved;
  else
    solve_as_lcp(problem, options, workspace, solution);
}

}  // namespace pequod
