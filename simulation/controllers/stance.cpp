// The posture of a trot when none is given.
#include <cmath>
#include <optional>
#include <stdexcept>

#include "simulation/controllers/leg_geometry.h"
#include "simulation/controllers/trot.h"

namespace pequod {
namespace {

constexpr double kDepth = 0.70;      // of the leg's length
constexpr double kLargest = 2.2;     // rad: a leg folded further is the other branch of the knee
constexpr double kConverged = 1e-9;  // of the leg's length

struct StanceTarget {
  Vector3d foot;        // m, base frame
  double length = 0.0;  // m, thigh and shank normal to the hip's flexion axis
};

// Foot under the flexion axis, as far out as at zero.
StanceTarget stance_target(const Model& model, const Leg& leg) {
  const LegPose zero = leg_pose(model, leg, Vector3d::Zero());
  const Vector3d& axis = zero.axis[1];
  const auto across = [&axis](const Vector3d& d) { return (d - axis * axis.dot(d)).norm(); };
  StanceTarget target;
  target.length = across(zero.anchor[2] - zero.anchor[1]) + across(zero.foot - zero.anchor[2]);
  target.foot = zero.anchor[1];
  target.foot.y() = zero.foot.y();
  target.foot.z() -= kDepth * target.length;
  return target;
}

// Damped least squares from a first guess.
std::optional<Vector3d> solve_leg(const Model& model, const Leg& leg, const StanceTarget& target,
                                  Vector3d angles) {
  const double zero = kConverged * target.length;
  const double damping = 1e-3 * target.length * target.length;
  LegPose pose = leg_pose(model, leg, angles);
  for (int i = 0; i < 300; ++i) {
    const Vector3d error = target.foot - pose.foot;
    if (error.norm() < zero) return angles;
    const Matrix3d& J = pose.jacobian;
    // The damping goes with the error: bounded steps far away, Newton's near the end.
    const double lambda = damping * error.norm() / target.length;
    const Matrix3d A = J * J.transpose() + lambda * Matrix3d::Identity();
    angles += J.transpose() * A.ldlt().solve(error);
    pose = leg_pose(model, leg, angles);
  }
  return std::nullopt;
}

bool allowed(const Model& model, const Leg& leg, const Vector3d& angles) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Joint& joint = nth(model.links, leg.links[k]).joint;
    const double angle = angles[static_cast<Eigen::Index>(k)];
    if (angle < joint.lower || angle > joint.upper || std::abs(angle) > kLargest) return false;
  }
  return true;
}

// m, how far the knee lies behind the line from hip to foot.
double knee_behind(const LegPose& pose) {
  const Vector3d line = pose.foot - pose.anchor[1], knee = pose.anchor[2] - pose.anchor[1];
  return line.x() * knee.z() / line.z() - knee.x();
}

Vector3d stance_of(const Model& model, const Leg& leg) {
  const StanceTarget target = stance_target(model, leg);
  std::optional<Vector3d> best;
  bool best_behind = false;
  for (const double hip : {0.7, -0.7}) {
    for (const double knee : {-1.4, 1.4}) {
      const std::optional<Vector3d> angles = solve_leg(model, leg, target, {0.0, hip, knee});
      if (!angles || !allowed(model, leg, *angles)) continue;
      const bool behind = knee_behind(leg_pose(model, leg, *angles)) > 0.0;
      // Of two on one side the one nearer to zero; the earlier of equals.
      const bool better =
          !best || behind != best_behind ? !best || behind : angles->norm() < best->norm() - 1e-6;
      if (better) {
        best = angles;
        best_behind = behind;
      }
    }
  }
  if (!best)
    throw std::invalid_argument(
        "no stance found: " + link_name(model, leg.links[2]) +
        " cannot reach under its hip within the joint limits; give the joints' positions");
  return *best;
}

}  // namespace

VectorXd default_stance(const Model& model, int entity, const VectorXd& q) {
  VectorXd stance = q;
  for (const Leg& leg : find_legs(model, entity)) {
    const Vector3d angles = stance_of(model, leg);
    for (std::size_t k = 0; k < 3; ++k) stance[leg.q[k]] = angles[static_cast<Eigen::Index>(k)];
  }
  return stance;
}

}  // namespace pequod
