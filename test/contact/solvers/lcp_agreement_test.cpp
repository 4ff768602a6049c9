#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "contact/solvers/lcp_solvers.h"
#include "test/contact/solvers/random_contacts.h"
#include "test/contact/solvers/random_lcp.h"

namespace pequod {
namespace {

using Eigen::VectorXd;

/// What one solver did in a sweep.
struct Tally {
  std::string_view name;
  int solved = 0, refused = 0;
  int lost = 0;     ///< not solved although there is a solution
  int claimed = 0;  ///< solved although there is none, or a proof that does not hold
  long pivots = 0;
  double worst_w = 0, worst_w_heavy = 0, worst_residual = 0;
};

/// A certificate of Farkas, checked without ruled_out.
bool proves(const LcpProblem& problem, const VectorXd& p) {
  if (p.size() != problem.q.size() || p.minCoeff() < 0) return false;
  const double push = (problem.M.transpose() * p).maxCoeff();
  return problem.q.dot(p) < 0 && push <= 1e-9 * problem.M.cwiseAbs().maxCoeff() * p.maxCoeff();
}

void tally(const test::RandomLcp& random, const LcpSolution& solution, Tally& result) {
  result.pivots += solution.pivots;
  if (solution.status == LcpStatus::no_solution) {
    ++result.refused;
    result.lost += random.feasible;
    result.claimed += !proves(random.problem, solution.certificate);
    return;
  }
  if (solution.status == LcpStatus::failed) {
    ++result.lost;
    return;
  }
  ++result.solved;
  result.claimed += !random.feasible;
  result.worst_residual = std::max(result.worst_residual, solution.residuals.relative);
  if (random.w.size() == 0) return;
  const double error = (solution.w - random.w).cwiseAbs().maxCoeff() / random.scale;
  double& worst = random.mass_ratio > 1e3 ? result.worst_w_heavy : result.worst_w;
  worst = std::max(worst, error);
}

void print(const char* family, const Tally& t) {
  std::printf(
      "%-12s %-19s %6d solved, %4d refused; lost %d, claimed %d; w off by %.1e (mass ratio > 1e3: "
      "%.1e), residual %.1e, %.1f pivots\n",
      family, std::string(t.name).c_str(), t.solved, t.refused, t.lost, t.claimed, t.worst_w,
      t.worst_w_heavy, t.worst_residual,
      static_cast<double>(t.pivots) / std::max(1, t.solved + t.refused));
}

Tally sweep(const char* family, std::string_view name, int problems, unsigned seed,
            const test::DrawLcp& draw) {
  std::mt19937_64 random(seed);
  LcpWorkspace workspace;
  LcpSolution solution;
  Tally result;
  result.name = name;
  for (int i = 0; i < problems; ++i) {
    const test::RandomLcp lcp = draw(random);
    find_lcp_solver(name)->solve(lcp.problem, {}, {}, workspace, solution);
    tally(lcp, solution, result);
  }
  print(family, result);
  return result;
}

TEST_CASE("explore") {
  for (const std::string_view name :
       {"auto", "dantzig", "dual", "ppm", "lemke", "semismooth-newton", "pgs", "gradient-projection", "active-set"}) {
    const int n = name == "active-set" || name == "pgs" || name == "gradient-projection" || name == "lemke" || name == "semismooth-newton" ? 300 : 3000;
    sweep("contacts", name, n, 1, test::contact_lcp);
    sweep("monotone", name, n, 2, test::monotone_lcp);
    sweep("semidefinite", name, n, 3, test::semidefinite_lcp);
  }
}

}  // namespace
}  // namespace pequod
