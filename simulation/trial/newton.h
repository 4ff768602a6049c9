// Whether the forces that a step tells of are those that moved it.
#pragma once

#include "simulation/trial/trial.h"

namespace pequod {

/// Generalised forces: what is left of Newton's law, and how large its terms are.
struct ForceBalance {
  VectorXd left;              ///< Model::nv, N or N·m, in the end by size in N/√kg
  VectorXd terms;             ///< Model::nv, sum of the sizes of all terms, the same
  VectorXd change, inertia;   // storage: what M is applied to, and that
  VectorXd part, root;        // storage: of an island, or of all; √M_ii
  std::vector<double> worst;  // storage: of each tree

  void poison() { pequod::poison(left, terms, change, inertia, part, root, worst); }
};

/// Newton's law of a trial of the length τ in generalised coordinates, with the forces as
/// `trial.state` tells them and without the rows that found them. Velocity level:
/// M (v⁺ − v_free) / τ = Σ Jᵀ f at the start; acceleration level: M v̇ + bias = applied + Σ Jᵀ f at
/// its end. What loops take along their own rows is theirs. A trial in which bodies moved as one
/// has forces that nobody knows, and one of no length, whose event is at its start, has those of a
/// mode that ends there: they are not judged.
/// @return of the worst link: what is left on the coordinates of its joint, as a share of the
///         largest force on these (acceleration level: at either end of the step), its own weight
///         among them, and of kForceNoise of the largest on its tree; in units of energy. Or what
///         a contact without friction in the stages pulls by, as a share of its force_scale()
/// @param least  what links have left is told as 0 if it is no more than that
[[nodiscard]] double newton_residual(const StepMethod& method, const StepStart& start,
                                     const Trial& trial, ForceBalance& balance, double least = 0.0);

}  // namespace pequod
