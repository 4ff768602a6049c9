#pragma once

#include <Eigen/Sparse>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/solvers/linear/solve_status.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Contacts with Coulomb friction: find impulses r and velocities u = W r + q with, contact by
/// contact,
///
///   K ∋ r,   K* ∋ u + μ|u_t| e_n,   rᵀ(u + μ|u_t| e_n) = 0,   K = {r : |r_t| ≤ μ r_n}
///
/// (Acary & Brogliato 2008, sec. 3.9): a contact is open, or closed and stuck, or it slides against
/// its friction. With `associated` the shift μ|u_t| e_n is left out: the convex relaxation, in
/// which sliding contacts lift. With dimension 5 there is rolling friction: the cone is
/// {r : |r_t| ≤ μ r_n, |r_m| ≤ μ_m r_n} and the shift (μ|u_t| + μ_m|u_m|) e_n.
///
/// Components stand contact by contact, normal first, then tangents, then the two rolling moments.
/// W need be neither regular nor symmetric. μ = 0 takes the tangents out. A μ of kNoSlipFriction or
/// more, infinity among them, means no slip: a contact that carries force does not slide.
template <class Matrix>
struct ContactsWith {
  int dimension = 3;        ///< components of a contact: 2 in a plane, 3, or 5 with rolling
  Matrix W;                 ///< N×N with N = dimension·n, Delassus matrix; m/s per N·s
  VectorXd q;               ///< N, velocities without impulses, m/s
  VectorXd mu;              ///< n, coefficients of friction, ≥ 0
  VectorXd mu_rolling;      ///< n, m, if the dimension is 5; else not looked at
  bool associated = false;  ///< no shift: the convex model
  /// |v*|_M, the root of twice the kinetic energy of the velocities without impulses, if it is
  /// known, else 0. It keeps rounding at rest from looking like an error.
  double scale = 0;
};

using FrictionProblem = ContactsWith<MatrixXd>;
/// The same with a sparse W, for hundreds of contacts and more.
using SparseFrictionProblem = ContactsWith<Eigen::SparseMatrix<double>>;

/// From here on a coefficient of friction means no slip (at rising μ the cone's equations become
/// unsolvable in double precision).
inline constexpr double kNoSlipFriction = 1e3;

/// Impulses this much larger than the motion are no solution: a residual relative to them hides
/// that contacts close. Valid stacks with mass ratios of 10⁶ reach 10³.
inline constexpr double kGrown = 1e6;

enum class FrictionMode { open, stick, slide };

/// "open", "stick" or "slide".
[[nodiscard]] std::string_view name(FrictionMode mode);

/// How far r and u = W r + q are from a solution. `natural_map` is in the problem's own units. All
/// others are in contact units ρ = r/d, û = d u, d = (tr W_ii/dimension)^−½ contact by contact,
/// both roots of energies, and relative to S = max(|q̂|, |ρ|, |û|, scale).
struct FrictionResiduals {
  double natural_map = NAN;  ///< |r − P_K(r − u − μ|u_t| e_n)| / max(|q|, |r|, |u|)
  double scaled = NAN;       ///< the same with ρ and û, over S
  double normal = NAN;       ///< largest |û_n| of contacts that carry force
  double stick = NAN;        ///< largest |û_t| of contacts that stick
  double slide = NAN;  ///< largest |û_t × ρ_t|/|ρ_t|, or û_t·ρ_t/|ρ_t| if friction drives
  double cone = NAN;   ///< largest |ρ_t| − μρ_n, −ρ_n or −û_n
  /// |ρ| over max(|q̂|, scale), not over S: above kGrown no residual is believed.
  double growth = NAN;
  /// ½ rᵀ(u + q), J if W is symmetric: the change of kinetic energy if q = N v*, never above zero
  /// then. Not relative.
  double energy_change = NAN;
};

struct FrictionOptions {
  double tolerance = 1e-12;  ///< a scaled residual at which iterations end
  double accepted = 1e-8;    ///< a scaled residual above this is a failure
  int max_iterations = 0;    ///< of the method (sweeps, steps); 0: its own default
  /// Where several velocities solve the problem, as under redundant contacts: the limit of
  /// vanishing compliance, which does not depend on the warm start, or the solution found first.
  enum class Choice {
    automatic,    ///< the limit of up to 32 contacts if W of the loaded ones is singular and one
                  ///< of them slides
    first_found,  ///< depends on the warm start
    limit,
    /// Where W of the loaded contacts is singular and one slides, another solution than the limit
    /// if one is found: that to which sweeps from contact to contact lead, the last contact first,
    /// from no impulses. Up to 100 contacts.
    other
  } choice = Choice::automatic;
  unsigned seed = 1;  ///< of random restarts
};

struct FrictionSolution {
  /// no_solution: forces grow without limit, as between closing walls.
  SolveStatus status = SolveStatus::failed;
  std::string reason;  ///< why it is not `solved`; empty if it is

  VectorXd r, u;                    ///< N each; the best iterate if `failed`, with its residuals
  VectorXd units;                   ///< n, d of each contact, see FrictionResiduals
  std::vector<FrictionMode> modes;  ///< n
  FrictionResiduals residuals;      ///< recomputed from the problem

  /// The modes hold to rounding: scaled, cone ≤ 1e-12; normal, stick, slide ≤ 1e-13, and sliding
  /// friction is μ times the normal impulse. Never set for associated or rolling problems.
  bool exact = false;
  /// W of the loaded contacts is singular and one slides, so that other velocities may solve the
  /// problem too: as far as the default chain has looked, for Choice::automatic and other.
  bool several = false;
  int iterations = 0;       ///< of the stage that ended the solve
  std::string_view method;  ///< the stage that produced r, as "newton" or "admm"
};

struct FrictionWorkspace;

/// What every friction solver looks like.
/// @param warm_start  r of a similar problem, same contacts; empty: a cold start
/// @throws std::invalid_argument  as check(problem)
template <class Problem>
using ContactsMethod = void(const Problem& problem, const FrictionOptions& options,
                            std::span<const double> warm_start, FrictionWorkspace& workspace,
                            FrictionSolution& solution);

/// Residuals and modes of `solution.r`; sets u = W r + q, modes, residuals and `exact`.
template <class Matrix>
void measure(const ContactsWith<Matrix>& problem, FrictionSolution& solution);

/// Sets status and reason from the residuals, kGrown and `accepted`.
void judge(const FrictionOptions& options, FrictionSolution& solution);

/// `failed` for this reason, without impulses: the method does not take the problem.
/// @param rows, contacts  of the problem
void refuse(Index rows, Index contacts, const char* reason, FrictionSolution& solution);

/// d of contact i, see FrictionResiduals.
template <class Problem>
[[nodiscard]] double contact_unit(const Problem& problem, int i) {
  double trace = 0;
  for (int k = problem.dimension * i; k < problem.dimension * (i + 1); ++k)
    trace += problem.W.coeff(k, k);
  return trace > 0 ? std::sqrt(problem.dimension / trace) : 1;
}

/// @throws std::invalid_argument  if sizes do not fit together, an entry is not finite (but for μ)
///                                or a coefficient of friction is negative
void check(const FrictionProblem& problem);
void check(const SparseFrictionProblem& problem);

}  // namespace pequod
