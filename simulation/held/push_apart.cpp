#include "simulation/held/push_apart.h"

namespace pequod {
namespace {

bool is_short(const HeldIsland& part, Eigen::Index i, double e, double slack, const VectorXd& y) {
  return part.problem.normals.dot(i, y) < e - slack;
}

}  // namespace

bool falls_short(const HeldIsland& part, const double* e, double slack, const VectorXd& y) {
  if (part.sparse || !part.repeats()) return false;
  const auto n = static_cast<Eigen::Index>(part.island.contacts.size());
  for (Eigen::Index i = 0; i < n; ++i)
    if (is_short(part, i, e ? e[i] : 0.0, slack, y)) return true;
  return false;
}

void keep_tangents_elsewhere(const HeldSet& set, const HeldIsland& part, double slack,
                             const VectorXd& y, std::vector<int>& kept) {
  const auto contact = [&](int i) -> const Contact& {
    return set.touching.contacts[contact_index(part.island, i)];
  };
  const int n = part.problem.n;
  const auto is_pushed = [&](int i) {
    for (int j = 0; j < n; ++j)
      if (contact(j).link_a == contact(i).link_a && contact(j).link_b == contact(i).link_b &&
          is_short(part, j, 0.0, slack, y))
        return true;
    return false;
  };
  kept.clear();
  // Of the rows, those of the normals come first.
  for (std::size_t k = 0; k < 2 * part.tangents.size(); ++k) {
    const int i = part.tangents[k / 2];
    if (part.is_accepted(static_cast<std::size_t>(n) + k) && !is_pushed(i))
      kept.push_back(2 * i + static_cast<int>(k % 2));
  }
}

void push_from(const HeldIsland& part, const double* e, std::span<const int> kept,
               PushBuffers& buffers, VectorXd& y) {
  LeastDistanceProblem& problem = buffers.problem;
  const ContactProblem& rows = part.problem;
  const auto n = static_cast<Eigen::Index>(part.island.contacts.size());
  problem.y0 = y;
  problem.n = static_cast<int>(n);
  problem.G = rows.normals.matrix();
  problem.c.setZero(n);
  if (e) problem.c = Eigen::Map<const VectorXd>(e, n);
  problem.k = static_cast<int>(part.joints.size() + kept.size());
  problem.E.resize(part.island.m, problem.k);
  Eigen::Index k = 0;
  for (const int j : kept) problem.E.col(k++) = rows.tangents.col(j);
  for (const int j : part.joints) problem.E.col(k++) = rows.joints.col(j);
  problem.e = problem.E.transpose() * y;
  least_distance_solvers().front().solve(problem, {}, {}, buffers.solver, buffers.solution);
  if (buffers.solution.status == SolveStatus::solved) y = buffers.solution.y;
}

}  // namespace pequod
