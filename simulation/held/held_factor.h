// The rows of what is held, assembled and factored at one place.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "simulation/contact_motion.h"
#include "simulation/evaluate.h"
#include "simulation/held/held_island.h"

namespace pequod {

/// What a factor does about tangents.
enum class HeldTangents {
  without,  ///< nothing: for contacts that hold their normals alone
  present,  ///< their rows are there, none is held
  of_few,   ///< as held, but in islands of many contacts normals alone: for the end of a step of
            ///< impulses, which stop again what slips by the turn of the contacts over the step
  held      ///< contacts that stick hold theirs
};

/// Rows of contacts that repeated others where a step starts. They go on to do so: flush faces have
/// more corners than they need, and within the step, where they are flush no more to its error, a
/// corner held as if it were independent would ask for a force of that error over its arm. So do
/// tangents along a line of contacts.
struct RepeatedRows {
  std::vector<ContactRow> keys;  ///< ascending
  bool known = false;

  void clear() {
    keys.clear();
    known = false;
  }
};

/// Adds a row of what impulses hold; one that all but repeats others is rejected.
void add_impulse_row(const Eigen::Ref<const VectorXd>& row, HeldRows& rows);

/// problem.basis as a factor at the end of a step of impulses has it, to the bit, where all
/// contacts carry and stick; problem.has_basis says whether no row repeats others.
void find_basis(ContactProblem& problem);

/// A held set and a rank-aware factor of its rows, island by island. Invariant: the islands are
/// those of the set, and the rows those of the last factor().
class HeldFactor {
 public:
  /// @param team  who factors the islands
  explicit HeldFactor(const Model& model, const Team* team = nullptr) : set_(model), team_(team) {}

  /// Takes what to hold. Rows stay if it is all the same and they are independent of each other;
  /// else there are none before it is factored.
  void hold(const HeldSet& set);
  /// The same, in exchange for what was held before.
  void exchange(HeldSet& set) {
    std::swap(set_, set);
    forget_rows();
  }
  /// As hold(), of contacts without friction. @param sticking  1: tangents too; or empty
  /// @param brief  as of HeldSet
  void hold(const Touching& contacts, std::span<const int> joints,
            std::span<const char> sticking = {}, bool brief = false);
  /// What is held, its contacts where they were followed to last.
  [[nodiscard]] const HeldSet& set() const { return set_; }
  [[nodiscard]] std::span<const HeldIsland> islands() const { return {islands_.data(), count_}; }
  /// Who factors them, and may do more with them.
  [[nodiscard]] const Team* team() const { return team_; }
  /// Whether every row is independent, so that forces along them are unique.
  [[nodiscard]] bool unique() const;

  /// Follows the contacts to where `here` stands and factors the rows there; where the same has
  /// been factored last, as in the stages of what stands still, nothing is done.
  /// @param repeated  of this step, found by the first call with contacts; null: each row is judged
  ///                  as it is
  void factor(const Evaluator& here, HeldTangents tangents, RepeatedRows* repeated = nullptr) {
    if (fresh_ && tangents == tangents_ && is_at(here.q())) return note(repeated);
    factor(here.model(), here.kinematics(), here.factor(), here.q(), tangents, repeated);
    fresh_ = true;
  }
  /// The same, always, with the mass factor of another place: for projections of positions there.
  void factor(const Model& model, const Kinematics& kin, const MassFactor& mass, const VectorXd& q,
              HeldTangents tangents, RepeatedRows* repeated = nullptr);
  /// As factor() without tangents in a model without loops, from rows that were assembled already:
  /// those of the kept ones among the contacts of the islands, in the order they are held. Contacts
  /// at limbs that stick, all of them, hold their tangents too, whose factor is at hand. For
  /// projections of positions alone.
  void factor_from(const std::vector<Island>& islands, const std::vector<int>& tree_offset,
                   const std::vector<ContactProblem>& problems, const std::vector<char>& keep);
  /// Hands over the islands and rows of the last factor(), if they belong to q and just these
  /// contacts, so that the next step need not find and assemble them again.
  /// @return whether they do
  [[nodiscard]] bool give_rows(const VectorXd& q, std::span<const Contact> contacts,
                               std::vector<Island>& islands, std::vector<int>& tree_offset,
                               std::vector<ContactProblem>& problems);
  /// The problem of island k with these conditions, all as in ContactProblem.
  [[nodiscard]] const ContactProblem& pose(std::size_t k, const VectorXd& y, const VectorXd& c,
                                           const VectorXd& rest);

  /// Where the contacts are followed from: what an earlier trial left may be the other of two
  /// crossings of a rim and an edge.
  void follow_from(const Touching& contacts) {
    set_.touching.points = contacts.points;
    followed_ = false;
  }
  /// Follows the contacts to other poses, unless they are there; the rows stay.
  /// @param links  their poses, or the Kinematics there
  /// @param q      of those poses
  template <typename Links>
  void follow(const Model& model, const Links& links, const VectorXd& q) {
    fresh_ = fresh_ && is_at(q);
    if (has_followed_to(q)) return;
    follow_touching(model, links, q, set_.touching, team_);
    followed_q_ = q;
    followed_ = true;
  }
  /// Where the slip of contact i is going: see HeldLaw. The rows stay.
  void aim(std::size_t i, const Vector3d& direction_W) { set_.laws[i].aim_W = direction_W; }
  /// The bodies have moved: the next factor() is done even if it is back where they were.
  void outdate() { fresh_ = false; }

 private:
  [[nodiscard]] bool is_at(const VectorXd& q) const { return are_equal(q_, q); }
  [[nodiscard]] bool has_followed_to(const VectorXd& q) const {
    return followed_ && are_equal(followed_q_, q);
  }
  void spread_contacts(std::span<int> contacts) const;
  [[nodiscard]] bool is_many(const Island& island) const;
  [[nodiscard]] bool sticks_at_all(const Island& island) const;
  [[nodiscard]] bool holds_normals_alone(const Island& island, HeldTangents tangents) const;
  void forget_rows();
  void note(RepeatedRows* repeated) const;
  void start_islands(std::size_t count);
  void group(const Model& model);
  void take_contacts(const Island& whole, HeldIsland& part) const;
  void take_rows(const ContactProblem& problem, HeldIsland& part) const;
  void factor_island(const Model& model, const Kinematics& kin, const MassFactor& mass,
                     HeldIsland& part, const RepeatedRows* repeated) const;
  [[nodiscard]] bool holds_all_contacts(const HeldIsland& part,
                                        const ContactProblem& problem) const;
  [[nodiscard]] bool holds_all_rows(const HeldIsland& part, const ContactProblem& problem) const;
  [[nodiscard]] double compared_lengths(int contact) const;
  void add_row(HeldIsland& part, int i, int row, const RepeatedRows* repeated) const;
  void add_normals(HeldIsland& part, const RepeatedRows* repeated) const;
  void add_tangents(HeldIsland& part, const RepeatedRows* repeated) const;
  void add_joints(const ContactProblem& problem, HeldIsland& part) const;

  HeldSet set_;
  const Team* team_;
  std::vector<HeldIsland> islands_;  // storage, the first count_ are there
  std::size_t count_ = 0;
  std::vector<int> tree_offset_;
  VectorXd q_;             // of the rows
  VectorXd followed_q_;    // of the contacts,
  bool followed_ = false;  // unless they are where they were given
  HeldTangents tangents_ = HeldTangents::without;
  bool grouped_ = false;   // the islands are those of all contacts and joints of the set
  bool fresh_ = false;     // contacts, rows and mass factor are those of q_, with tangents_
  bool has_rows_ = false;  // the problems have all rows of the contacts at q_
  // Written before they are read.
  struct Buffers {
    std::vector<Island> islands;
    std::vector<int> kept_index;  // of each contact among the kept ones; −1: not kept
  };
  Buffers buffers_;
};

}  // namespace pequod
