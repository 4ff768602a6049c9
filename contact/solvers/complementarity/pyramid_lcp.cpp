#include "contact/solvers/complementarity/pyramid_lcp.h"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace pequod {

namespace {

Eigen::Vector2d direction(int j, int edges) {
  const double angle = 2 * std::numbers::pi * j / edges;
  return {std::cos(angle), std::sin(angle)};
}

/// r = E [r_n; β]: 3n × n (1 + edges).
MatrixXd impulse_map(Index n, int edges) {
  MatrixXd E = MatrixXd::Zero(3 * n, n * (1 + edges));
  for (Index i = 0; i < n; ++i) {
    E(3 * i, i) = 1;
    for (int j = 0; j < edges; ++j)
      E.block<2, 1>(3 * i + 1, n + i * edges + j) = direction(j, edges);
  }
  return E;
}

[[noreturn]] void fail(const std::string& what) {
  throw std::invalid_argument("friction pyramid: " + what);
}

void check(const FrictionContacts& contacts, int edges) {
  const Index n = contacts.mu.size();
  if (contacts.W.rows() != 3 * n || contacts.W.cols() != 3 * n || contacts.q.size() != 3 * n)
    fail("W is " + std::to_string(contacts.W.rows()) + "×" + std::to_string(contacts.W.cols()) +
         ", q has " + std::to_string(contacts.q.size()) + " entries, but " + std::to_string(n) +
         " contacts need " + std::to_string(3 * n));
  if (edges < 2) fail(std::to_string(edges) + " edges, at least 2 are needed");
  for (Index i = 0; i < n; ++i)
    if (!(contacts.mu[i] >= 0) || std::isinf(contacts.mu[i]))
      fail("contact " + std::to_string(i) + " has a coefficient of friction of " +
           std::to_string(contacts.mu[i]));
}

}  // namespace

LcpProblem pyramid_lcp(const FrictionContacts& contacts, int edges) {
  check(contacts, edges);
  const Index n = contacts.mu.size(), forces = n * (1 + edges);
  const MatrixXd E = impulse_map(n, edges);
  LcpProblem problem;
  problem.M.setZero(forces + n, forces + n);
  problem.q.setZero(forces + n);
  problem.M.topLeftCorner(forces, forces) = E.transpose() * contacts.W * E;
  problem.q.head(forces) = E.transpose() * contacts.q;
  for (Index i = 0; i < n; ++i) {
    problem.M(forces + i, i) = contacts.mu[i];
    problem.M.block(n + i * edges, forces + i, edges, 1).setOnes();
    problem.M.block(forces + i, n + i * edges, 1, edges).setConstant(-1);
  }
  return problem;
}

VectorXd pyramid_impulses(const VectorXd& z, Index contacts, int edges) {
  return impulse_map(contacts, edges) * z.head(contacts * (1 + edges));
}

}  // namespace pequod
