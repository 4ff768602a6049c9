#include "test/contact/solvers/random_lcp.h"

#include <algorithm>

#include "test/contact/solvers/random_contacts.h"
#include "test/contact/solvers/random_numbers.h"
#include "test/contact/solvers/reference_solver.h"

namespace pequod::test {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// q such that z = a⁺ and w = a⁻ solve the problem, for a random a with some entries zero.
void choose_solution(std::mt19937_64& random, RandomLcp& lcp) {
  const int n = static_cast<int>(lcp.problem.M.rows());
  VectorXd a = normal(random, n, 1);
  for (double& x : a)
    if (random() % 8 == 0) x = 0;
  lcp.w = (-a).cwiseMax(0.0);
  lcp.problem.q = lcp.w - lcp.problem.M * a.cwiseMax(0.0);
  lcp.scale = std::max(1.0, lcp.problem.q.cwiseAbs().maxCoeff());
}

}  // namespace

RandomLcp contact_lcp(std::mt19937_64& random) {
  RandomLcp lcp;
  Contacts contacts = random_contacts(random);
  contacts.J.resize(0, contacts.M.rows());
  const LeastDistanceProblem metric = least_distance(contacts);
  const VectorXd length = metric.G.colwise().norm();
  const MatrixXd G = metric.G * length.cwiseInverse().asDiagonal();
  lcp.problem.M = G.transpose() * G;
  lcp.problem.q = G.transpose() * metric.y0 - metric.c.cwiseQuotient(length);
  lcp.feasible = contacts.feasible;
  lcp.mass_ratio = contacts.mass_ratio;
  lcp.scale = scale(metric);
  if (!lcp.feasible) return lcp;
  const Reference reference = solve_in_extended_precision(contacts);
  lcp.w = ((contacts.N.cast<long double>() * reference.v).cast<double>() - contacts.c)
              .cwiseQuotient(length);
  return lcp;
}

RandomLcp monotone_lcp(std::mt19937_64& random) {
  RandomLcp lcp;
  const int n = 1 + static_cast<int>(random() % 30);
  const MatrixXd A = normal(random, n, n), B = normal(random, n, n);
  lcp.problem.M = A * A.transpose() + B - B.transpose() + MatrixXd::Identity(n, n);
  choose_solution(random, lcp);
  return lcp;
}

RandomLcp semidefinite_lcp(std::mt19937_64& random) {
  RandomLcp lcp;
  const int n = 1 + static_cast<int>(random() % 40), rank = 1 + static_cast<int>(random() % n);
  MatrixXd G = normal(random, rank, n);
  for (int i = 1; i < n; ++i)
    if (random() % 4 == 0) G.col(i) = G.col(static_cast<int>(random() % i));
  lcp.problem.M = G.transpose() * G;
  choose_solution(random, lcp);
  return lcp;
}

}  // namespace pequod::test
