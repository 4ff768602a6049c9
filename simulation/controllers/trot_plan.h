// The parts of the trot: scales, memory, and the four stages of a tick.
#pragma once

#include <array>

#include "simulation/controllers/robot_view.h"
#include "simulation/controllers/trot.h"

namespace pequod {

/// What does not change in a run: the robot's legs and scales in its posture.
struct TrotPlan {
  TrotOptions options;  ///< gait_period and step_height filled
  int entity = -1;
  std::array<Leg, kLegs> legs;
  double mass = 0.0, g = 0.0;                  ///< kg, m/s²
  double z0 = 0.0, omega0 = 0.0;               ///< m, centre of mass over the lowest foot; 1/s
  std::array<Eigen::Vector2d, kLegs> nominal;  ///< m, feet against their mean, base frame
  double stance_time = 0.0, swing_time = 0.0;  ///< s
};

/// What lasts from tick to tick; doubles only, kept in State::memory.
struct TrotMemory {
  double start = 0.0;               ///< s
  double height = 0.0;              ///< m, of the centre of mass over the feet at the start
  double yaw = 0.0, yaw_ref = 0.0;  ///< rad, unwrapped
  std::array<double, 2> p_ref{};    ///< m, world
  struct Foot {
    double swung = 0.0;            ///< 1: the clock had it in swing at the last tick
    double landed = 0.0;           ///< 1: this swing ended early
    std::array<double, 3> lift{};  ///< m, where the swing began, world
    double ground = 0.0;           ///< m, height of its bottom when it last stood on something
  };
  std::array<Foot, kLegs> feet;
};

/// The clock and what it asks for now.
struct TrotPhase {
  Vector3d velocity = Vector3d::Zero();  ///< m/s, m/s, rad/s in the base frame, ramp included
  double height = 0.0;                   ///< m, wanted for the centre of mass over the ground
  std::array<double, kLegs> swing{};     ///< progress 0…1 of the foot's swing
  std::array<bool, kLegs> stands{true, true, true, true};
};

/// Advances the clock; decides which feet stand, and books where swings begin and feet touch.
[[nodiscard]] TrotPhase advance_gait(const TrotPlan& plan, const RobotView& robot, double t,
                                     TrotMemory& memory);

/// m, mean height of the ground under the feet.
[[nodiscard]] double ground_height(const TrotMemory& memory);

/// Moves the references on by one period and gives the velocity wanted, m/s, world axes.
struct TrotReference {
  Eigen::Vector2d velocity;  ///< m/s, commanded plus the pull towards the reference position
  double yaw_error = 0.0;    ///< rad
};
[[nodiscard]] TrotReference advance_reference(const TrotPlan& plan, const RobotView& robot,
                                              const TrotPhase& phase, TrotMemory& memory);

/// Forces of the ground on the standing feet, N, world axes, zero for the others.
[[nodiscard]] std::array<Vector3d, kLegs> balance_forces(const TrotPlan& plan,
                                                         const RobotView& robot,
                                                         const TrotPhase& phase,
                                                         const TrotReference& reference,
                                                         double ground);

/// Efforts of a standing leg that presses on the ground with −force, N·m.
[[nodiscard]] Vector3d stance_effort(const TrotPlan& plan, const LegView& leg,
                                     const Vector3d& force);
/// Efforts of leg i on its way to the next foothold, N·m.
[[nodiscard]] Vector3d swing_effort(const TrotPlan& plan, const RobotView& robot,
                                    const TrotPhase& phase, const TrotReference& reference,
                                    const TrotMemory& memory, std::size_t i);

}  // namespace pequod
