#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/friction/contact_newton.h"
#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Buffers of the semismooth Newton method; no meaning from one call to the next.
struct NewtonBuffers : ContactNewtonBuffers {
  std::vector<double> matrix;  ///< rows of [J | −F]
  std::vector<int> active;     ///< contacts that are not open

  void poison() {
    ContactNewtonBuffers::poison();
    pequod::poison(matrix, active);
  }
};

/// iterate_newton, its steps by elimination.
NewtonResult solve_newton(const ScaledFriction& problem, const NewtonSettings& settings,
                          NewtonBuffers& buffers, Eigen::VectorXd& rho);

}  // namespace pequod
