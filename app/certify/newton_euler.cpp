#include "app/certify/newton_euler.h"

#include <cmath>

namespace pequod::app::certify {
namespace {

const Link& link_of(const Model& model, int link) { return nth(model.links, link); }

}  // namespace

void add_wrench(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                const Vector3d& force_W, const Vector3d& moment_W, VectorXd& into) {
  if (link < 0) return;
  const Link& carried = link_of(model, link);
  const Vector3d& O = nth(kin.origins, carried.tree);
  const Vector3d about_O = moment_W + (p_W - O).cross(force_W);
  for (int i = carried.joint.v_index + velocity_count(carried.joint.type) - 1; i >= 0;
       i = nth(model.dof_parent, i))
    into[i] += kin.S.col(i).head<3>().dot(about_O) + kin.S.col(i).tail<3>().dot(force_W);
}

VectorXd newton_euler(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                      const Vector3d& gravity) {
  VectorXd force = VectorXd::Zero(model.nv);
  for (int k = 0; k < static_cast<int>(model.links.size()); ++k) {
    const Link& link = link_of(model, k);
    const BodyMotion B = link_motion(model, kin, k, vdot);
    const Vector3d arm = B.X_WL.R * link.inertia.com;
    const Matrix3d I = B.X_WL.R * link.inertia.about_com * B.X_WL.R.transpose();
    const Vector3d a_c = B.a + B.alpha.cross(arm) + B.w.cross(B.w.cross(arm));
    add_wrench(model, kin, k, B.X_WL.p + arm, link.inertia.mass * (a_c - gravity),
               I * B.alpha + B.w.cross(I * B.w), force);
    const int i = link.joint.v_index, n = velocity_count(link.joint.type);
    force.segment(i, n) += link.joint.armature * vdot.segment(i, n);
  }
  return force;
}

std::vector<double> energy_roots(const Model& model, const Kinematics& kin, const VectorXd& v) {
  std::vector<double> twice(model.trees.size(), 0.0);
  for (int k = 0; k < static_cast<int>(model.links.size()); ++k) {
    const Link& link = link_of(model, k);
    const BodyMotion B = link_motion(model, kin, k);
    const Vector3d v_c = B.v + B.w.cross(B.X_WL.R * link.inertia.com);
    const Vector3d w_L = B.X_WL.R.transpose() * B.w;
    const int i = link.joint.v_index, n = velocity_count(link.joint.type);
    nth(twice, link.tree) += link.inertia.mass * v_c.squaredNorm() +
                             w_L.dot(link.inertia.about_com * w_L) +
                             link.joint.armature * v.segment(i, n).squaredNorm();
  }
  for (double& x : twice) x = std::sqrt(x);
  return twice;
}

}  // namespace pequod::app::certify
