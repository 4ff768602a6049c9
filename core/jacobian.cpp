#include "core/dynamics.h"

namespace pequod {
namespace {

template <typename F>
void for_each_dof(const Model& model, int link, const F& visit) {
  if (link < 0) return;
  const Joint& joint = nth(model.links, link).joint;
  for (int i = joint.v_index + velocity_count(joint.type) - 1; i >= 0; i = nth(model.dof_parent, i))
    visit(i);
}

const Vector3d& origin_of(const Model& model, const Kinematics& kin, int link) {
  return nth(kin.origins, nth(model.links, link).tree);
}

// d/dt of the column of S about the fixed point O (see propagate in kinematics.cpp).
Vector6d column_rate(const Model& model, const Kinematics& kin, int dof) {
  const int index = nth(model.dof_link, dof);
  const Link& link = nth(model.links, index);
  const LinkKinematics& k = nth(kin.links, index);
  const Vector3d s_w = kin.S.col(dof).head<3>(), s_v = kin.S.col(dof).tail<3>();
  Vector6d rate;
  if (link.joint.type == JointType::free) {
    // S = [e; e × (O − p_base)], p_base moving with v_O.
    rate << Vector3d::Zero(), -s_w.cross(k.v_O);
  } else {
    rate << k.w.cross(s_w), k.w.cross(s_v) + k.v_O.cross(s_w);
  }
  return rate;
}

}  // namespace

void add_point_row(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                   const Vector3d& d_W, double scale, Eigen::Ref<VectorXd> row) {
  if (link < 0) return;
  const Vector3d d = scale * d_W;
  const Vector3d moment = (p_W - origin_of(model, kin, link)).cross(d);
  project_wrench(model, kin, link, moment, d, [&](int i, double part) { row[i] += part; });
}

void frame_jacobian(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                    MatrixXd& J) {
  J.setZero(6, model.nv);
  if (link < 0) return;
  const Vector3d r = p_W - origin_of(model, kin, link);
  for_each_dof(model, link, [&](int i) {
    const Vector3d s_w = kin.S.col(i).head<3>();
    J.col(i) << s_w, kin.S.col(i).tail<3>() + s_w.cross(r);
  });
}

void frame_jacobian_rate(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                         MatrixXd& Jdot) {
  Jdot.setZero(6, model.nv);
  if (link < 0) return;
  const Vector3d r = p_W - origin_of(model, kin, link);
  const Vector3d v = point_velocity(model, kin, link, p_W);
  for_each_dof(model, link, [&](int i) {
    const Vector6d rate = column_rate(model, kin, i);
    const Vector3d s_w = kin.S.col(i).head<3>(), rate_w = rate.head<3>();
    Jdot.col(i) << rate_w, rate.tail<3>() + rate_w.cross(r) + s_w.cross(v);
  });
}

void point_jacobian(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                    MatrixXd& J) {
  MatrixXd full;
  frame_jacobian(model, kin, link, p_W, full);
  J = full.bottomRows<3>();
}

void point_jacobian_rate(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                         MatrixXd& Jdot) {
  MatrixXd full;
  frame_jacobian_rate(model, kin, link, p_W, full);
  Jdot = full.bottomRows<3>();
}

}  // namespace pequod
