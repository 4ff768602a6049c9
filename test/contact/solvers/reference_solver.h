#pragma once

#include <Eigen/Dense>

#include "test/contact/solvers/random_contacts.h"

namespace pequod::test {

struct Reference {
  bool solved = false;                              ///< false: no solution, or none found
  bool finished = true;                             ///< false: the iteration limit is reached
  Eigen::Matrix<long double, Eigen::Dynamic, 1> v;  ///< m, the velocity itself
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> L;  ///< M = LᵀL
};

/// The velocity v⁺ from M, N, J, v*, c in 64-bit mantissas, all of it: the Cholesky factor, the
/// null space of J and the solve, which is a problem of non-negative least squares (Lawson &
/// Hanson 1974, ch. 23) with a fresh QR in each iteration. It shares nothing with the solvers.
Reference solve_in_extended_precision(const Contacts& contacts);

}  // namespace pequod::test
