#include "core/springs.h"

namespace pequod {
namespace {

// @param pose_of  gives the pose of a link in the world
template <typename PoseOf>
SpringLine line_of(const Spring& spring, const PoseOf& pose_of) {
  const auto place = [&](int link, const Vector3d& p) -> Vector3d {
    return link < 0 ? p : pose_of(static_cast<std::size_t>(link)) * p;
  };
  SpringLine line{place(spring.link_a, spring.p_A), place(spring.link_b, spring.p_B)};
  line.length = (line.p_W_B - line.p_W_A).norm();
  if (line.length > 0.0) line.along = (line.p_W_B - line.p_W_A) / line.length;
  return line;
}

// A row of its own, as rates need all of it.
VectorXd length_row(const Model& model, const Kinematics& kin, const Spring& spring) {
  VectorXd row = VectorXd::Zero(model.nv);
  add_length_row(model, kin, spring, spring_line(spring, kin), 1.0, row);
  return row;
}

}  // namespace

SpringLine spring_line(const Spring& spring, std::span<const Pose> X_WL) {
  return line_of(spring, [&](std::size_t link) -> const Pose& { return X_WL[link]; });
}

SpringLine spring_line(const Spring& spring, const Kinematics& kin) {
  return line_of(spring, [&](std::size_t link) -> const Pose& { return kin.links[link].X_WL; });
}

double spring_energy(const Model& model, const Kinematics& kin) {
  double energy = 0.0;
  for (const Spring& spring : model.springs) {
    const double stretch = spring_line(spring, kin).length - spring.rest;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  return energy;
}

void add_length_row(const Model& model, const Kinematics& kin, const Spring& spring,
                    const SpringLine& line, double scale, VectorXd& row) {
  if (spring.link_a >= 0)
    add_point_row(model, kin, spring.link_a, line.p_W_A, line.along, -scale, row);
  if (spring.link_b >= 0)
    add_point_row(model, kin, spring.link_b, line.p_W_B, line.along, scale, row);
}

void add_spring_forces(const Model& model, const Kinematics& kin, VectorXd& force) {
  for (const Spring& spring : model.springs) {
    const SpringLine line = spring_line(spring, kin);
    add_length_row(model, kin, spring, line, -spring.stiffness * (line.length - spring.rest),
                   force);
  }
}

void add_damper_forces(const Model& model, const Kinematics& kin, const VectorXd& v,
                       VectorXd& damping) {
  for (const Spring& spring : model.springs) {
    if (spring.damping == 0.0) continue;
    const VectorXd row = length_row(model, kin, spring);
    damping += spring.damping * row.dot(v) * row;
  }
}

}  // namespace pequod
