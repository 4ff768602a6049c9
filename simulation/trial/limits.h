// How long a step may be, beside its events.
#pragma once

#include "simulation/trial/steps.h"

namespace pequod {

/// What slip allows at the start of a step.
struct SlipLimit {
  double span = kInfinity;           ///< s
  bool leads = false;                ///< a slip creeps whose direction settles within the span
  std::vector<Vector3d> directions;  ///< unit, of the slip of each held contact; zero: none
  std::vector<double> settling;      ///< m/s², see find_settling()
  std::vector<char> creeps;          ///< 1: see aim_slips()
};

/// What is done about slips that creep.
enum class Creep {
  aimed,    ///< they do not limit the step: see aim_slips.h
  followed  ///< they are like all others
};

/// Longest step ≤ h (s) that friction with a direction allows: h κ ≤ 1.5, κ the rate at which
/// directions settle, but for those of slips that creep; and h ≤ ½ |v_t|/|v̇_t| where one slows
/// down.
/// @param trial  holds the mode of the start; its motion becomes that at the start
void find_slip_limit(const StepTask& task, double h, Creep creep, Trial& trial, SlipLimit& limit);

/// Longest step (s) that held rims of discs that are nearly flat on a face allow: where they touch
/// turns about the disc at the rate ω cot θ, θ the inclination, ω across the axis. And that held
/// edges, rims and sides allow that cross: where they touch runs along them by at most kRun, at no
/// more than kRunSpeed.
/// @param trial  as above
[[nodiscard]] double running_limit(const StepTask& task, Trial& trial);

/// Longest step (s) of symplectic Euler after which forces that turn with what is held have done no
/// more than kMostProjected of the energy of an island. They do none; those of the start do
/// ½ h² f · c in a step, c what the turn of the rows asks for: as of a disc that is almost flat and
/// whips about its rim.
/// @param trial  its motion is that at the start
[[nodiscard]] double turning_limit(const StepTask& task, const Trial& trial);

/// Velocity level: the longest step (s) in which rims that touch a face at the start touch it about
/// where they do then: beyond, a disc passes flat and lands on the other side, or its lowest point
/// runs around it, which the impulses of the start know nothing of.
/// @param v  velocities in it
[[nodiscard]] double landing_limit(const StepTask& task, const VectorXd& v);

/// Velocity level: whether a contact is of a rim that follows its arc over one facet of uneven
/// ground and rocks too slowly for landing_limit(): its lowest point may leave the arc within the
/// step, and how its row turns at the start says nothing of that.
[[nodiscard]] bool may_leave_arc(const World& world, const Kinematics& kin,
                                 const ContactPoint& point);

/// m/s, by how much the contacts whose direction of slip is held are slower than they need to be to
/// have one of their own; negative: one is faster.
[[nodiscard]] double direction_margin(const World& world, const Trial& trial);

}  // namespace pequod
