// Contact models by name: what each demands of b⁺ and which impulses it allows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/models/contact_solver.h"
#include "contact/problem.h"
#include "contact/solvers/complementarity/pyramid_lcp.h"
#include "contact/solvers/friction/bodies/body_friction.h"
#include "contact/solvers/friction/bodies/body_pyramids.h"
#include "contact/solvers/friction/dissipation/body_dissipation.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/friction/forces/cone_force.h"
#include "contact/solvers/friction/loads/load_friction.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/linear/held_rows.h"

namespace pequod {

/// Impulses (velocity level, N·s) or forces (acceleration level, N) and what they lead to.
struct ContactSolution {
  SolveStatus status = SolveStatus::failed;
  std::string reason;          ///< why it is not solved
  VectorXd y;                  ///< m: L v⁺ or L v̇
  VectorXd fn;                 ///< n, ≥ 0
  VectorXd ft;                 ///< 2n: along s and t of each contact in turn
  std::vector<char> sticking;  ///< n: tangents were held
  std::vector<char> held;      ///< 2n: and not for being repeated by others (no-slip)
  std::vector<int> active;     ///< normals that carry, in order of entry: the next warm start
  std::vector<double> fj;      ///< k: friction of joints, |fj| ≤ bound
  std::vector<int> slide;      ///< k: sign of the sliding velocity, 0: sticks
  double residual = 0.0;       ///< worst relative residual of the solver
  int pivots = 0;
  int rounds = 0;    ///< no-slip: changes of the set of sticking contacts
  int locks = 0;     ///< no-slip: contacts kept in the set because it would repeat
  int switches = 0;  ///< solves again, by the default solver or with looser bounds, after failures
  /// Failed, but y and the impulses are of the best iterate, and a step may take them: in the
  /// cones, each equal and opposite, and without a gain of energy if no contact is asked to open.
  bool usable = false;
};

/// Whether it is solved, or failed with best impulses that will do unless the solver is thorough.
/// @param found  a ContactSolution, an ImpactSolution, or how either ended
template <typename Solution>
[[nodiscard]] bool may_take(const Solution& found, const ContactSolver& solver) {
  return found.status == SolveStatus::solved || (found.usable && !solver.thorough);
}

/// Of impulses under which nothing slips (contact/models/stuck.h); they carry no meaning.
struct StuckBuffers {
  std::vector<int> contacts;  // that stand still
  std::vector<double> units;  // N·s, of their impulses
  VectorXd loads;             // of the coordinates
  ConeForceProblem problem;
  ConeForceSolution solution;
  ConeForceWorkspace solver;
};

/// Buffers of a solve; they carry no meaning.
struct ContactWorkspace {
  LeastDistanceProblem problem;
  LeastDistanceSolution solution;
  LeastDistanceWorkspace solver;
  std::vector<char> set, next, locked, tried, sticking, held, left;
  HeldRows rows;
  std::vector<std::vector<char>> earlier;
  VectorXd speed, zero, multipliers;
  ContactSpeeds speeds;
  // Of joint friction, k each.
  std::vector<int> slide;
  std::vector<double> joint_force, joint_speed;
  VectorXd y;
  // Of friction cones.
  MatrixXd columns;
  SparseColumns sparse_columns;  // in place of columns
  bool posed_sparse = false;
  std::vector<double> guess;
  FrictionProblem friction;
  FrictionSolution friction_solution;
  FrictionWorkspace friction_solver;
  SparseFrictionProblem sparse;
  BodyProblem bodies;
  BodyFrictionSolution body_solution;
  BodyFrictionWorkspace body_solver;
  BodyDissipationWorkspace body_dissipation;
  BodyPyramidWorkspace body_pyramids;
  BodyPyramidSolution pyramid_solution;
  MaximumDissipationOptions dissipation_options;
  MaximumDissipationSolution dissipation;
  MaximumDissipationWorkspace dissipation_solver;
  DissipationPoint dissipation_point;
  ContactProblem without_joints;
  LcpProblem pyramids;
  LcpSolution lcp_solution;
  LcpWorkspace lcp_solver;
  StuckBuffers stuck;
  LoadFrictionProblem loads;
  LoadFrictionSolution load_solution;
  LoadFrictionWorkspace load_solver;

  void poison() {
    pequod::poison(problem, solver, set, next, locked, tried, sticking, held, left, rows, speed,
                   zero, multipliers, speeds.normal, speeds.tangent, slide, joint_force,
                   joint_speed, y, columns, guess, friction_solver, body_solver, body_dissipation,
                   body_pyramids, dissipation_solver, lcp_solver, load_solver);
  }
};

enum class ContactLevel { acceleration, velocity };

/// "acceleration" or "velocity".
[[nodiscard]] std::string_view level_name(ContactLevel level);

/// Coulomb friction at the acceleration level: what holds while a contact does not slip.
enum class StageFriction : char {
  none,     ///< no tangential force of contact
  no_slip,  ///< any tangential force; what no force holds slides as under Coulomb's law
  coulomb,  ///< up to μ fn; at the bound it slides
  per_row   ///< up to μ fn along each of the two tangents (Baraff 1994); sliding as coulomb
};

/// Names and pointers of one model. `solve` handles one island.
struct ContactModel {
  std::string_view name;
  ContactLevel level;  ///< at which it acts; of a model with both, velocity unless at_level() says
  StageFriction friction;  ///< at the acceleration level
  bool viscous;            ///< viscous friction enters the applied forces
  SolverFamily family;
  std::string_view source;
  std::string_view assumes;
  void (*solve)(const ContactProblem&, const ContactSolver&, std::span<const int> warm,
                ContactWorkspace&, ContactSolution&);
  /// Friction of impulses along the normals that are known and act in problem.y already, `pressed`
  /// (n, N·s): tangential impulses within what the model allows under these, of them those that
  /// leave the least kinetic energy (Tresca's law). The solution's fn are zero. Null: no friction.
  void (*rub)(const ContactProblem&, const ContactSolver&, const VectorXd& pressed,
              ContactWorkspace&, ContactSolution&);
  /// Whether `solve`, by the default solver of the family, finds the impulses of a step from the
  /// rows of the bodies alone (ContactProblem::in_bodies): never, where friction is Coulomb's with
  /// a bound, or always.
  enum class Bodies : char { none, bounded, all } bodies = Bodies::none;
};

[[nodiscard]] std::span<const ContactModel> contact_models();

/// Whether the model can act at this level.
[[nodiscard]] bool has_level(const ContactModel& model, ContactLevel level);
/// The model as it acts at this level.
/// @throws std::invalid_argument  with the reason, if it cannot
[[nodiscard]] ContactModel at_level(const ContactModel& model, ContactLevel level);
/// nullptr if there is none of that name.
[[nodiscard]] const ContactModel* find_contact_model(std::string_view name);

/// 0 ≤ fn ⊥ Gᵀy⁺ − c ≥ 0, no friction: the change of least kinetic energy (or Gauss' principle at
/// the acceleration level).
void solve_frictionless(const ContactProblem& problem, const LeastDistanceSolver& solver,
                        std::span<const int> warm, ContactWorkspace& workspace,
                        ContactSolution& solution);

/// Infinite friction at the velocity level (Drumwright 2015, sec. V). A strict solution (touching
/// contacts stick, separating ones carry nothing) need not exist nor be unique, so the result is
/// defined by a procedure: T = contacts with normal velocity ≤ tolerance before; solve with the
/// tangents of T held; T ← contacts with normal velocity ≤ tolerance after; once a set repeats, a
/// contact taken back stays in T. It ends, no touching contact slips, and energy never rises.
void solve_no_slip(const ContactProblem& problem, const LeastDistanceSolver& solver,
                   std::span<const int> warm, ContactWorkspace& workspace,
                   ContactSolution& solution);

/// ContactModel::rub: the contacts that are pressed do not slip.
void hold_pressed(const ContactProblem& problem, const LeastDistanceSolver& solver,
                  const VectorXd& pressed, ContactWorkspace& workspace, ContactSolution& solution);

/// Coulomb's law with its true cone, as a nonlinear complementarity problem: a contact is open,
/// sticks inside its cone, or slides against its friction with normal velocity zero (Acary &
/// Brogliato 2008; Le Lidec et al. 2023). The friction of joints is part of the same problem.
void solve_coulomb_cones(const ContactProblem& problem, const ContactSolver& solver,
                         std::span<const int> warm, ContactWorkspace& workspace,
                         ContactSolution& solution);

/// ContactModel::rub: within discs of radius μ times what presses.
void rub_in_cones(const ContactProblem& problem, const ContactSolver& solver,
                  const VectorXd& pressed, ContactWorkspace& workspace, ContactSolution& solution);

/// The impulses that leave the least kinetic energy, of those that push no harder than without
/// friction and stay in their cones (Drumwright & Shell 2010, QP 1). Viscous friction widens the
/// cone; the friction of joints acts before (QP 4).
void solve_drumwright_shell(const ContactProblem& problem, const ContactSolver& solver,
                            std::span<const int> warm, ContactWorkspace& workspace,
                            ContactSolution& solution);

/// Friction pyramids of ContactSolver::edges edges (Stewart & Trinkle 1996): as `coulomb` but for
/// the corners of the cone. An open contact may come nearer by its gap (c < 0).
void solve_stewart_trinkle(const ContactProblem& problem, const ContactSolver& solver,
                           std::span<const int> warm, ContactWorkspace& workspace,
                           ContactSolution& solution);
/// The same with the contacts that touch alone (Anitescu & Potra 1997): there is always a solution,
/// and it adds no energy.
void solve_anitescu_potra(const ContactProblem& problem, const ContactSolver& solver,
                          std::span<const int> warm, ContactWorkspace& workspace,
                          ContactSolution& solution);
/// ContactModel::rub: within polygons of ContactSolver::edges corners, at μ times what presses.
void rub_in_pyramids(const ContactProblem& problem, const ContactSolver& solver,
                     const VectorXd& pressed, ContactWorkspace& workspace,
                     ContactSolution& solution);

}  // namespace pequod
