#pragma once

#include <Eigen/Dense>
#include <functional>
#include <random>

#include "contact/solvers/complementarity/lcp_problem.h"

namespace pequod::test {

struct RandomLcp {
  LcpProblem problem;
  bool feasible = true;
  double mass_ratio = 1;
  Eigen::VectorXd w;  ///< the one w of all solutions, from another method; empty if not known
  double scale = 1;   ///< of w
};

using DrawLcp = std::function<RandomLcp(std::mt19937_64& random)>;

/// The problems of random_contacts without their equalities: M = GᵀG with unit columns in the
/// metric of the masses, q the speeds without contact forces, w the speeds with them, in extended
/// precision. Some have no solution.
RandomLcp contact_lcp(std::mt19937_64& random);

/// M positive definite and not symmetric, 1–30 rows: one solution, chosen first.
RandomLcp monotone_lcp(std::mt19937_64& random);

/// M = GᵀG of any rank with repeated columns, 1–40 rows: w is unique, chosen first.
RandomLcp semidefinite_lcp(std::mt19937_64& random);

}  // namespace pequod::test
