// Held rows without a multiplier: floating contacts, whose friction takes the place of the normal.
#pragma once

#include "contact/solvers/linear/held_rows.h"
#include "core/types.h"

namespace pequod {

/// Shares of the frictions of k floating contacts, and how far each is from the ends of its mode.
struct FloatingShares {
  VectorXd share;  ///< k, in [0, 1] while the mode lasts
  // What its multiplier would be, the other shares kept, positive while its own is within [0, 1].
  // Of a row that repeats others: shares of the largest force that its friction makes on theirs.
  VectorXd to_open;          ///< k, N: with none of its friction
  VectorXd to_close;         ///< k, N: with all of its friction
  MatrixXd response, moved;  ///< n×k, m×k: multipliers and change of y by a whole friction
  VectorXd zero, y, f;       ///< buffers
};

/// As HeldRows::solve, but k of the n columns offered carry no multiplier. Instead the
/// frictions act that are the columns of `pull` (m×k: L⁻ᵀ f), each scaled by its share α. The
/// multipliers are affine, λ(α) = λ(0) + Λ α, so that λ = 0 on those k rows is a linear system.
/// Where rows repeat each other, as at the corners of flush faces, many shares do: those nearest to
/// `near` are taken. Shares act within [−1, 2] only, so that a trial step past the end of the mode
/// stays finite.
/// @param first  which of the columns are those k: first … first + k − 1, behind those they may
/// repeat
/// @param near  k, shares of before
/// @param y  in: without those frictions; out: with all rows enforced
/// @param f  n, zero for the k rows
void solve_floating(const HeldRows& rows, const VectorXd& e, const MatrixXd& pull,
                    Eigen::Index first, const VectorXd& near, VectorXd& y, VectorXd& f,
                    FloatingShares& out);

}  // namespace pequod
