// From contacts to matrices: rows, and the factored response operator A = G Gᵀ.
#pragma once

#include <span>
#include <vector>

#include "contact/column_buffer.h"
#include "contact/contact.h"
#include "contact/islands.h"
#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/linear/held_rows.h"
#include "contact/solvers/linear/limb_rows.h"
#include "contact/solvers/linear/sparse_columns.h"
#include "core/dynamics.h"

namespace pequod {

/// One island's contact problem in the coordinates y = L v (or L v̇), M = LᵀL: then the kinetic
/// metric is the plain one and b⁺ = Gᵀ y. Serves velocities (c = 0, m/s, multipliers in N·s) and
/// accelerations (c = −Ṅ v in m/s², multipliers in N).
struct ContactProblem {
  int m = 0, n = 0;       ///< coordinates, contacts
  ColumnBuffer normals;   ///< m × n: L⁻ᵀ Nᵀ
  ColumnBuffer tangents;  ///< m × 2n: L⁻ᵀ Sᵀ, L⁻ᵀ Tᵀ in turn; zero for joint limits
  VectorXd y;             ///< m: before contact
  VectorXd c;             ///< n: Gᵀ y⁺ ≥ c
  /// In place of the columns above, which are then empty: see assemble_body_rows().
  BodyRows bodies;
  std::vector<char> limit;  ///< n: 1 for a joint limit, which has no tangents
  std::vector<int> patch;   ///< n: the first contact of the patch this one belongs to
  bool crowded = false;     ///< rows may come near others: two contacts join the same two links,
                            ///< or links that hardly move apart, loops leave few motions, or guides
                            ///< leave next to none of a tangent
  std::vector<double> friction;  ///< n: μc, 0 of a joint limit
  std::vector<double> viscous;   ///< n: μv, N·s/m
  VectorXd
      force;  ///< 3n: last forces along n, s, t, N; of models with cones; nothing where step is 0
  double step = 0.0;  ///< s, of impulses once a step; 0: an impact, or accelerations

  // Joints with Coulomb friction; none unless assemble_joint_rows() was called.
  ColumnBuffer joints;        ///< m × k: L⁻ᵀ eⱼ of the coordinates Island::joints
  std::vector<double> bound;  ///< k: largest |multiplier|, N·m·s at velocity level, else N·m
  std::vector<int> slide;     ///< k: where to start: sign of the sliding velocity, 0: sticks
  VectorXd rest;  ///< k: gᵀy⁺ of a joint that sticks; not zero only where loops turn

  // Loops of the island, if it has some (contact/loop_rows.h): the columns above are then what the
  // loops leave of them, and these are the parts they hold, Qᵀ g.
  HeldRows loops;
  ColumnBuffer normals_in_loops, tangents_in_loops, joints_in_loops;

  /// The rows once more, by blocks, if all contacts are at the ends of limbs.
  LimbRows limbs;
  /// Orthonormal rows of all contacts, the normals and then the tangents of each patch, if whoever
  /// assembled the rows factored them all and none repeats others; of limbs, their factor is in its
  /// place.
  HeldRows basis;
  bool has_basis = false;

  /// How many rows a basis has, if there is one.
  [[nodiscard]] Eigen::Index basis_rows() const {
    return limbs.factored() ? 3 * n : static_cast<Eigen::Index>(basis.accepted().size());
  }
  /// HeldRows::solve() of the basis.
  void solve_by_basis(const VectorXd& e, VectorXd& at, VectorXd& f) const {
    limbs.factored() ? limbs.solve(e, at, f) : basis.solve(e, at, f);
  }
  [[nodiscard]] bool in_bodies() const { return n > 0 && bodies.contacts() == n; }
  /// Speed along the normal of contact i, and along tangent j, at y.
  [[nodiscard]] double normal_speed(int i, const VectorXd& at) const {
    return in_bodies() ? bodies.dot(i, 0, at) : normals.dot(i, at);
  }
  [[nodiscard]] double tangent_speed(int j, const VectorXd& at) const {
    return in_bodies() ? bodies.dot(j / 2, 1 + j % 2, at) : tangents.dot(j, at);
  }
  /// |L⁻ᵀ Nᵀ|² of contact i.
  [[nodiscard]] double squared_normal(int i) const {
    return in_bodies() ? bodies.squared_norm(i, 0) : normals.squared_norm(i);
  }
  /// The same of tangent j.
  [[nodiscard]] double squared_tangent(int j) const {
    return in_bodies() ? bodies.squared_norm(j / 2, 1 + j % 2) : tangents.squared_norm(j);
  }
  /// out ← out + what the impulse r of contact i changes, along n, s and t.
  void add_impulse(int i, const double* r, VectorXd& out) const;
};

/// Member by member: moved as wholes, three times, they would cost as much as rows of two contacts.
void swap(ContactProblem& a, ContactProblem& b) noexcept;

/// How fast the contacts of an island move at some y.
struct ContactSpeeds {
  VectorXd normal;   ///< n
  VectorXd tangent;  ///< 2n
};
void find_speeds(const ContactProblem& problem, const VectorXd& y, ContactSpeeds& out);

/// Share of the speed that a joint gives to points as far from it as a contact: along a direction
/// in which none of its joints gives it more, the contact does not move, and its row there is zero.
/// A ball on a straight guide has no tangents on a wall across it, whose rows are the rounding of
/// three directions (1e-16, and 1e-12 where a normal is the difference of two places); taken for
/// rows, they would ask for impulses that are larger by the inverse. All rows are judged here,
/// once, for impacts and for what is held alike.
inline constexpr double kNoMotion = 1e-10;
/// Of the longest row of a contact: a tangent that is shorter, but there, may differ from the other
/// by rounding only (rank is judged to 1e-9 of a row's own length and coarser).
inline constexpr double kShortRow = 1e-6;

/// Whether a tangent of a contact is next to nothing beside its other rows: of a body that is
/// guided, what is left of it may repeat the other tangent. @param normal, s, t  squares of rows
[[nodiscard]] bool has_short_tangent(double normal, double s, double t);

/// An island's problem without contacts, to be filled.
void clear_problem(const Island& island, ContactProblem& problem);

/// Fills rows (not y and c) for the contacts of the island.
void assemble_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                   std::span<const Contact> contacts, const Island& island,
                   std::span<const int> tree_offset, ContactProblem& problem);

/// Whether each tree of the island is a free body, and nothing but contacts of shapes is on it: no
/// joint limit, no loop, no friction of joints.
[[nodiscard]] bool has_free_bodies(const Model& model, std::span<const Contact> contacts,
                                   const Island& island);

/// The same for an island of free bodies, in ContactProblem::bodies: columns of all coordinates are
/// what islands of hundreds of bodies cost most. Each contact is a patch by itself.
void assemble_body_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        std::span<const Contact> contacts, const Island& island,
                        std::span<const int> tree_offset, ContactProblem& problem);

/// The same without tangents and patches, for who needs neither.
void assemble_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                      std::span<const Contact> contacts, const Island& island,
                      std::span<const int> tree_offset, ContactProblem& problem);

/// The normals of an island without loops, most of their entries left out as zero.
void assemble_sparse_normals(const Model& model, const Kinematics& kin, const MassFactor& factor,
                             std::span<const Contact> contacts, const Island& island,
                             std::span<const int> tree_offset, SparseColumns& columns);

/// Adds the rows of Island::joints after assemble_rows(), with bounds τ_c (N·m or N), all sticking.
void assemble_joint_rows(const Model& model, const MassFactor& factor, const Island& island,
                         std::span<const int> tree_offset, ContactProblem& problem);

}  // namespace pequod
