// Held rows whose forces act along other columns than the rows: sliding friction.
#pragma once

#include <vector>

#include "contact/solvers/friction/forces/cone_force.h"
#include "contact/solvers/linear/held_rows.h"
#include "core/types.h"

namespace pequod {

/// Accelerations of held contacts of which some slide. Against Coulomb friction μ fn along −d the
/// normal force acts along n − μ d, so the columns C of the forces are not the rows G that are
/// held.
///
/// Where the forces that enforce the rows are not unique, those of least norm are taken: equal
/// springs at the contacts, or springs of equal give under one unit of load each, where a light
/// body's forces would drown in those of a heavy one. The motion depends on that choice if a patch
/// slides and spins at once, or sticks at a corner about which it turns.
class SlidingRows {
 public:
  /// Of a solve.
  struct Forces {
    VectorXd f;          ///< N, along the columns
    double unmet = 0.0;  ///< what the rows still ask, orthonormal: above rounding if no force along
                         ///< C does it (jamming, or Painlevé's paradox at its boundary)
    VectorXd asked, lambda;  ///< of the orthonormal rows: not met, and what load() needs
  };

  /// Takes the rows that are held and the columns of the forces.
  /// @param C     m×c
  /// @param unit  c, of the force along each column; empty: one
  void factor(const HeldRows& rows, const Eigen::Ref<const MatrixXd>& C, const VectorXd& unit);

  /// y ← y + C f with Gᵀy = e on the accepted rows, |f| least in its units. rows, C: as factored.
  void solve(const HeldRows& rows, const Eigen::Ref<const MatrixXd>& C, const VectorXd& e,
             VectorXd& y, Forces& out) const;

  /// The same with f in these cones, one after another along the columns, where there is such an f:
  /// equal springs at contacts whose friction gives way. Where there is none but by a little, the
  /// least change of the nearest one that keeps the rows; else f stays as it is.
  /// @param y, out  in and out: as solve() gave them
  void solve_in_cones(const Eigen::Ref<const MatrixXd>& C, const std::vector<ForceCone>& cones,
                      VectorXd& y, Forces& out, ConeForceBuffers& buffers) const;

  /// What a force along another column g, of unit one, would be by the same law, N: positive if it
  /// took load.
  [[nodiscard]] static double load(const HeldRows& rows, const Forces& found,
                                   const Eigen::Ref<const VectorXd>& g);

 private:
  void restore_units(VectorXd& f) const;

  HeldRows columns_;  // rows of Qᵀ C, in the space of the forces
  MatrixXd W_;        // of forces in their units
  VectorXd unit_;
};

}  // namespace pequod
