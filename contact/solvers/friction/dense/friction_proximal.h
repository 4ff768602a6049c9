#pragma once

#include <Eigen/Dense>

#include "contact/solvers/friction/dense/friction_newton.h"
#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Buffers of the proximal path; no meaning from one call to the next.
struct ProximalBuffers {
  Eigen::VectorXd centre, u;
  Eigen::VectorXd ray;  ///< ρ − c at the last compliance

  void poison() { pequod::poison(centre, u, ray); }
};

struct ProximalSettings {
  int newton_iterations = 30;
  double tolerance = 1e-13;  ///< ends where the natural map is at most this times S
};

struct ProximalResult {
  bool followed = false;  ///< every compliance was solved
  int iterations = 0;     ///< Newton steps
  /// ε|ρ − c|/S at the last compliance: a solution makes it go to zero, closing walls do not.
  double pull = NAN;
};

/// The limit of vanishing compliance: from the centre c = 0, for ε = 10⁻², 10⁻⁴ … 10⁻¹⁰ solves
/// (W + εI)ρ + q − εc by semismooth Newton and makes ρ the next centre. Among many solutions it
/// finds the same one from every start.
ProximalResult follow_proximal_path(const ScaledFriction& problem, const ProximalSettings& settings,
                                    NewtonBuffers& newton, ProximalBuffers& buffers,
                                    Eigen::VectorXd& rho);

}  // namespace pequod
