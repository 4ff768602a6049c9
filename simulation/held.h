// Contacts held at zero gap and loops held closed: their rows, and projection back onto them.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <span>
#include <vector>

#include "contact/floating_rows.h"
#include "contact/models/contact_model.h"
#include "contact/sliding_rows.h"
#include "contact/solvers/cone_force.h"
#include "contact/solvers/gram_factor.h"
#include "simulation/touching.h"

namespace pequod {

/// Held contacts, and the loops of the model, with a rank-aware factor of their rows, island by
/// island.
class HeldContacts {
 public:
  /// Gaps below count as closed, m or rad: far below the tolerance, above rounding at 1 m.
  static constexpr double kClosed = 1e-13;

  /// The loops of the model are held whatever the contacts do.
  explicit HeldContacts(const Model& model) : loops_(!model.loops.empty()) {}

  /// Whether the contacts are of a step that has been held before, some of them or all.
  enum class Start { another, same };
  /// Takes the contacts to hold; `sticking[i]` also holds the tangents of contact i.
  /// @param joints    velocity coordinates of joints that their friction holds, ascending
  /// @param floating  contacts without normal force and with a share of their viscous friction (1);
  ///                  empty: none
  void set(const Touching& contacts, const std::vector<char>& sticking,
           std::span<const int> joints = {}, const std::vector<char>& floating = {},
           Start start = Start::another);
  /// How the contacts rub at the acceleration level, after set(). `sticking` contacts then hold
  /// their tangents in every stage; the others slide as slides[i] says, or rub not at all.
  /// @param known  N, world axes: forces that the contacts had before, NaN where there is none
  void set_friction(StageFriction law, const std::vector<SlideMode>& slides,
                    const std::vector<Vector3d>& known);
  [[nodiscard]] bool rubs() const { return law_ != StageFriction::none; }
  [[nodiscard]] const SlideMode& slide(std::size_t i) const { return slides_[i]; }
  /// Whether any of them slides.
  [[nodiscard]] bool slides() const;
  void clear() {
    law_ = StageFriction::none;
    fresh_ = false;
    touching_.clear();
    sticking_.clear();
    joints_.clear();
    floating_.clear();
  }
  [[nodiscard]] bool empty() const { return !projects() && joints_.empty(); }
  [[nodiscard]] bool has_loops() const { return loops_; }
  /// Whether there is something that an integrator leaves: joints stay where they are by
  /// themselves.
  [[nodiscard]] bool projects() const { return loops_ || touching_.size() > 0; }
  [[nodiscard]] const Touching& touching() const { return touching_; }
  [[nodiscard]] bool holds(const ContactKey& key) const { return touching_.has(key); }
  [[nodiscard]] const std::vector<char>& sticking() const { return sticking_; }
  [[nodiscard]] const std::vector<char>& floating() const { return floating_; }

  /// Where the contacts of set() are followed from: what an earlier trial left may be the other of
  /// two crossings of a rim and an edge.
  void follow_from(const Touching& contacts) { touching_.points = contacts.points; }

  /// Of the last accelerate(): the share of its friction that contact i has.
  [[nodiscard]] double share(std::size_t i) const { return floating_.empty() ? 1.0 : share_[i]; }
  /// Of the last accelerate(): how far a floating contact is from opening or closing, N, negative
  /// past either.
  [[nodiscard]] double floating_margin(const ContactKey& key) const;
  /// Adds the share of their friction that floating contacts have to a generalised force.
  void add_floating_friction(const Model& model, const Kinematics& kin, VectorXd& force) const;

  /// Of the last accelerate() of contacts that rub: what friction takes from those that slide, W.
  [[nodiscard]] double slip_power() const { return slip_power_; }
  /// … and how far the rows are from being met, relative; above rounding if no force meets them.
  [[nodiscard]] double unmet() const { return unmet_; }
  /// Finds forces of contacts that rub which have the effect of the last accelerate() and lie in
  /// their cones, and the margins of the mode.
  /// @param force  N, normal forces
  /// @return how far the needed force is from any in the cones, relative: 0 if there is one
  double judge_friction(const Model& model, const Kinematics& kin, std::vector<double>& force);
  /// Of the last judge_friction(): tangential force on b, N, world axes.
  [[nodiscard]] const Vector3d& friction(std::size_t i) const { return friction_[i]; }
  /// … how far a contact is from the end of its mode, N, negative past it; +∞ where forces are not
  /// unique, for there the existence of a force decides.
  [[nodiscard]] double friction_margin(const ContactKey& key) const;
  /// Whether the normal forces of the sliding contacts of the last accelerate() would press them
  /// further together, so that the least compliance, equal in all, makes them grow or vanish: the
  /// forces exist by a tie alone (an indeterminate case of Painlevé's paradox). So it is where the
  /// response of the gaps to these forces has an eigenvalue with a negative real part.
  bool runs_away();
  /// Makes those sliding contacts weightless that carry nothing under the law of least norm over
  /// pushing forces, where the last accelerate() stands. @return whether any of them changed
  bool find_weightless(const Model& model, const Kinematics& kin);
  /// Unit direction of the slip of contact i, whose friction acts against it.
  [[nodiscard]] Vector3d slip_direction(const Model& model, const Kinematics& kin,
                                        std::size_t i) const;

  /// How fast the directions of sliding friction settle, 1/s: |λ|max of Σ (μ fn/|v_t|) P g gᵀ over
  /// the contacts that move, g the row of the tangent across the slip, P what is left of a force by
  /// those along n − μ d that hold the rows of the last accelerate().
  /// @param force  N, normal forces
  [[nodiscard]] double slip_stiffness(const Model& model, const Kinematics& kin,
                                      const std::vector<double>& force);

  /// What factor() does about tangents.
  enum class Tangents {
    without,  ///< nothing: for contacts that hold their normals alone
    present,  ///< their rows are there, none is held
    of_few,   ///< as held, but in islands of many contacts normals alone: for the end of a step of
              ///< impulses, which stop again what slips by the turn of the contacts over the step
    held      ///< contacts that stick hold theirs
  };
  /// Moves the features to the poses in kin and factors the rows there; where the same has been
  /// factored last, as in the stages of what stands still, nothing is done. Normals that repeat
  /// others at the first call of a step, which is to be at its start, go on to do so.
  void factor(const Model& model, const Kinematics& kin, const MassFactor& mass, const VectorXd& q,
              Tangents tangents);

  /// Hands over the rows of the last factor(), if they belong to q and just these contacts, so that
  /// the next step need not assemble them again. @return whether they do
  [[nodiscard]] bool give_rows(const VectorXd& q, std::span<const Contact> contacts,
                               std::vector<ContactProblem>& problems);

  /// As factor() without tangents in a model without loops, from rows that were assembled already:
  /// those of the kept ones among the contacts of the islands, in the order they were set().
  void factor_from(const std::vector<Island>& islands, const std::vector<ContactProblem>& problems,
                   const std::vector<char>& keep);

  /// v̇ from v̇_free so that N v̇ + Ṅ v = 0 for every held contact, and the normal forces (N); of
  /// repeated rows the later ones get zero. Needs a factor() that leaves the tangents free. v̇_free
  /// is without the friction of floating contacts; their shares are found here, v̇ is with them.
  void accelerate(const Model& model, const Kinematics& kin, const MassFactor& mass, VectorXd& vdot,
                  std::vector<double>& force);
  /// The same with viscous friction that acts with the velocity at the end of a step h of
  /// symplectic Euler, v + h v̇: backward Euler in the friction alone, stable with any μv. Shares of
  /// floating contacts' friction stay explicit.
  /// @param vdot      in: without the viscous friction of contacts
  /// @param friction  generalised; that friction is added
  void accelerate_implicitly(const Model& model, const Kinematics& kin, const MassFactor& mass,
                             const VectorXd& v, double h, VectorXd& vdot, VectorXd& friction,
                             std::vector<double>& force);
  /// The fastest decay that viscous friction asks for with the rows of the last factor(), 1/s: the
  /// largest eigenvalue of μv W_tt, the response of all slips, the held rows staying held.
  [[nodiscard]] double viscous_rate();

  /// Friction of the held joints of the last accelerate(), N·m or N, in their order.
  [[nodiscard]] const std::vector<double>& joint_force() const { return joint_force_; }
  /// Replaces forces that are not unique by some that only push and joint friction within its
  /// bounds, if they exist.
  /// @return |y_push − y_held| / |y_held − y_free| of the last accelerate(), y_push the nearest
  ///         motion that pushing forces can reach: 0 if the held motion is one of them, +∞ if there
  ///         is none, or the solver finds none
  double push_only(const LeastDistanceSolver& solver, ContactWorkspace& workspace,
                   std::vector<double>& force);
  /// Whether every row was independent, so that the forces are unique.
  [[nodiscard]] bool unique() const;

  /// Moves q by the least change in the M metric until all held gaps are zero to kClosed, and all
  /// loops closed, with the rows of the last factor() (simplified Newton). mass: the factor of that
  /// call; at_q: poses at q; limit: iterations.
  /// @return m, rad: the largest gap that is left
  double project_position(const Model& model, const MassFactor& mass, const Kinematics& at_q,
                          VectorXd& q, int limit = 40);
  /// Least change of v that leaves no velocity along the rows of the last factor().
  void project_velocity(const Model& model, const MassFactor& mass, VectorXd& v);

 private:
  [[nodiscard]] bool factor_sparse(const Model& model, const Kinematics& kin,
                                   const MassFactor& mass, std::size_t k, Tangents tangents);
  [[nodiscard]] bool factor_sparse_from(const ContactProblem& problem, std::size_t k);
  [[nodiscard]] bool factor_many(std::size_t k);
  [[nodiscard]] bool is_many(const Island& island) const;
  [[nodiscard]] Eigen::Index row_count(std::size_t k) const;
  void solve_rows(std::size_t k);
  void add_joint_rows(const Island& island, const ContactProblem& problem, HeldRows& rows) const;
  [[nodiscard]] std::size_t joint_index(int coordinate) const;
  void rest_joints(const Island& island, const HeldRows& rows, double noise, VectorXd& x) const;
  void put_floating_last(Island& island) const;
  void add_normals(std::size_t k);
  void hold_island_loops(std::size_t k);
  void add_closing_step(const Model& model, const MassFactor& mass, std::size_t k);
  void damp_tangents(std::size_t k);
  double fastest_damping();
  void add_implicit_friction(const Model& model, const Kinematics& kin, const MassFactor& mass,
                             const VectorXd& v, double h, VectorXd& friction);
  void solve_island(const Model& model, const Kinematics& kin, const MassFactor& mass,
                    std::size_t k);
  const std::vector<int>& find_tangents(std::size_t k);
  void ask_no_slip(const Model& model, const Kinematics& kin, std::size_t k);
  [[nodiscard]] bool slides_in(const Island& island) const;
  double stiffness_in(const Model& model, const Kinematics& kin, std::size_t k,
                      const std::vector<double>& force);
  void place_columns(const Model& model, const Kinematics& kin, std::size_t k);
  void solve_sliding(const Model& model, const Kinematics& kin, std::size_t k);
  void place_sliding(const Model& model, const Kinematics& kin, std::size_t k, int i,
                     Eigen::Ref<VectorXd> column) const;
  double judge_island(const Model& model, const Kinematics& kin, std::size_t k,
                      std::vector<double>& force);
  void respond_to_sliding(std::size_t k);
  [[nodiscard]] std::size_t index_in(std::size_t k, int i) const {
    return static_cast<std::size_t>(islands_[k].contacts[static_cast<std::size_t>(i)]);
  }
  bool known_forces_do(std::size_t k);
  [[nodiscard]] bool take_known_forces(std::size_t k);
  void read_forces(const Model& model, const Kinematics& kin, std::size_t k,
                   std::vector<double>& force);
  void read_margins(const Model& model, const Kinematics& kin, std::size_t k, bool unique,
                    const std::vector<double>& force);
  [[nodiscard]] double mu_of(std::size_t i) const;

  /// Of a row’s length: less than this beyond the others repeats them. Closing a gap of 1e-13 m
  /// along a row of a smaller remainder would move a body by micrometres.
  static constexpr double kRank = 1e-6;

  bool loops_;
  Touching touching_;
  std::vector<int> joints_;
  std::vector<double> joint_force_;
  std::vector<char> sticking_, stick_;  // of all contacts, of one island's
  std::vector<char> floating_;          // of all contacts; empty: none
  std::vector<double> share_, margin_;  // of all contacts
  std::vector<ContactKey> repeated_;    // whose normals repeated others where the step starts
  bool ranked_ = false;                 // whether that is known
  FloatingShares shares_;               // of one island's
  MatrixXd pull_;
  ContactSolution pushed_;  // of one island, by normals alone
  VectorXd generalised_, e_part_;
  StageFriction law_ = StageFriction::none;
  std::vector<SlideMode> slides_, before_;  // of all contacts
  std::vector<Vector3d> friction_, known_;  // N, of all contacts
  std::vector<double> friction_margin_;     // N, of all contacts
  double slip_power_ = 0.0, unmet_ = 0.0;
  // Force columns of one island: n, s, t of a contact that sticks, n − μ d of one that slides, n of
  // one without friction, then joints.
  struct ForceColumns {
    ColumnBuffer C;
    VectorXd asked;  // of the rows, without forces
    std::vector<ForceCone> cones;
    std::vector<int> contact;  // of each cone, index into the island's contacts; −1: a joint
    SlidingRows rows;
  };
  // A sliding contact of one island, and its force among the columns.
  struct SlidingForce {
    int contact;
    Eigen::Index column;
  };
  std::vector<SlidingForce> sliding_;
  MatrixXd sliding_response_;
  Eigen::LLT<MatrixXd> pressed_;
  Eigen::EigenSolver<MatrixXd> growth_;
  ColumnBuffer across_, settling_;  // of one island's moving contacts, scaled
  SlidingRows settling_rows_;
  std::vector<ForceColumns> columns_;
  HeldRows range_;
  ConeForceProblem force_problem_;
  ConeForceSolution force_;
  ConeForceWorkspace force_workspace_;
  std::vector<Island> islands_;
  std::vector<int> tree_offset_, index_, from_, tangents_;
  std::vector<ContactProblem> problems_;  // one an island
  std::vector<HeldRows> rows_;
  // Many contacts of one island, of which only the normals are held and none repeats others; its
  // problem and its rows are then not assembled.
  struct SparseRows {
    bool used = false;
    SparseColumns columns;
    GramFactor factor;
  };
  std::vector<SparseRows> sparse_;  // one an island
  std::vector<char> all_;
  std::vector<VectorXd> held_y_;  // L v̇ of the last accelerate()
  std::vector<Pose> X_WL_;
  VectorXd factored_q_, nearest_q_;  // of the last factor(), and of a projection
  bool has_tangents_ = false;
  // Whether islands_, problems_ and rows_ are still those of the last factor(), and how it was
  // asked.
  bool fresh_ = false;
  Tangents factored_tangents_ = Tangents::without;
  VectorXd part_, e_, f_, step_, column_force_, loop_e_;
  // Of viscous friction: contacts of one island that have it, their columns, and its response.
  std::vector<int> damped_;
  ColumnBuffer damping_;
  MatrixXd response_;
  Eigen::LLT<MatrixXd> implicit_;
  VectorXd slip_, image_, without_, added_;
};

}  // namespace pequod
