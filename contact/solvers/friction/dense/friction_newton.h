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

/// Buffers of the finish; no meaning from one call to the next.
struct FinishBuffers {
  std::vector<FrictionMode> modes;  ///< of the ρ that was returned
  std::vector<FrictionMode> trial_modes;
  Eigen::VectorXd u, trial;

  void poison() { pequod::poison(modes, trial_modes, u, trial); }
};

/// Makes the modes of a converged ρ hold to rounding: at most six Newton steps with the modes it
/// has, open contacts emptied and sliding friction set to −μρ_n û_t/|û_t|. Keeps the best ρ by
/// natural map, as a step on a singular block can throw away an exact one.
/// @return  residuals of the ρ returned, in the scaled problem
FrictionResiduals make_exact(const ScaledFriction& problem, NewtonBuffers& newton,
                             FinishBuffers& buffers, Eigen::VectorXd& rho);

/// Buffers of the proximal path; no meaning from one call to the next.
struct ProximalBuffers {
  Eigen::VectorXd centre, u;
  Eigen::VectorXd ray;  ///< ρ − c at the last compliance

  void poison() { pequod::poison(centre, u, ray); }
};

struct ProximalResult {
  bool followed = false;  ///< every compliance was solved
  int iterations = 0;     ///< Newton steps
  /// ε|ρ − c|/S at the last compliance: a solution makes it go to zero, closing walls do not.
  double pull = NAN;
};

/// The limit of vanishing compliance: from the centre c = 0, for ε = 10⁻², 10⁻⁴ … 10⁻¹⁰ solves
/// (W + εI)ρ + q − εc by semismooth Newton and makes ρ the next centre. Among many solutions it
/// finds the same one from every start. It ends where the natural map is at most 1e-13 S.
/// @param newton_steps  at most, for each ε
ProximalResult follow_proximal_path(const ScaledFriction& problem, int newton_steps,
                                    NewtonBuffers& newton, ProximalBuffers& buffers,
                                    Eigen::VectorXd& rho);

}  // namespace pequod
