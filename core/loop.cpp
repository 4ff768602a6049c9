#include "core/loop.h"

#include <algorithm>
#include <cmath>

namespace pequod {
namespace {

Pose link_pose(std::span<const Pose> X_WL, int link) { return link < 0 ? Pose{} : nth(X_WL, link); }

// Axes of K_A and origin of K_B, in the world.
struct LoopFrame {
  Matrix3d axes;
  Vector3d p_W;
};
LoopFrame loop_frame(const Kinematics& kin, const Loop& loop) {
  LoopFrame frame{loop.X_AK.R, loop.X_BK.p};
  if (loop.link_a >= 0) frame.axes = nth(kin.links, loop.link_a).X_WL.R * frame.axes;
  if (loop.link_b >= 0) frame.p_W = nth(kin.links, loop.link_b).X_WL * frame.p_W;
  return frame;
}

void add_rotation_row(const Model& model, const Kinematics& kin, int link, const Vector3d& d,
                      VectorXd& row) {
  if (link < 0) return;
  const Joint& joint = nth(model.links, link).joint;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= 0; i = nth(model.dof_parent, i))
    row[i] += kin.S.col(i).head<3>().dot(d);
}

}  // namespace

std::array<bool, kLoopDirections> held_directions(LoopType type) {
  switch (type) {
    case LoopType::spherical:
      return {true, true, true, false, false, false};
    case LoopType::revolute:
      return {true, true, true, false, true, true};
    case LoopType::prismatic:
      return {false, true, true, true, true, true};
    case LoopType::fixed:
      break;
  }
  return {true, true, true, true, true, true};
}

Vector6d loop_gap(const Loop& loop, std::span<const Pose> X_WL) {
  const Pose X_WKa = link_pose(X_WL, loop.link_a) * loop.X_AK;
  const Pose X_WKb = link_pose(X_WL, loop.link_b) * loop.X_BK;
  Vector6d gap;
  gap.head<3>() = X_WKa.R.transpose() * (X_WKb.p - X_WKa.p);
  const Matrix3d E = X_WKa.R.transpose() * X_WKb.R;
  // x_A × x_B where the axis may turn, else the antisymmetric part sin(angle) · axis.
  if (loop.type == LoopType::revolute)
    gap.tail<3>() << 0.0, -E(2, 0), E(1, 0);
  else
    gap.tail<3>() << 0.5 * (E(2, 1) - E(1, 2)), 0.5 * (E(0, 2) - E(2, 0)),
        0.5 * (E(1, 0) - E(0, 1));
  const std::array<bool, kLoopDirections> held = held_directions(loop.type);
  for (int i = 0; i < kLoopDirections; ++i)
    if (!nth(held, i)) gap[i] = 0.0;
  return gap;
}

double widest_loop_gap(std::span<const Loop> loops, std::span<const Pose> X_WL) {
  double widest = 0.0;
  for (const Loop& loop : loops)
    widest = std::max(widest, loop_gap(loop, X_WL).lpNorm<Eigen::Infinity>());
  return widest;
}

LoopOpening loop_opening(const Loop& loop, std::span<const Pose> X_WL) {
  const Matrix3d E = (link_pose(X_WL, loop.link_a).R * loop.X_AK.R).transpose() *
                     (link_pose(X_WL, loop.link_b).R * loop.X_BK.R);
  LoopOpening opening;
  opening.distance = loop_gap(loop, X_WL).head<3>().norm();
  if (loop.type == LoopType::revolute)
    opening.angle = std::atan2(std::hypot(E(1, 0), E(2, 0)), E(0, 0));
  else if (loop.type != LoopType::spherical)
    opening.angle = Eigen::AngleAxisd(E).angle();
  return opening;
}

void add_loop_row(const Model& model, const Kinematics& kin, const Loop& loop, int direction,
                  VectorXd& row) {
  const LoopFrame frame = loop_frame(kin, loop);
  const Vector3d d = frame.axes.col(direction % 3);
  if (direction < 3) {
    add_point_row(model, kin, loop.link_b, frame.p_W, d, 1.0, row);
    add_point_row(model, kin, loop.link_a, frame.p_W, d, -1.0, row);
  } else {
    add_rotation_row(model, kin, loop.link_b, d, row);
    add_rotation_row(model, kin, loop.link_a, -d, row);
  }
}

double loop_lever(const Model& model, const Kinematics& kin, const Loop& loop) {
  const Vector3d p_W = loop_frame(kin, loop).p_W;
  double lever = p_W.norm();
  for (const int link : {loop.link_a, loop.link_b}) {
    if (link < 0) continue;
    const auto tree = static_cast<std::size_t>(nth(model.links, link).tree);
    lever = std::max(lever, (p_W - kin.origins[tree]).norm());
  }
  return lever;
}

Vector6d loop_bias(const Model& model, const Kinematics& kin, const Loop& loop) {
  const LoopFrame frame = loop_frame(kin, loop);
  const BodyMotion A = link_motion(model, kin, loop.link_a);
  const BodyMotion B = link_motion(model, kin, loop.link_b);
  const Vector3d v = velocity_at(B, frame.p_W) - velocity_at(A, frame.p_W);
  const Vector3d a = acceleration_at(B, frame.p_W) - acceleration_at(A, frame.p_W);
  Vector6d bias;
  // Both are derivatives of components along axes that turn with A; the first is of a velocity
  // against A's material point that is passed just now, hence the factor two.
  bias.head<3>() = frame.axes.transpose() * (a - 2.0 * A.w.cross(v));
  bias.tail<3>() = frame.axes.transpose() * (B.alpha - A.alpha - A.w.cross(B.w));
  return bias;
}

}  // namespace pequod
