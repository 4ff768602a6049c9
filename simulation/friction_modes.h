// Which contacts stick, slide or open under Coulomb friction at the acceleration level.
#pragma once

#include <vector>

#include "contact/models/contact_model.h"
#include "contact/models/contact_solver.h"
#include "simulation/acceleration.h"
#include "simulation/event.h"
#include "simulation/joint_friction.h"
#include "simulation/stepper.h"
#include "simulation/touching.h"

namespace pequod {

/// m/s²: gaps and slips that change more slowly do not change.
inline constexpr double kSlowChange = 1e-8;

/// Chooses modes for the states of one scenario. Buffers only.
///
/// A mode holds if a force in the cones has its effect, what is open does not close and what starts
/// to slide moves against its friction, at once and a look-ahead later: at the instant of a change
/// two or three modes satisfy everything, and the one that still does afterwards is right.
class FrictionModes {
 public:
  /// @param stepper  takes the look-ahead steps; free for the caller afterwards
  /// @param watch    is shown the problems that choose modes
  FrictionModes(const Scenario& scenario, const ContactModel& model, Stepper& stepper,
                StepClock& clock, const ProblemWatch& watch = {});

  /// Gives the state the first of these modes that holds, with events for the contacts it changes:
  ///   1. all touching contacts closed, those without slip stick
  ///   2. all of these slide from rest
  ///   3. the modes of the accelerations under the model's law at this state
  ///   4. the same a look-ahead later
  /// Slip that the mode holds at zero is projected away and booked as stabilisation. A sliding
  /// contact that may open or carry a force that runs away (several solutions, Baraff 1994)
  /// opens, with an event `painleve` without impulse.
  /// @param touching  the contacts of the state
  /// @param look      s, look-ahead
  /// @return whether one was found; if not the state is as before
  bool choose(State& state, const Touching& touching, double look, std::vector<EventRow>& events);

  /// Of the last choose(): the rim points that the state has, and those that modes need which fail
  /// because a disc that lies flat tips about a chord.
  [[nodiscard]] const std::vector<ContactKey>& rims() const { return rims_; }

  /// Whether the mode that the state has still holds a look-ahead later.
  bool holds(const State& state, const Touching& touching, double look);

  [[nodiscard]] const StepStats& stats() const { return stats_; }
  void reset_stats() { stats_ = {}; }

 private:
  void classify(const State& state, const Touching& touching);
  void rest_with_others(const State& state, const Touching& touching);
  void place_mode(const State& state, const Touching& touching);
  bool try_mode(const State& state, const Touching& touching, double look);
  bool stands(double look);
  [[nodiscard]] bool forces_stand(double beyond) const;
  bool tips_over(double still);
  [[nodiscard]] bool joints_stand(double still) const;
  void close_all();
  bool try_accelerations(const State& state, const Touching& touching, double look);
  bool slide_from_rest(const Touching& touching, double look);
  double turn_directions(double look);
  bool solve_accelerations(const State& state);
  void pose_island(const Island& island);
  void solve_by_cones();
  void solve_by_rows();
  void read_island(const Island& island);
  void move_ahead(const State& state, double look, State& ahead) const;
  void adopt(State& state, std::vector<EventRow>& events);
  void report_ambiguous(double t, std::vector<EventRow>& events) const;

  const Scenario* scenario_;
  const ContactModel* model_;
  Stepper* stepper_;
  StepClock* clock_;
  ProblemWatch watch_;
  double weight_ = 0.0;  // N, scale of forces
  Evaluator here_;
  FreeAcceleration free_;
  Touching candidates_;  // touching contacts that do not separate
  Touching followed_;    // the same at another state
  std::vector<Pose> X_WL_;
  std::vector<char> opens_;    // of the candidates
  std::vector<char> at_rest_;  // of the candidates: without slip
  std::vector<ContactMode> modes_, closed_modes_;
  std::vector<JointMode> joints_, closed_joints_;
  std::vector<int> joints_at_rest_;  // velocity coordinates
  std::vector<Island> islands_;
  std::vector<int> tree_offset_;
  ContactProblem problem_;
  ContactWorkspace workspace_;
  std::vector<ContactKey> rims_, tipped_;
  bool ambiguous_ = false;       // a mode was left out because its force runs away
  bool solves_by_rows_ = false;  // whether accelerations are solved for by rows
  BaraffProblem by_rows_;
  std::vector<Eigen::Index> posed_;  // its rows
  std::vector<double> mu_;           // of its rows
  VectorXd part_, vdot_, loop_e_;
  State trial_, probe_, ahead_;
  StepStats stats_;
};

}  // namespace pequod
