// Impacts: compression by the contact model, then restitution, never a gain of energy.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

enum class Restitution {
  poisson,
  newton,
  newton_raw  ///< Newton's law even where it adds energy
};

/// What an impact did to one island, impulses summed over all its phases.
struct ImpactSolution {
  SolveStatus status = SolveStatus::failed;
  std::string reason;          ///< why it is not solved
  VectorXd y;                  ///< m: L v⁺
  VectorXd pn;                 ///< n, N·s
  VectorXd pt;                 ///< 2n, N·s
  std::vector<char> sticking;  ///< n
  std::vector<int> active;
  double loss = 0.0;  ///< J, kinetic energy lost; ≥ 0 but under newton_raw
  double residual = 0.0;
  int pivots = 0;
  int switches = 0;      ///< as ContactSolution
  bool reduced = false;  ///< restitution was lowered so that no energy is gained
  /// Failed, but the impulses are those of best iterates, as of ContactSolution.
  bool usable = false;
};

/// Solves the impact of the contacts of `problem` (y = L v⁻, c = 0 on entry and exit).
///
/// Poisson: compression to N v ≥ 0 with impulses p; then expansion, e p along the normals and the
/// friction that these allow (ContactModel::rub); then non-penetration again (Drumwright & Shell
/// 2010, phases I and III; print has no friction in expansion: a ball that slides throughout would
/// be slowed by μ p, not by μ (1 + e) p). Newton: N v⁺ ≥ −e N v⁻ in one solve. If kinetic energy
/// would rise, all coefficients are scaled down by bisection until it does not (Newton's law with
/// friction can add energy: Kane & Levinson 1985), but not under newton_raw. The same if there is
/// no solution, or none is found: walls that are told to part may pinch. Unless the solver is
/// thorough the best iterate of a phase in which no contact is told to part is as good as a
/// solution.
/// @param restitution  n coefficients e in 0…1
void resolve_impact(ContactProblem& problem, const ContactModel& model, const ContactSolver& solver,
                    Restitution law, std::span<const double> restitution, std::span<const int> warm,
                    ContactWorkspace& workspace, ImpactSolution& solution);

}  // namespace pequod
