#include "core/articulated.h"

#include <Eigen/LU>

namespace pequod {
namespace {

Matrix6d spatial_inertia(const LinkKinematics& k) {
  Matrix6d I;
  I << k.I, skew(k.h), -skew(k.h), k.m * Matrix3d::Identity();
  return I;
}

Vector6d cross_force(const LinkKinematics& k, const Vector6d& f) {
  Vector6d out;
  out << k.w.cross(f.head<3>()) + k.v_O.cross(f.tail<3>()), k.w.cross(f.tail<3>());
  return out;
}

auto columns(const Kinematics& kin, const Joint& joint) {
  return kin.S.middleCols(joint.v_index, velocity_count(joint.type));
}

}  // namespace

void compute_articulated(const Model& model, const Kinematics& kin, ArticulatedBody& body) {
  const std::size_t n = model.links.size();
  body.inertia.resize(n);
  body.U.resize(n);
  body.D_inverse.resize(n);
  for (std::size_t i = 0; i < n; ++i) body.inertia[i] = spatial_inertia(kin.links[i]);
  for (std::size_t i = n; i-- > 0;) {
    const Link& link = model.links[i];
    const auto S = columns(kin, link.joint);
    body.U[i].noalias() = body.inertia[i] * S;
    ArticulatedBody::Block D = S.transpose() * body.U[i];
    D.diagonal().array() += link.joint.armature;
    body.D_inverse[i] = D.inverse();
    if (link.parent >= 0)
      nth(body.inertia, link.parent) +=
          body.inertia[i] - body.U[i] * body.D_inverse[i] * body.U[i].transpose();
  }
}

void forward_dynamics(const Model& model, const Kinematics& kin, const ArticulatedBody& body,
                      const VectorXd& tau, VectorXd& vdot) {
  const std::size_t n = model.links.size();
  std::vector<Vector6d> p(n), a(n), c(n);
  for (std::size_t i = 0; i < n; ++i) {
    const LinkKinematics& k = kin.links[i];
    Vector6d V;
    V << k.w, k.v_O;
    p[i] = cross_force(k, spatial_inertia(k) * V);
    c[i] << k.alpha_O, k.a_O;
    if (const int parent = model.links[i].parent; parent >= 0) {
      const LinkKinematics& kp = nth(kin.links, parent);
      c[i].head<3>() -= kp.alpha_O;
      c[i].tail<3>() -= kp.a_O;
    }
  }
  VectorXd u(model.nv);
  for (std::size_t i = n; i-- > 0;) {
    const Link& link = model.links[i];
    const auto S = columns(kin, link.joint);
    const int j = link.joint.v_index, m = velocity_count(link.joint.type);
    u.segment(j, m) = tau.segment(j, m) - S.transpose() * p[i];
    if (link.parent < 0) continue;
    const Vector6d Ic =
        body.inertia[i] * c[i] - body.U[i] * (body.D_inverse[i] * (body.U[i].transpose() * c[i]));
    nth(p, link.parent) += p[i] + Ic + body.U[i] * (body.D_inverse[i] * u.segment(j, m));
  }
  vdot.resize(model.nv);
  for (std::size_t i = 0; i < n; ++i) {
    const Link& link = model.links[i];
    const int j = link.joint.v_index, m = velocity_count(link.joint.type);
    if (link.parent >= 0) {
      a[i] = nth(a, link.parent) + c[i];
    } else {
      a[i] = c[i];
      a[i].tail<3>() -= model.gravity;
    }
    vdot.segment(j, m) = body.D_inverse[i] * (u.segment(j, m) - body.U[i].transpose() * a[i]);
    a[i] += columns(kin, link.joint) * vdot.segment(j, m);
  }
}

void impulse_response(const Model& model, const Kinematics& kin, const ArticulatedBody& body,
                      int link_index, const Vector3d& point_W, const Vector3d& p_W, VectorXd& dv) {
  dv.setZero(model.nv);
  if (link_index < 0) return;
  const auto start = static_cast<std::size_t>(link_index);
  const int tree_index = model.links[start].tree;
  const Tree& tree = nth(model.trees, tree_index);
  Vector6d p;  // minus the impulse on the branch, about O
  p << -(point_W - nth(kin.origins, tree_index)).cross(p_W), -p_W;
  VectorXd u = VectorXd::Zero(model.nv);
  for (int i = link_index; i >= 0; i = nth(model.links, i).parent) {
    const auto k = static_cast<std::size_t>(i);
    const Joint& joint = model.links[k].joint;
    const int m = velocity_count(joint.type);
    u.segment(joint.v_index, m) = -(columns(kin, joint).transpose() * p);
    p += body.U[k] * (body.D_inverse[k] * u.segment(joint.v_index, m));
  }
  std::vector<Vector6d> change(static_cast<std::size_t>(tree.links));
  for (int i = 0; i < tree.links; ++i) {
    const auto k = static_cast<std::size_t>(tree.first_link + i);
    const Link& link = model.links[k];
    const int j = link.joint.v_index, m = velocity_count(link.joint.type);
    Vector6d V = Vector6d::Zero();
    if (link.parent >= 0) V = nth(change, link.parent - tree.first_link);
    dv.segment(j, m) = body.D_inverse[k] * (u.segment(j, m) - body.U[k].transpose() * V);
    nth(change, i) = V + columns(kin, link.joint) * dv.segment(j, m);
  }
}

}  // namespace pequod
