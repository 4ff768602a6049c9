// Accelerations that keep what is held, and the forces that do it.
#pragma once

#include <vector>

#include "contact/sliding_rows.h"
#include "simulation/held/force_columns.h"

namespace pequod {

struct HeldWorkspace;

/// What accelerate() found in one island, in its coordinates y = L v̇.
struct IslandMotion {
  VectorXd y_free;       ///< without the forces of what is held, but with loops kept
  VectorXd y;            ///< held
  VectorXd c;            ///< m/s², what was asked of the normals, beside what loops give
  VectorXd rest;         ///< m/s² or rad/s², the same of the joints
  VectorXd multipliers;  ///< N, of the rows, where they are held by limbs
  double turning = 0.0;  ///< W/s, of the forces of rows at what the turn of these asks for
  // Of an island in which contacts slide:
  ForceColumns columns;
  VectorXd asked;             ///< of the orthonormal rows, without forces
  std::vector<double> units;  ///< N, of the forces of each cone; none if they are not sought in any
  SlidingRows sliding;
  SlidingRows::Forces forces;  ///< along the columns
};

/// What holding does to an acceleration.
struct HeldMotion {
  std::vector<double> force;        ///< N, normal, of each contact; repeated rows: later ones zero
  std::vector<double> joint_force;  ///< N·m or N, friction of the held joints, in their order
  std::vector<double> share;        ///< of its friction that each contact has; 1 unless it floats
  std::vector<double> floating_margin;  ///< N, how far each is from opening or closing, negative
                                        ///< past either; +∞ unless it floats
  double slip_power = 0.0;              ///< W, what friction takes from contacts that slide
  double unmet = 0.0;  ///< how far the rows of sliding islands are from being met, relative; above
                       ///< rounding if no force meets them
  std::vector<IslandMotion> islands;  ///< of those of the factor, and storage behind them
};

/// v̇ nearest to the free one, M⁻¹ force, so that N v̇ + Ṅ v = 0 for every held contact (of those
/// that stick the tangents too), held joints rest, and loops stay closed.
/// @param held   factored there: with tangents held if contacts rub, else without
/// @param force  generalised, less the bias: without the friction of floating contacts, whose
///               shares are found here
/// @param vdot   out: with that friction too
void accelerate(const Evaluator& here, const HeldFactor& held, const VectorXd& force,
                VectorXd& vdot, HeldMotion& out, HeldWorkspace& workspace);

/// Adds the share of their friction that floating contacts have to a generalised force.
void add_floating_friction(const Evaluator& here, const HeldSet& set, const HeldMotion& motion,
                           VectorXd& force);

/// Replaces forces of a motion that are not unique by some that only push and joint friction within
/// its bounds, if they exist.
/// @return |y_push − y_held| / |y_held − y_free|, y_push the nearest motion that pushing forces can
///         reach: 0 if the held motion is one of them, +∞ if there is none, or the solver finds
///         none
double push_only(const LeastDistanceSolver& solver, HeldFactor& held, HeldMotion& motion,
                 ContactWorkspace& solver_workspace, HeldWorkspace& workspace);

}  // namespace pequod
