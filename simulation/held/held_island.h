// The rows of what is held in one island, and their factor.
#pragma once

#include <vector>

#include "contact/problem.h"
#include "contact/solvers/linear/gram_factor.h"
#include "simulation/held/held_set.h"

namespace pequod {

/// A row of a contact: 0 its normal, 1 and 2 its tangents.
struct ContactRow {
  ContactKey key;
  int row = 0;

  auto operator<=>(const ContactRow&) const = default;
};

/// Rows of one island in its coordinates y = L v, and a rank-aware factor of those that are held:
/// normals of all contacts, tangents of some, joints. Its loops are held beside them, and taken off
/// all columns.
struct HeldIsland {
  Island island;              ///< floating contacts last
  ContactProblem problem;     ///< columns of all rows; not assembled where they are sparse
  std::vector<int> from;      ///< of factor_from(): places of its contacts among those it was given
  std::vector<int> tangents;  ///< contacts whose tangents are held, as places in island.contacts
  std::vector<int> joints;    ///< joints that are held, as places in island.joints
  std::vector<ContactRow> repeating;  ///< rows of contacts that repeated others in that order
  HeldRows rows;                      ///< of the normals, then those tangents, then those joints
  /// Many contacts of which only the normals are held, and none repeats others: then these are in
  /// place of problem and rows.
  bool sparse = false;
  SparseColumns columns;
  mutable GramFactor gram;  ///< its solve() has buffers of its own
  /// All rows of contacts at limbs are held: then by the factor of problem.limbs.
  bool in_limbs = false;

  /// Factors the columns. @return false if some come near combinations of others
  [[nodiscard]] bool factor_columns();
  /// Of the rows offered, those that repeat others too.
  [[nodiscard]] Eigen::Index row_count() const;
  /// Whether rows repeat others, so that forces along them are not unique.
  [[nodiscard]] bool repeats() const;
  /// y to the nearest point where the rows are e, and the multipliers f that lead there.
  void solve(const VectorXd& e, VectorXd& y, VectorXd& f) const;
  /// The same for e = 0, without multipliers.
  void project(VectorXd& y) const;
  /// Whether the row is none that repeats others.
  [[nodiscard]] bool is_accepted(std::size_t row) const {
    return in_limbs || rows.accepted()[row] != 0;
  }
  /// Moves y to where the rows of the loops are loop_e, and takes from what is asked of the rows of
  /// contacts and joints, e, what that gives them.
  /// @param rest  out: what is left to ask of all joints of the island
  void keep_loops(const VectorXd& loop_e, VectorXd& y, VectorXd& e, VectorXd& rest) const;
  /// Of |L v̇|, what is left of it relative to what was asked, or to accelerations of kBarelyAsked
  /// of one of its contacts, which rounding asks for where nothing is asked, as of bodies that
  /// touch in free flight. @param left, asked  sqrt(kg) m/s²
  [[nodiscard]] double share_left(double left, double asked) const;
  /// Exact zeros for held joints where the rows left roundings in x (Model::nv), which a run of
  /// hours would add up. @param noise  also where no row of its own holds the joint
  void rest_joints(double noise, VectorXd& x) const;
};

/// One island of what is held, where it is: what the functions on it read.
struct IslandView {
  const Evaluator& here;
  const HeldSet& set;
  const HeldIsland& part;

  [[nodiscard]] const Model& model() const { return here.model(); }
  [[nodiscard]] const Kinematics& kin() const { return here.kinematics(); }
  [[nodiscard]] std::size_t index(int i) const { return contact_index(part.island, i); }
  [[nodiscard]] const Contact& contact(int i) const { return set.touching.contacts[index(i)]; }
  [[nodiscard]] const HeldLaw& law(int i) const { return set.laws[index(i)]; }
  [[nodiscard]] bool slides(int i) const { return set.slides(index(i)); }
};

/// Whether any contact of the island slides.
[[nodiscard]] bool slides_in(const HeldSet& set, const Island& island);

}  // namespace pequod
