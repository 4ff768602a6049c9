#include "contact/solvers/friction/bodies/body_pyramids.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "contact/solvers/complementarity/pyramid_lcp.h"
#include "test/contact/solvers/body_packing.h"

namespace pequod {
namespace {

using test::body_packing;

constexpr int kEdges = 8;

// Multipliers that the impulses of a contact go with, and the natural map of all of them in the
// dense problem, in its own units.
double residual_over_matrix(const FrictionProblem& dense, const Eigen::VectorXd& r) {
  FrictionContacts contacts{dense.W, dense.q, dense.mu};
  const Eigen::Index n = dense.mu.size();
  Eigen::VectorXd d(3 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    d.segment<3>(3 * i).setConstant(std::sqrt(3.0 / dense.W.block<3, 3>(3 * i, 3 * i).trace()));
  contacts.W = d.asDiagonal() * dense.W * d.asDiagonal();
  contacts.q = d.cwiseProduct(dense.q);
  const LcpProblem lcp = pyramid_lcp(contacts, kEdges);
  const Eigen::VectorXd rho = r.cwiseQuotient(d), u = contacts.W * rho + contacts.q;
  Eigen::VectorXd z = Eigen::VectorXd::Zero(lcp.q.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    z[i] = rho[3 * i];
    const Eigen::Vector2d t = rho.segment<2>(3 * i + 1), slip = u.segment<2>(3 * i + 1);
    Eigen::Matrix2d pair;
    for (int j = 0; j < kEdges; ++j) {
      const double a = 2 * std::numbers::pi * j / kEdges,
                   b = 2 * std::numbers::pi * (j + 1) / kEdges;
      pair << std::cos(a), std::cos(b), std::sin(a), std::sin(b);
      z[n * (1 + kEdges) + i] = std::max(z[n * (1 + kEdges) + i], -pair.col(0).dot(slip));
      const Eigen::Vector2d beta = pair.inverse() * t;
      if (beta.minCoeff() < -1e-15 * t.norm()) continue;
      z.segment(n + i * kEdges, kEdges).setZero();
      z[n + i * kEdges + j] = beta[0];
      z[n + i * kEdges + (j + 1) % kEdges] = beta[1];
    }
  }
  const Eigen::VectorXd w = lcp.M * z + lcp.q;
  return z.cwiseMin(w).norm() / std::max({lcp.q.norm(), z.norm(), w.norm()});
}

// Sweeps are slow where bodies are wedged, so not all come to 1e-8; what is told is the residual of
// the dense problem all the same, to the rounding of W.
TEST_CASE("pyramids over bodies solve the linear complementarity problem of all contacts") {
  std::mt19937_64 random(7);
  BodyPyramidWorkspace workspace;
  BodyPyramidSolution solution;
  int count = 0, solved = 0;
  double off = 0.0, worst = 0.0;
  for (const int points : {1, 4})
    for (const double friction : {0.0, 0.1, 0.3, 1.0})
      for (const double speed : {0.0, 0.1, 1.0}) {
        const BodyProblem problem = body_packing(
            {.edge = points == 1 ? 3 : 2, .points = points, .friction = friction, .speed = speed},
            random);
        solve_body_pyramids(problem, {.edges = kEdges}, {}, workspace, solution);
        const double own = residual_over_matrix(test::dense_problem(problem), solution.r);
        // Scales differ: all rows of the problem there, those that carry here.
        off = std::max({off, own / solution.residual, solution.residual / own});
        worst = std::max(worst, own);
        ++count;
        solved += solution.converged;
      }
  std::printf("%d of %d pyramids to 1e-8, worst %.1e\n", solved, count, worst);
  CHECK(solved >= count / 2);
  CHECK(worst < 1e-3);
  CHECK(off < 2.0);
}

}  // namespace
}  // namespace pequod
