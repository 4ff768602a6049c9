// Complementarity and contact problems by themselves, as files hold them.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/quadratic/quadratic_program.h"

namespace pequod {

/// What a file poses; docs/problems.md has the equations.
enum class ProblemKind {
  lcp,
  mlcp,
  relay,  ///< an affine variational inequality on a box
  fc2d,   ///< friction in contact space
  fc3d,
  rfc3d,  ///< with rolling friction
  gfc2d,  ///< friction in body space
  gfc3d,
  soclcp,  ///< friction without the shift: the convex model
  qp,      ///< a convex quadratic program
  least_distance,
  dissipation  ///< most dissipation over true cones (maximum_dissipation.h)
};

/// "lcp", …, "dissipation": as folders, files and --kind write it.
[[nodiscard]] std::string_view name(ProblemKind kind);
/// All of them, in the order of the enum.
[[nodiscard]] std::span<const ProblemKind> problem_kinds();
/// The kind of this name, or none.
[[nodiscard]] std::optional<ProblemKind> find_problem_kind(std::string_view name);

/// Friction in body space: M v = H r + q and u = Hᵀv + b with the laws of FrictionProblem for r, u.
struct GlobalFrictionProblem {
  int dimension = 3;              ///< components of a contact, 2 or 3
  Eigen::SparseMatrix<double> M;  ///< m×m, regular
  Eigen::SparseMatrix<double> H;  ///< m×N with N = dimension·n
  Eigen::VectorXd q;              ///< m, impulses on the bodies
  Eigen::VectorXd b;              ///< N
  Eigen::VectorXd mu;             ///< n, coefficients of friction, ≥ 0
  bool associated = false;        ///< no shift: the convex model
};

/// The same problem in contact space: W = HᵀM⁻¹H, q_local = HᵀM⁻¹q + b.
/// @throws std::invalid_argument  if M is singular
[[nodiscard]] FrictionProblem condensed(const GlobalFrictionProblem& problem);

/// Velocities of the bodies under the impulses r: v = M⁻¹(H r + q).
/// @throws std::invalid_argument  if M is singular
[[nodiscard]] Eigen::VectorXd body_velocities(const GlobalFrictionProblem& problem,
                                              const Eigen::VectorXd& r);

/// Impulses that leave the least energy, as solve_maximum_dissipation takes them.
struct DissipationProblem {
  FrictionProblem contacts;
  double slack = MaximumDissipationOptions{}.slack;  ///< of the bound on the normal impulses
  Eigen::VectorXd width;                             ///< n, N·s; empty: none
};

using ProblemData =
    std::variant<LcpProblem, MlcpProblem, BoxProblem, FrictionProblem, SparseFrictionProblem,
                 GlobalFrictionProblem, QuadraticProblem, LeastDistanceProblem, DissipationProblem>;

/// What a run made of a problem: the same solver gives it again bit for bit.
struct RecordedAnswer {
  std::string solver;
  std::string status;  ///< "solved", "no-solution", "failed"
  Eigen::VectorXd x;   ///< the unknowns; of least distance empty unless solved
  /// Least distance: of the equalities, then of the inequalities; empty if failed.
  Eigen::VectorXd multipliers;
  int pivots = 0;
};

struct Problem {
  ProblemKind kind = ProblemKind::lcp;
  ProblemData data;
  std::vector<int> warm_start;  ///< least-distance: the active set to start from, may be empty
  Eigen::VectorXd start;  ///< friction in contact space: the unknowns to start from, may be empty
  std::optional<RecordedAnswer> recorded;  ///< of a run
};

}  // namespace pequod
