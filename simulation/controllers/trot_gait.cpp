#include <algorithm>
#include <cmath>
#include <numbers>

#include "simulation/controllers/trot_plan.h"
#include "simulation/loop/instant.h"

namespace pequod {
namespace {

constexpr double kStanding = 4.0;       // of 1/ω0, on four feet before the clock starts
constexpr double kRising = 0.75;        // of that, until the full height
constexpr double kRamp = 6.0;           // of 1/ω0, from zero to the commanded velocity
constexpr double kEarly = 0.6;          // of a swing, after which contact ends it
constexpr double kTouch = 0.02;         // of m g: less is no contact
constexpr double kPositionError = 0.2;  // of z0
constexpr double kYawError = 0.3;       // rad

double smoothstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

// Phase of the diagonal pair of leg i, in [0, 1): 0 is lift-off. `clock` counts gait periods.
double pair_phase(const TrotPlan& plan, double clock, std::size_t i) {
  const bool left_front_pair = i == kLeftFront || i == kRightHind;
  if (left_front_pair == plan.options.start_right) clock += 0.5;
  return clock - std::floor(clock);
}

// What the clock and contact mean for one foot. @return progress of its swing, or −1 if it stands
double advance_foot(const TrotPlan& plan, double clock, std::size_t i, const LegView& leg,
                    TrotMemory::Foot& foot) {
  const bool touches = leg.normal_force > kTouch * plan.mass * plan.g;
  const double swing_part = 1.0 - plan.options.duty;
  const double phase = clock < 0.0 ? 1.0 : pair_phase(plan, clock, i);
  const bool swings = phase < swing_part;
  const double s = phase / swing_part;
  if (swings && foot.swung == 0.0) {
    Eigen::Map<Vector3d>(foot.lift.data()) = leg.foot;
    foot.landed = 0.0;
  }
  foot.swung = swings ? 1.0 : 0.0;
  if (swings && s > kEarly && touches) foot.landed = 1.0;
  if (swings && foot.landed == 0.0) return s;
  // Stance begins by the clock, contact or not: a late foot is driven down by its own force.
  if (touches) foot.ground = leg.foot.z() - plan.legs[i].radius;
  return -1.0;
}

}  // namespace

TrotPhase advance_gait(const TrotPlan& plan, const RobotView& robot, double t, TrotMemory& memory) {
  // Ticks are multiples of the period up to rounding; a phase that begins on one begins there.
  const double time = t - memory.start + std::max(1e-9 * plan.options.period, time_rounding(t));
  const double standing = kStanding / plan.omega0;
  const double clock = (time - standing) / plan.options.gait_period;
  TrotPhase phase;
  phase.velocity =
      plan.options.velocity * std::clamp((time - standing) * plan.omega0 / kRamp, 0.0, 1.0);
  phase.height =
      memory.height + (plan.z0 - memory.height) * smoothstep(time / (kRising * standing));
  for (std::size_t i = 0; i < kLegs; ++i) {
    const double s = advance_foot(plan, clock, i, robot.legs[i], memory.feet[i]);
    phase.stands[i] = s < 0.0;
    phase.swing[i] = std::max(s, 0.0);
  }
  return phase;
}

double ground_height(const TrotMemory& memory) {
  double sum = 0.0;
  for (const TrotMemory::Foot& foot : memory.feet) sum += foot.ground;
  return 0.25 * sum;
}

TrotReference advance_reference(const TrotPlan& plan, const RobotView& robot,
                                const TrotPhase& phase, TrotMemory& memory) {
  const double dt = plan.options.period;
  memory.yaw += std::remainder(robot.yaw - memory.yaw, 2.0 * std::numbers::pi);
  memory.yaw_ref += phase.velocity.z() * dt;
  const double yaw_error = std::clamp(memory.yaw_ref - memory.yaw, -kYawError, kYawError);
  memory.yaw_ref = memory.yaw + yaw_error;  // does not wind up

  const Eigen::Vector2d commanded =
      Eigen::Rotation2Dd(robot.yaw) * Eigen::Vector2d(phase.velocity.head<2>());
  Eigen::Map<Eigen::Vector2d> p_ref(memory.p_ref.data());
  p_ref += commanded * dt;
  Eigen::Vector2d error = p_ref - robot.com.head<2>();
  if (const double most = kPositionError * plan.z0; error.norm() > most) {
    error *= most / error.norm();
    p_ref = robot.com.head<2>() + error;
  }
  return {commanded + plan.options.gains.position * plan.omega0 * error, yaw_error};
}

}  // namespace pequod
