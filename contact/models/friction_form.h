// How contact problems with friction cones are posed, and their answers read.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// W = GᵀG, q = Gᵀy − c and μ of the contacts, in workspace.friction, with G = [N S T] contact by
/// contact in workspace.columns. A joint limit is a contact without friction.
///
/// With `joints`, each joint with Coulomb friction is one more contact behind them, whose normal
/// belongs to no motion of the bodies: u_n = w (r_n − b) presses it by just the bound b of the
/// joint, and with μ = 1 its one tangent is the joint's row (only under Coulomb's law, where r_n is
/// then b exactly).
///
/// With `pressed` (n, N·s) the impulses along the normals are known and act already: each contact
/// is posed as such a joint is, pressed by just that much.
void pose_friction(const ContactProblem& problem, bool joints, ContactWorkspace& workspace,
                   const VectorXd* pressed = nullptr);

/// The same as a sparse problem, joints included, for islands of many contacts: W of bodies that do
/// not touch is zero, and the dense product would cost more than the solve. G is in
/// workspace.sparse_columns.
void pose_sparse_friction(const ContactProblem& problem, ContactWorkspace& workspace,
                          SparseFrictionProblem& posed, const VectorXd* pressed = nullptr);

/// Last impulses as components of the contacts and joints posed, the solver's warm start; empty if
/// unknown.
void guess_impulses(const ContactProblem& problem, ContactWorkspace& workspace);

/// The impulses of a solution in the same place.
void guess_from(const ContactSolution& solution, ContactWorkspace& workspace);

/// An impulse or a speed below this share of the largest speed counts as none, in the metric of y:
/// solvers that give no modes leave every contact a little of both.
inline constexpr double kNegligible = 1e-6;

/// Tangential impulses of contacts that can only move along one direction, as the foot of a planar
/// arm can: what s and t do is then the same motion, and any share of the two leads to it. The
/// least impulse is along that direction, however s and t lie.
/// @param ft  2n, in and out
void share_parallel_tangents(const ContactProblem& problem, VectorXd& ft);

/// Impulses that lead to out.y; active are the contacts that carry. Sticking contacts are the
/// caller's.
/// @param r  as posed
void read_forces(const ContactProblem& problem, const VectorXd& r, ContactSolution& out);
/// The same with y⁺ = y + G r.
void read_impulses(const ContactProblem& problem, const VectorXd& r,
                   const ContactWorkspace& workspace, ContactSolution& out);

/// Friction of the joints posed as contacts.
/// @param slides  whether the joint of this place, 0 for the first, is at its bound
template <typename Slides>
void read_posed_joints(const ContactProblem& problem, const VectorXd& r, const Slides& slides,
                       ContactSolution& out) {
  for (int j = 0; j < static_cast<int>(problem.bound.size()); ++j) {
    const double force = r[3 * (problem.n + j) + 1];
    out.slide.push_back(!slides(j) ? 0 : force > 0.0 ? -1 : 1);
    out.fj.push_back(force);
  }
}

/// The last resort of models whose own solvers do not solve a problem: contacts that repeat each
/// other but for a rounding leave complementarity and equality rows without digits, while methods
/// that go from contact to contact do not mind. Coulomb's law with its true cone by the default
/// chain, counted as one more switch.
void solve_by_last_resort(const ContactProblem& problem, int switches, ContactWorkspace& workspace,
                          ContactSolution& solution);
/// The same of ContactModel::rub.
void rub_by_last_resort(const ContactProblem& problem, const VectorXd& pressed,
                        ContactWorkspace& workspace, ContactSolution& solution);

/// Active contacts that do not slip stick.
void hold_what_sticks(const ContactProblem& problem, ContactSolution& out);

/// All impulses are made smaller where they leave more kinetic energy than there was: what is short
/// of a solution may push too hard.
void give_no_energy(const ContactProblem& problem, ContactSolution& solution);

}  // namespace pequod
