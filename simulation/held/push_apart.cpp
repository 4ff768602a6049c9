#include "simulation/held/push_apart.h"

namespace pequod {
namespace {

bool falls_short(const HeldIsland& part, const double* e, double slack, const VectorXd& y) {
  const auto n = static_cast<Eigen::Index>(part.island.contacts.size());
  for (Eigen::Index i = 0; i < n; ++i)
    if (part.problem.normals.col(i).dot(y) < (e ? e[i] : 0.0) - slack) return true;
  return false;
}

}  // namespace

void push_apart(const HeldIsland& part, const double* e, double slack, PushBuffers& buffers,
                VectorXd& y) {
  if (part.sparse || !part.repeats() || !falls_short(part, e, slack, y)) return;
  push_from(part, e, buffers, y);
}

void push_from(const HeldIsland& part, const double* e, PushBuffers& buffers, VectorXd& y) {
  LeastDistanceProblem& problem = buffers.problem;
  const ContactProblem& rows = part.problem;
  const auto n = static_cast<Eigen::Index>(part.island.contacts.size());
  problem.y0 = y;
  problem.n = static_cast<int>(n);
  problem.G = rows.normals.matrix();
  problem.c.setZero(n);
  if (e) problem.c = Eigen::Map<const VectorXd>(e, n);
  problem.k = static_cast<int>(part.joints.size());
  problem.E.resize(part.island.m, problem.k);
  Eigen::Index k = 0;
  for (const int j : part.joints) problem.E.col(k++) = rows.joints.col(j);
  problem.e = problem.E.transpose() * y;
  least_distance_solvers().front().solve(problem, {}, {}, buffers.solver, buffers.solution);
  if (buffers.solution.status == LeastDistanceStatus::solved) y = buffers.solution.y;
}

}  // namespace pequod
