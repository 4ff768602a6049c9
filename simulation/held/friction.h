// Coulomb friction of what is held at the acceleration level: forces, modes, and what they bear.
#pragma once

#include <span>
#include <vector>

#include "simulation/held/accelerate.h"

namespace pequod {

// All of these are of a motion that accelerate() found for contacts that rub, with the same held
// set and kinematics.

/// Forces of contacts that rub, and the margins of their modes.
struct FrictionForces {
  std::vector<double> normal;        ///< N
  std::vector<Vector3d> tangential;  ///< N on b, world axes
  std::vector<double> joint;         ///< N·m or N, of the held joints, in their order
  std::vector<double> margin;  ///< N, how far a contact is from the end of its mode, negative past
                               ///< it; +∞ where forces are not unique: there the existence of a
                               ///< force decides
  double missing = 0.0;  ///< how far the needed force is from any in the cones, relative: 0 if
                         ///< there is one
};

/// Forces in the cones of the contacts that have the effect of the motion, if there are any.
void judge_friction(const Evaluator& here, const HeldFactor& held, const HeldMotion& motion,
                    FrictionForces& out, HeldWorkspace& workspace);

/// Whether the normal forces of the sliding contacts would press them further together, so that the
/// least compliance, equal in all, makes them grow or vanish: the forces exist by a tie alone (an
/// indeterminate case of Painlevé's paradox). So it is where the response of the gaps to these
/// forces has an eigenvalue with a negative real part.
[[nodiscard]] bool runs_away(const HeldFactor& held, const HeldMotion& motion,
                             HeldWorkspace& workspace);

/// Which sliding contacts carry nothing under the law of least norm over pushing forces.
/// @param weightless  out: 1 for those, and for others that are so already
/// @return            whether that is another choice than the present one
[[nodiscard]] bool find_weightless(const Evaluator& here, const HeldFactor& held,
                                   const HeldMotion& motion, std::vector<char>& weightless,
                                   HeldWorkspace& workspace);

/// How fast the directions of sliding friction settle, 1/s: |λ|max of Σ (μ fn/|v_t|) P g gᵀ over
/// the contacts that move, g the row of the tangent across the slip, P what is left of a force by
/// those along n − μ d that hold the rows.
/// @param left_out  1: a contact whose direction is not followed; empty: none
[[nodiscard]] double slip_stiffness(const Evaluator& here, const HeldFactor& held,
                                    const HeldMotion& motion, std::span<const char> left_out,
                                    HeldWorkspace& workspace);

/// What a turn of all directions by the same small angle does to the slip of each contact that
/// moves, over that angle, at most: Σ_j |g_iᵀP g_j| μ fn_j, m/s²; 0 for the others.
void find_settling(const Evaluator& here, const HeldFactor& held, const HeldMotion& motion,
                   std::vector<double>& settling, HeldWorkspace& workspace);

}  // namespace pequod
