// One trial step from a state, to any fraction of the step.
#pragma once

#include <span>
#include <vector>

#include "simulation/trial/focus.h"
#include "simulation/trial/limits.h"

namespace pequod {

/// The trials of one step at a time. Each re-takes the step with its τ and projects the result onto
/// the held contacts, so an event costs no order of accuracy. A trial is a function of the start
/// and τ; asking again for the same τ costs nothing. (Iterations of hundreds of contacts start from
/// the forces of the trial before, and differ by what their tolerance allows.)
class Stepper {
 public:
  Stepper(const World& world, StepMethod method);

  /// Starts from a settled state; `touching` are its contacts. The modes of `state` say which are
  /// held at the acceleration level.
  /// @param forced  keys of touching contacts to hold whatever the solve says (velocity level)
  void begin(const State& state, const Touching& touching, std::span<const ContactKey> forced = {});
  /// Velocity level: from here to the next begin() the links of each pair of shapes move as one
  /// body. The two of a pair do not come nearer to each other than they are, but for the O(τ²) of a
  /// turn of both. What that takes is a loss of normal impulses.
  void join(const std::vector<ShapePair>& pairs);

  /// The end after τ (s). Good until the next call or begin().
  /// @throws DivergenceError if it is not finite
  const Trial& at(double tau);
  /// The same where only what the contacts of these keys belong to is needed: bodies that no
  /// touching contact joins to theirs move as if they were alone, and everything that is told of
  /// the end is told of the others only. So that a search for one event need not solve for all
  /// bodies. For those it is good for it is what at(tau) gives, to rounding.
  const Trial& at(double tau, std::span<const ContactKey> keys);
  /// Velocity level: the last trial with those of these contacts, found at its end, that are below
  /// zero there moved to zero, together with what is held and what was raised before. Velocities
  /// stay.
  const Trial& raise(const Touching& found);

  /// Acceleration level, of the step at its start: see limits.h.
  [[nodiscard]] double slip_limit(double h, Creep creep);
  [[nodiscard]] double running_limit();
  /// The longest step ≤ h (s), by halving, in which directions of slips that creep turn little;
  /// they lead by a share of it. The trial is then that step.
  [[nodiscard]] double creep_span(double h);
  /// The longest step ≤ h (s), by halving, in which no force of a sliding contact grows to a
  /// multiple of what it was: towards a jam it has a pole, and no step may reach across. The trial
  /// is then that step. @return 0 if there is none
  [[nodiscard]] double growth_span(double h);
  /// Velocity level: the longest step ≤ h (s) in which no disc lands flat, no rim runs around, see
  /// landing_limit(), no normal turns far, see find_turns(), and the projection of its end takes
  /// no more than kMostProjected of what moves. The trial is then that step.
  [[nodiscard]] double landing_span(double h);
  /// Acceleration level, symplectic Euler: the longest step ≤ h (s) within turning_limit() whose
  /// projection takes no more than kMostProjected of what moves. The trial is then that step.
  [[nodiscard]] double turning_span(double h);
  /// Acceleration level, Runge–Kutta methods: whether the energy of the trial differs from the work
  /// of its forces by no more than kMostUnexplained of what moves.
  [[nodiscard]] bool is_balanced() const;
  /// The longest step ≤ h (s) that is. The trial is then that step.
  [[nodiscard]] double balanced_span(double h);
  /// The longest step ≤ h (s) after which no contact whose direction of slip is held is faster than
  /// needed to have one of its own. The trial is then that step.
  [[nodiscard]] double direction_span(double h);

  [[nodiscard]] const StepMethod& method() const { return method_; }
  [[nodiscard]] const StepStart& start() const { return start_; }
  /// The last trial.
  [[nodiscard]] const Trial& trial() const { return trial_; }
  /// How many were taken, to see whether the last one is another.
  [[nodiscard]] long trials() const { return trials_; }
  /// Its evaluator, to settle the state that it led to: begin() starts from where it stands.
  [[nodiscard]] Evaluator& terms() { return trial_.terms; }
  /// v̇ at the start and at the end of the trial; null where a gap's acceleration is not that of its
  /// motion over τ.
  [[nodiscard]] const VectorXd* start_acceleration() const {
    return method_.rates_are_slopes() ? &rates_.acceleration : nullptr;
  }
  [[nodiscard]] const VectorXd* end_acceleration() const {
    return method_.rates_are_slopes() ? &trial_.motion.free.vdot : nullptr;
  }
  /// Whether every contact that the step holds pushes at its start, by forces that are the only
  /// ones. Once a trial was taken, of methods that know_start() alone.
  [[nodiscard]] bool pushes_at_start() const { return rates_.known && rates_.pushes; }
  /// m/s, at the end of the trial: slip of held contact i along its direction at the start.
  [[nodiscard]] double slip_along(std::size_t i) const;
  /// Whether a sliding contact of the trial carries 1e6 times the scale of forces: its friction
  /// jams, and its force is about to exceed all bounds (Génot & Brogliato 1999).
  [[nodiscard]] bool jams() const;
  /// Whether a force of the trial is outside its cone by more than this share of the weight, or
  /// forces that are not unique are from any by more than `missed`, relative.
  [[nodiscard]] bool is_past_bound(double beyond, double missed) const;
  /// Whether a contact of the trial slides where its own force presses it together.
  [[nodiscard]] bool runs_away();
  /// Gives `state` the weightless contacts of the trial. @return whether any changed
  bool find_weightless(State& state);
  /// Of the trial, relative: see newton.h.
  [[nodiscard]] double newton_residual(double least);
  /// 1/s, of viscous friction at the end of the trial: see viscous_rate() of what is held.
  [[nodiscard]] double viscous_rate();

 private:
  [[nodiscard]] StepTask task(std::span<const char> wanted = {});
  const Trial& take(double tau, const HeldSet& held, const Focus& focus);
  [[nodiscard]] bool projects_much(double h) const;
  [[nodiscard]] bool starts_past_bound(double h);

  const World* world_;
  StepMethod method_;
  StepStart start_;
  StartRates rates_;
  SlipLimit slip_limit_;
  TreeGroups groups_;
  Trial trial_;
  Focus focus_, asked_;       // of the trial; storage
  HeldSet focus_set_;         // acceleration level: what a trial for some bodies holds
  bool whole_taken_ = false;  // since begin(), a trial for all bodies
  long trials_ = 0;
  StepWorkspace workspace_;
};

}  // namespace pequod
