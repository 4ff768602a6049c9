#pragma once

#include <vector>

#include "contact/solvers/friction/contact_newton.h"
#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of the functions below; no meaning from one call to the next.
struct NewtonBuffers : ContactNewtonBuffers {
  std::vector<double> matrix;                    ///< rows of [J | −F]
  std::vector<int> active;                       ///< contacts that are not open
  std::vector<FrictionMode> modes, trial_modes;  ///< modes: of the ρ that make_exact() returned
  VectorXd looked, trial;                        ///< looked: û where residuals are asked for
  VectorXd centre, ray;  ///< ray: ρ − c at the last compliance of the path

  void poison() {
    ContactNewtonBuffers::poison();
    pequod::poison(matrix, active, modes, trial_modes, looked, trial, centre, ray);
  }
};

/// iterate_newton, its steps by elimination.
NewtonResult solve_newton(const ScaledFriction& problem, const NewtonSettings& settings,
                          NewtonBuffers& buffers, VectorXd& rho);

/// Makes the modes of a converged ρ hold to rounding: at most six Newton steps with the modes it
/// has, open contacts emptied and sliding friction set to −μρ_n û_t/|û_t|. Keeps the best ρ by
/// natural map, as a step on a singular block can throw away an exact one.
/// @return  residuals of the ρ returned, in the scaled problem
FrictionResiduals make_exact(const ScaledFriction& problem, NewtonBuffers& buffers, VectorXd& rho);

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
                                    NewtonBuffers& buffers, VectorXd& rho);

}  // namespace pequod
