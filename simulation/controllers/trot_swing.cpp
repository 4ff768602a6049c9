#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "simulation/controllers/trot_plan.h"

namespace pequod {
namespace {

constexpr double kFarthest = 0.6;  // of z0, from the foot's place under the robot at touchdown

// Where the centre of the foot's ball is to land, m, world axes.
Vector3d foothold(const TrotPlan& plan, const RobotView& robot, const TrotPhase& phase,
                  const TrotReference& reference, double ground, std::size_t i) {
  const double remaining = (1.0 - phase.swing[i]) * plan.swing_time;  // s
  const Eigen::Vector2d v = robot.com_velocity.head<2>();
  const double turn = phase.velocity.z() * (remaining + 0.5 * plan.stance_time);  // rad
  const Eigen::Rotation2Dd heading(robot.yaw);
  const Eigen::Vector2d ahead = heading * (Eigen::Rotation2Dd(turn) * plan.nominal[i]);
  const Eigen::Vector2d under = robot.com.head<2>() + v * remaining + heading * plan.nominal[i];
  Eigen::Vector2d shift = ahead - heading * plan.nominal[i] + 0.5 * plan.stance_time * v +
                          plan.options.gains.placement / plan.omega0 * (v - reference.velocity);
  if (const double most = kFarthest * plan.z0; shift.norm() > most) shift *= most / shift.norm();
  Vector3d p;
  p << under + shift, ground + plan.legs[i].radius;
  return p;
}

struct Motion {
  Vector3d p, v, a;
};

// Minimum-jerk way to the foothold with a hump of the step's height; that the foothold itself moves
// is left to the feedback.
Motion swing_motion(const TrotPlan& plan, const Vector3d& from, const Vector3d& to, double s) {
  const double r = 1.0 - s, rate = 1.0 / plan.swing_time;
  const Vector3d way = to - from, up = 64.0 * plan.options.step_height * Vector3d::UnitZ();
  Motion motion;
  motion.p =
      from + way * (s * s * s * (10.0 + s * (6.0 * s - 15.0))) + up * (s * s * s * r * r * r);
  motion.v = rate * (way * (30.0 * s * s * r * r) + up * (3.0 * s * s * r * r * (r - s)));
  motion.a = rate * rate *
             (way * (60.0 * s * r * (r - s)) + up * (6.0 * s * r * (r * r - 3.0 * s * r + s * s)));
  return motion;
}

}  // namespace

Vector3d swing_effort(const TrotPlan& plan, const RobotView& robot, const TrotPhase& phase,
                      const TrotReference& reference, const TrotMemory& memory, std::size_t i) {
  const LegView& leg = robot.legs[i];
  const Vector3d from = Eigen::Map<const Vector3d>(memory.feet[i].lift.data());
  const Vector3d to = foothold(plan, robot, phase, reference, ground_height(memory), i);
  const Motion wanted = swing_motion(plan, from, to, phase.swing[i]);
  const double w = plan.options.gains.swing * plan.omega0;
  const Vector3d a = wanted.a + w * w * (wanted.p - leg.foot) + 2.0 * w * (wanted.v - leg.velocity);

  // τ = h + Jᵀ (J M⁻¹ Jᵀ)⁻¹ a, damped where the leg is stretched.
  const Matrix3d& J = leg.jacobian;
  Matrix3d G = J * leg.mass.llt().solve(J.transpose());
  G.diagonal().array() += 1e-4 * G.trace();
  return leg.bias + J.transpose() * G.llt().solve(a);
}

}  // namespace pequod
