// Motion and energy of any Model as a textbook writes them, link by link in world axes: a second
// opinion on the spatial algorithms and on what a run says of its own energy.
#pragma once

#include <vector>

#include "core/model.h"
#include "core/motion.h"

namespace pequod::test {

/// Pose and velocity of every link; the accelerations stay zero.
inline std::vector<BodyMotion> textbook_motion(const Model& model, const VectorXd& q,
                                               const VectorXd& v) {
  std::vector<BodyMotion> links;
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    const int i = joint.q_index, j = joint.v_index;
    BodyMotion B;
    if (joint.type == JointType::free) {
      B.X_WL = {Quaterniond(q[i + 3], q[i + 4], q[i + 5], q[i + 6]).toRotationMatrix(),
                q.segment<3>(i)};
      B.w = v.segment<3>(j);
      B.v = v.segment<3>(j + 3);
      links.push_back(B);
      continue;
    }
    const BodyMotion parent = link.parent < 0 ? BodyMotion{} : nth(links, link.parent);
    const Pose X_WF = parent.X_WL * joint.X_PF;
    B.X_WL = X_WF;
    B.w = parent.w;
    const Vector3d axis = X_WF.R * joint.axis;
    if (joint.type == JointType::prismatic) B.X_WL.p += q[i] * axis;
    B.v = velocity_at(parent, B.X_WL.p);
    if (joint.type == JointType::prismatic) {
      B.v += v[j] * axis;
    } else if (joint.type == JointType::revolute) {
      B.X_WL.R = X_WF.R * Eigen::AngleAxisd(q[i], joint.axis).toRotationMatrix();
      B.w += v[j] * axis;
    } else {
      B.X_WL.R = X_WF.R * Quaterniond(q[i], q[i + 1], q[i + 2], q[i + 3]).toRotationMatrix();
      B.w += B.X_WL.R * v.segment<3>(j);
    }
    links.push_back(B);
  }
  return links;
}

/// J: Σ ½ m |v_c|² + ½ ω·I ω + ½ armature q̇².
inline double textbook_kinetic(const Model& model, const VectorXd& q, const VectorXd& v) {
  const std::vector<BodyMotion> motion = textbook_motion(model, q, v);
  double sum = 0.0;
  for (std::size_t k = 0; k < motion.size(); ++k) {
    const auto& [mass, com, about_com] = model.links[k].inertia;
    const Joint& joint = model.links[k].joint;
    const Matrix3d& R = motion[k].X_WL.R;
    sum += 0.5 * mass * velocity_at(motion[k], motion[k].X_WL * com).squaredNorm();
    sum += 0.5 * motion[k].w.dot(R * about_com * R.transpose() * motion[k].w);
    if (joint.type != JointType::free)
      sum +=
          0.5 * joint.armature * v.segment(joint.v_index, velocity_count(joint.type)).squaredNorm();
  }
  return sum;
}

/// J: −Σ m g·c.
inline double textbook_potential(const Model& model, const VectorXd& q) {
  const std::vector<BodyMotion> motion = textbook_motion(model, q, VectorXd::Zero(model.nv));
  double sum = 0.0;
  for (std::size_t k = 0; k < motion.size(); ++k)
    sum -= model.links[k].inertia.mass *
           model.gravity.dot(motion[k].X_WL * model.links[k].inertia.com);
  return sum;
}

}  // namespace pequod::test
