#include <algorithm>

#include "simulation/controllers/force_distribution.h"
#include "simulation/controllers/trot_plan.h"

namespace pequod {
namespace {

// Force on the centre of mass that tracks velocity and height, N.
Vector3d wanted_force(const TrotPlan& plan, const RobotView& robot, double height,
                      const Eigen::Vector2d& velocity, double ground) {
  const TrotGains& gains = plan.options.gains;
  const double m = plan.mass, w = plan.omega0;
  const double lack = height + ground - robot.com.z();
  const double vertical = m * (plan.g + gains.height * w * w * lack -
                               gains.height_damping * w * robot.com_velocity.z());
  Vector3d force;
  force << gains.velocity * m * w * (velocity - robot.com_velocity.head<2>()),
      std::clamp(vertical, 0.2 * m * plan.g, 2.5 * m * plan.g);
  return force;
}

// Moment about the centre of mass that keeps the base level and on its heading, N·m.
Vector3d wanted_moment(const TrotPlan& plan, const RobotView& robot, double yaw_error,
                       double yaw_rate) {
  const TrotGains& gains = plan.options.gains;
  const double w = plan.omega0;
  Vector3d error = robot.R_WB.col(2).cross(Vector3d::UnitZ());
  error.z() = yaw_error;
  const Vector3d stiffness(gains.tilt, gains.tilt, gains.yaw);
  const Vector3d damping(gains.tilt_damping, gains.tilt_damping, gains.yaw_damping);
  const Vector3d rate = yaw_rate * Vector3d::UnitZ() - robot.w;
  const Vector3d acceleration =
      w * w * stiffness.cwiseProduct(error) + w * damping.cwiseProduct(rate);
  return robot.inertia * acceleration + robot.w.cross(robot.inertia * robot.w);
}

}  // namespace

std::array<Vector3d, kLegs> balance_forces(const TrotPlan& plan, const RobotView& robot,
                                           const TrotPhase& phase, const TrotReference& reference,
                                           double ground) {
  const double weight = plan.mass * plan.g;
  std::array<Vector3d, kLegs> arms, shares, forces;
  std::size_t standing = 0;
  for (std::size_t i = 0; i < kLegs; ++i) {
    forces[i].setZero();
    if (!phase.stands[i]) continue;
    const Vector3d contact = robot.legs[i].foot - plan.legs[i].radius * Vector3d::UnitZ();
    arms[standing++] = (contact - robot.com) / plan.z0;
  }
  WrenchShare share;
  share.force = wanted_force(plan, robot, phase.height, reference.velocity, ground) / weight;
  share.moment =
      wanted_moment(plan, robot, reference.yaw_error, phase.velocity.z()) / (weight * plan.z0);
  share.arms = {arms.data(), standing};
  share.cone = plan.options.cone;
  distribute_wrench(share, {shares.data(), standing});
  standing = 0;
  for (std::size_t i = 0; i < kLegs; ++i)
    if (phase.stands[i]) forces[i] = weight * shares[standing++];
  return forces;
}

Vector3d stance_effort(const TrotPlan& plan, const LegView& leg, const Vector3d& force) {
  const double damping = plan.options.gains.leg_damping * plan.omega0;
  return leg.bias - leg.contact_jacobian.transpose() * force -
         damping * leg.mass.diagonal().cwiseProduct(leg.qdot);
}

}  // namespace pequod
