// One trial step from a state, to any fraction of the step.
#pragma once

#include <span>
#include <vector>

#include "contact/models/contact_model.h"
#include "core/state.h"
#include "integrators/integrator.h"
#include "simulation/acceleration.h"
#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "simulation/held/friction.h"
#include "simulation/held/workspace.h"
#include "simulation/joint_friction.h"
#include "simulation/options.h"
#include "simulation/step_clock.h"
#include "simulation/step_stats.h"
#include "simulation/touching.h"

namespace pequod {

/// s: where slip, or a force that grows towards a pole, allows no longer step than this, it jams.
inline constexpr double kShortestSlide = 1e-13;

/// The trajectory of a trial step (integrator × contact level):
///   acceleration level: the held contacts are equalities inside every stage, so the right-hand
///   side
///     is smooth and the integrator keeps its order;
///   velocity level: a step without contact, then impulses of the contact model over the step.
/// In both `at` re-takes the step with τ and projects the result onto the held contacts, so an
/// event costs no order of accuracy.
class Stepper {
 public:
  /// @param clock  is told what the time goes to
  Stepper(const Scenario& scenario, const ContactModel& model, const ContactSolver& solver,
          const std::string& integrator, StepClock& clock);

  /// Starts from a settled state; `touching` are its contacts. The modes of `state` say which are
  /// held at the acceleration level.
  /// @param forced  keys of touching contacts to hold whatever the solve says (velocity level)
  void begin(const State& state, const Touching& touching,
             const std::vector<ContactKey>& forced = {});

  /// The state after τ (s); its mode holds the contact forces there. Any order of calls; asking
  /// again for the same τ costs nothing. Good until the next call or begin().
  /// @throws DivergenceError if it is not finite
  const State& at(double tau);
  /// The same where only what the contacts of these keys belong to is needed: bodies that no
  /// touching contact joins to theirs move as if they were alone, and everything that is told of
  /// the end is told of the others only. So that a search for one event need not solve for all
  /// bodies. For those it is good for it is what at(tau) gives, to rounding.
  const State& at(double tau, std::span<const ContactKey> keys);

  /// Longest step (s) that friction with a direction allows at the start: h κ ≤ 1.5 where a contact
  /// speeds up, κ the rate at which directions settle, and h ≤ ½ |v_t|/|v̇_t| where one slows down.
  [[nodiscard]] double slide_limit();
  /// Longest step (s) that held rims of discs that are nearly flat on a face allow at the start:
  /// where they touch turns about the disc at the rate ω cot θ, θ the inclination, ω across the
  /// axis.
  [[nodiscard]] double rim_limit();
  /// Velocity level: from here to the next begin() the links of each pair of shapes move as one
  /// body. The two of a pair do not come nearer to each other than they are, but for the O(τ²) of a
  /// turn of both. What that takes is a loss of normal impulses.
  void join(std::vector<ShapePair> pairs);
  /// The longest step ≤ h (s) after which no contact whose direction of slip is held is faster than
  /// needed to have one of its own. The end computed last is that at h, and then at that step.
  [[nodiscard]] double direction_span(double h);
  /// The longest step ≤ h (s), by halving, in which no force of a sliding contact grows to a
  /// multiple of what it was: towards a jam it has a pole, and no step may reach across. The end
  /// computed last is that step's. @return 0 if there is none
  [[nodiscard]] double growth_span(double h);
  /// Whether a force of the end computed last has grown so.
  [[nodiscard]] bool grown() const { return grown_; }
  /// Whether a sliding contact of the end computed last carries 1e6 times the scale of forces: its
  /// friction jams, and its force is about to exceed all bounds (Génot & Brogliato 1999).
  [[nodiscard]] bool jams() const;
  /// Acceleration level: contacts that rub stick or slide.
  [[nodiscard]] bool rubs() const {
    return !velocity_level() && model_->friction != StageFriction::none;
  }
  /// Whether a contact of the end computed last slides where its own force presses it together.
  [[nodiscard]] bool runs_away() { return pequod::runs_away(held_, motion_, held_workspace_); }
  /// Gives `state` the weightless contacts of the end computed last. @return whether any changed
  bool find_weightless(State& state);
  /// At the end computed last: slip of held contact i along its direction at the start, m/s.
  [[nodiscard]] double slip_along(std::size_t i) const;

  /// Velocity level: moves those of these contacts, found at the end computed last, that are below
  /// zero there to zero, together with what is held and what was raised before. Velocities stay.
  /// @return the end
  const State& raise(const Touching& found);
  /// Books work and losses of the step whose end was computed last.
  void commit(State& out);

  /// Dynamics at the end computed last, and the contacts held there.
  [[nodiscard]] const Evaluator& end() const { return end_; }
  /// Free for the caller between commit() and begin(), which starts from where it stands.
  [[nodiscard]] Evaluator& end() { return end_; }
  [[nodiscard]] const Evaluator& start_terms() const { return begin_; }
  /// v̇ there and at the end computed last; null where a gap's acceleration is not that of its
  /// motion over τ.
  [[nodiscard]] const VectorXd* start_acceleration() const {
    return rates_are_slopes() ? &start_acceleration_ : nullptr;
  }
  [[nodiscard]] const VectorXd* end_acceleration() const {
    return rates_are_slopes() ? &free_.vdot : nullptr;
  }
  /// What is held, and where it stands.
  [[nodiscard]] const HeldSet& held() const { return held_.set(); }
  /// N, at the end computed last: how far a held contact is from the end of its mode under Coulomb
  /// friction, or a floating one from opening or closing; negative past it, else +∞.
  [[nodiscard]] double friction_margin(const ContactKey& key) const {
    return held().value_of(key, friction_.margin);
  }
  [[nodiscard]] double floating_margin(const ContactKey& key) const {
    return held().value_of(key, motion_.floating_margin);
  }
  /// Whether the gap of this contact is zero at the end computed last by itself, not by its motion:
  /// it is held, or it leaves and symplectic Euler would let it sink.
  [[nodiscard]] bool holds(const ContactKey& key) const;
  /// Whether two shapes touch at the start.
  [[nodiscard]] bool touch(int shape_a, int shape_b) const;
  /// Velocity level: v⁺ at the start of the step computed last, by its impulses.
  [[nodiscard]] const VectorXd& impulse_velocity() const { return v_plus_; }
  /// At the end computed last, 1/s: see viscous_rate() of what is held.
  [[nodiscard]] double viscous_rate();
  /// Acceleration level, at the end computed last: whether the forces of the held contacts are
  /// unique; if not, how far the needed force is from any that only pushes, relative (0: exists).
  [[nodiscard]] bool forces_unique() const { return held_.unique(); }
  [[nodiscard]] double infeasibility() const { return infeasibility_; }
  [[nodiscard]] double last_tau() const { return tau_; }
  [[nodiscard]] double error() const { return error_; }  ///< of an adaptive step, relative
  [[nodiscard]] const StepStats& stats() const { return stats_; }
  [[nodiscard]] bool velocity_level() const { return model_->level == ContactLevel::velocity; }
  /// Whether the rate of a gap at the end of a trial step is, to the order of the integrator, its
  /// slope over τ. Symplectic Euler's position moves with the velocity of its end.
  [[nodiscard]] bool rates_are_slopes() const { return !velocity_level() && !symplectic_; }

 private:
  void take(double tau);
  bool focus_on(std::span<const ContactKey> keys);
  void label_trees();
  void accelerate(Evaluator& evaluator, const VectorXd& q, const VectorXd& v);
  void accelerate_implicitly(double tau);
  void accelerate_factored(Evaluator& evaluator, const VectorXd& v);
  void smooth_at(double tau, State& out);
  void judge_forces();
  void velocity_at(double tau, State& out);
  void keep_raw(const State& out);
  void place_end(const VectorXd& q);
  void hold_velocity(State& out, HeldTangents tangents);
  const Evaluator& integrate(double tau, State& out);
  const Evaluator& derivative(const VectorXd& x, VectorXd& dxdt);
  void solve_impulses(double tau, const VectorXd& v_free, VectorXd& v_plus);
  void read_island(std::size_t k, double tau);
  void warm_start_from_last(std::size_t k, double tau);
  [[nodiscard]] HeldTangents stage_tangents() const;
  void begin_problems();
  void begin_mode(std::size_t i);
  [[nodiscard]] SlideMode slide_at_end(std::size_t i) const;
  [[nodiscard]] double sliding_load(const std::vector<double>& force) const;
  void bound_load();
  void watch_load(const std::vector<double>& force);
  void remember_forces(std::size_t k);
  void begin_joints();
  void read_joints(std::size_t k, double tau);
  void move_as_one(VectorXd& v);
  void stop_joints(State& out);
  void rest_positions(State& out) const;
  void write_joint_forces(State& out) const;
  [[nodiscard]] bool leads_patch(const ContactProblem& problem, int i) const;
  /// Whether a trial that is good for some bodies only is good for touching contact i.
  [[nodiscard]] bool matters(std::size_t i) const { return !partial_ || in_focus_[i]; }
  void follow_turns(const State& out);
  void release_turning(const Island& island, const VectorXd& v);
  bool keep_sunk(const VectorXd& q);
  void project_end(VectorXd& q);
  void close_held(const Evaluator& start, VectorXd& q);
  bool raise_leaving(VectorXd& q, const VectorXd& v);
  bool add_leaving(const Kinematics& at_q, const VectorXd& q, const VectorXd& v);
  void require_finite(const State& out) const;
  void hold_touching(const std::vector<char>& keep, const std::vector<char>& sticking);
  void write_mode(State& out);
  void write_impulses(State& out, double tau);
  void integrate_work(const VectorXd& v_end, double tau);

  static constexpr double kNoTrial = -1.0;  // s

  const Scenario* scenario_;
  const ContactModel* model_;
  const ContactSolver* solver_;
  StepClock* clock_;
  bool symplectic_ = true, implicit_ = false;
  RungeKutta runge_kutta_;

  State start_, trial_;
  Touching touching_;
  Evaluator begin_, stage_, end_;
  // m: a contact that opens by less over the step stays closed, and a projection leaves no more; a
  // tenth of the gap tolerance, so that it would still count as touching.
  static constexpr double kOpening = 0.1 * kGapTolerance;
  HeldSet kept_, lifted_;  // of the trial, at its start; with what is raised
  HeldFactor held_, lift_;
  RepeatedNormals repeated_;  // of the step; at the velocity level of each held set
  HeldMotion motion_;         // of the stage or end computed last
  FrictionForces friction_;   // of the end computed last, if contacts rub
  HeldWorkspace held_workspace_;
  FreeAcceleration free_;
  VectorXd start_rate_;  // derivative() at the start, the same in every trial
  VectorXd start_acceleration_;
  bool knows_start_rate_ = false;
  VectorXd x0_, x1_, q_, v_, v_free_, v_plus_, v_raw_, raw_q_, move_;
  std::vector<int> joints_, stuck_;  // velocity coordinates with Coulomb friction; those held now
  std::vector<JointMode> joint_modes_;           // velocity level: of the trial
  double scale_ = 0.0, load_bound_ = kInfinity;  // N, of forces; of those of sliding contacts
  bool grown_ = false;                           // beyond that in the trial
  double tau_ = kNoTrial, error_ = 0.0, infeasibility_ = 0.0;
  StepStats stats_;

  // Of a trial that is good for some bodies only: labels of trees that contacts join (−1: none),
  // those wanted, and which touching contacts are theirs.
  bool partial_ = false, was_whole_ = false, labelled_ = false;
  std::vector<int> label_;
  std::vector<char> wanted_, asked_, in_focus_, focus_keep_;
  std::vector<Island> groups_;

  // Velocity level: problems of the islands at the start, and their impulses.
  std::vector<Island> islands_;
  std::vector<int> tree_offset_;
  std::vector<ContactProblem> problems_;
  std::vector<std::vector<int>> warm_;
  ContactWorkspace workspace_;
  ContactSolution solution_;
  VectorXd part_;
  std::vector<Vector3d> impulse_;  // N·s on b, world axes, per touching contact
  std::vector<char> active_;
  std::vector<double> pushed_;  // m/s, what its own impulse changed the speed of a contact by
  std::vector<char> keep_, sticking_, floating_, forced_;
  std::vector<SlideMode> slides_;
  std::vector<Vector3d> directions_;  // of slip at the start, of the held contacts
  std::vector<double> apart_;         // m, gaps of contacts that do not touch yet, else 0
  std::vector<ShapePair> joined_;     // velocity level: of bodies that move as one
  double impulse_friction_loss_ = 0.0, impulse_normal_loss_ = 0.0;  // J, of the trial
  bool lands_ = false;  // velocity level: a contact that did not touch at the start is closed
  Kinematics raw_;
  Touching moved_, raised_;
  std::vector<Pose> X_WL_;
};

}  // namespace pequod
