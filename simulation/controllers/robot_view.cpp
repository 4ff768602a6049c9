#include "simulation/controllers/robot_view.h"

#include <cmath>

namespace pequod {
namespace {

Matrix3d leg_jacobian(const Kinematics& kin, const Leg& leg, const Vector3d& arm) {
  Matrix3d J;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d axis = kin.S.col(leg.v[k]).head<3>();
    J.col(static_cast<Eigen::Index>(k)) = kin.S.col(leg.v[k]).tail<3>() + axis.cross(arm);
  }
  return J;
}

// From the lower triangle of the tree's block; a leg's coordinates ascend.
Matrix3d leg_mass(const Model& model, const Leg& leg, const MassMatrix& M) {
  const auto index = static_cast<std::size_t>(leg.links[0]);
  const Tree& tree = nth(model.trees, model.links[index].tree);
  Matrix3d block;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const int at =
          tree.mass_offset + (leg.v[i] - tree.first_v) * tree.nv + leg.v[j] - tree.first_v;
      const auto r = static_cast<Eigen::Index>(i), c = static_cast<Eigen::Index>(j);
      block(r, c) = block(c, r) = nth(M.blocks, at);
    }
  return block;
}

void view_leg(const ControlInput& input, const Leg& leg, LegView& view) {
  const Kinematics& kin = input.kinematics;
  const auto link = static_cast<std::size_t>(leg.links[2]);
  const Vector3d& O = nth(kin.origins, input.model.links[link].tree);
  view.foot = kin.links[link].X_WL * leg.foot;
  view.velocity = point_velocity(input.model, kin, leg.links[2], view.foot);
  view.normal_force = contact_force_on(input.model, input.state, leg.frame).z();
  view.jacobian = leg_jacobian(kin, leg, view.foot - O);
  view.contact_jacobian = leg_jacobian(kin, leg, view.foot - leg.radius * Vector3d::UnitZ() - O);
  view.mass = leg_mass(input.model, leg, input.mass);
  for (std::size_t k = 0; k < 3; ++k) {
    view.bias[static_cast<Eigen::Index>(k)] = input.bias[leg.v[k]];
    view.qdot[static_cast<Eigen::Index>(k)] = input.state.v[leg.v[k]];
  }
}

}  // namespace

RobotView view_robot(const ControlInput& input, int entity, const std::array<Leg, kLegs>& legs) {
  RobotView view;
  const Model& model = input.model;
  const Kinematics& kin = input.kinematics;
  const Entity& robot = nth(model.entities, entity);
  const MassCentre centre = mass_centre(model, kin, robot.first_link, robot.links);
  view.mass = centre.mass;
  view.com = centre.position;
  view.com_velocity = centre.velocity;

  const auto base = static_cast<std::size_t>(robot.base_link);
  // I_c = I_O − m (|r|² 1 − r rᵀ)
  const Vector3d r = centre.position - nth(kin.origins, model.links[base].tree);
  view.inertia = -centre.mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  for (int i = robot.first_link; i < robot.first_link + robot.links; ++i)
    view.inertia += nth(kin.links, i).I;

  view.R_WB = kin.links[base].X_WL.R;
  view.w = kin.links[base].w;
  view.yaw = std::atan2(view.R_WB(1, 0), view.R_WB(0, 0));
  for (std::size_t i = 0; i < kLegs; ++i) view_leg(input, legs[i], view.legs[i]);
  return view;
}

}  // namespace pequod
