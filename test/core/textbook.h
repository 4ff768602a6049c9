// Dynamics as textbooks write it, joint by joint and with dense matrices: the second opinion on the
// spatial algorithms. It starts from the robot's description, so it knows of no merged links.
#pragma once

#include <string>
#include <vector>

#include "test/support/differences.h"
#include "test/support/random_tree.h"

namespace pequod::test {

/// One described link: its frame, and Jacobians of origin and orientation (world axes).
struct TextbookLink {
  Pose X_WL;
  MatrixXd Jp, Jw;  ///< 3 × nv
};

/// a × each column.
inline MatrixXd cross_columns(const MatrixXd& columns, const Vector3d& r) {
  MatrixXd out(3, columns.cols());
  for (Eigen::Index i = 0; i < columns.cols(); ++i) out.col(i) = Vector3d(columns.col(i)).cross(r);
  return out;
}

/// The joint that moves a described link, in the model's numbering; nullptr for a fixed one.
inline const Joint* model_joint(const Model& model, const std::string& name) {
  for (const NamedJoint& joint : model.joints)
    if (joint.name == "r/" + name) return &nth(model.links, joint.link).joint;
  return nullptr;
}

/// Child frame from its parent's: the joint turns and slides by q, its axes span the velocity.
inline TextbookLink textbook_child(const TextbookLink& parent, const RobotJoint& joint,
                                   const Joint* coordinates, const VectorXd& q) {
  const Pose X_WJ = parent.X_WL * joint.X_PJ;
  TextbookLink child = parent;
  child.X_WL = X_WJ;
  child.Jp += cross_columns(parent.Jw, X_WJ.p - parent.X_WL.p);
  if (coordinates == nullptr) return child;
  const int i = coordinates->q_index, j = coordinates->v_index;
  if (joint.type == RobotJointType::spherical) {
    child.X_WL.R = X_WJ.R * Quaterniond(q[i], q[i + 1], q[i + 2], q[i + 3]).toRotationMatrix();
    child.Jw.middleCols<3>(j) += child.X_WL.R;
  } else if (joint.type == RobotJointType::prismatic) {
    const Vector3d axis = X_WJ.R * joint.axis.normalized();
    child.X_WL.p += q[i] * axis;
    child.Jp += cross_columns(parent.Jw, q[i] * axis);
    child.Jp.col(j) += axis;
  } else {
    child.X_WL.R = X_WJ.R * Eigen::AngleAxisd(q[i], joint.axis.normalized()).toRotationMatrix();
    child.Jw.col(j) += X_WJ.R * joint.axis.normalized();
  }
  return child;
}

/// All described links; random robots list parents before children.
inline std::vector<TextbookLink> textbook_links(const RandomTree& tree, const VectorXd& q) {
  const Model& model = tree.model;
  std::vector<TextbookLink> links(1);
  TextbookLink& base = links[0];
  base.Jp = base.Jw = MatrixXd::Zero(3, model.nv);
  base.X_WL = tree.X_WB;
  if (model.entities[0].base_link >= 0) {
    base.X_WL = {Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix(), q.head<3>()};
    base.Jw.leftCols<3>().setIdentity();
    base.Jp.middleCols<3>(3).setIdentity();
  }
  for (const RobotJoint& joint : tree.robot.joints) {
    const TextbookLink& parent = nth(links, std::stoi(joint.parent));
    links.push_back(textbook_child(parent, joint, model_joint(model, joint.name), q));
  }
  return links;
}

/// Jacobian of a described link's centre of mass, and its inertia about it in world axes.
struct TextbookBody {
  double mass = 0.0;
  Vector3d c;      ///< m, world
  Matrix3d I;      ///< kg m²
  MatrixXd J, Jw;  ///< 3 × nv
};

inline std::vector<TextbookBody> textbook_bodies(const RandomTree& tree, const VectorXd& q) {
  std::vector<TextbookBody> bodies;
  const std::vector<TextbookLink> links = textbook_links(tree, q);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const RobotLink& part = tree.robot.links[i];
    const Matrix3d& R = links[i].X_WL.R;
    bodies.push_back({part.mass, links[i].X_WL * part.com, R * part.inertia * R.transpose(),
                      links[i].Jp + cross_columns(links[i].Jw, R * part.com), links[i].Jw});
  }
  return bodies;
}

/// M = Σ m JᵀJ + Jwᵀ I Jw + armature.
inline MatrixXd textbook_mass(const RandomTree& tree, const VectorXd& q) {
  MatrixXd M = MatrixXd::Zero(tree.model.nv, tree.model.nv);
  for (const TextbookBody& B : textbook_bodies(tree, q))
    M += B.mass * B.J.transpose() * B.J + B.Jw.transpose() * B.I * B.Jw;
  for (const RobotJoint& joint : tree.robot.joints)
    if (const Joint* moving = model_joint(tree.model, joint.name))
      for (int k = 0; k < velocity_count(moving->type); ++k)
        M(moving->v_index + k, moving->v_index + k) += joint.armature;
  return M;
}

/// h by Newton and Euler for every link: Σ Jᵀ m (J̇v − g) + Jwᵀ (I J̇w v + ω × I ω), with J̇v by
/// differences along the motion.
inline VectorXd textbook_bias(const RandomTree& tree, const VectorXd& q, const VectorXd& v) {
  const std::vector<TextbookBody> bodies = textbook_bodies(tree, q);
  const auto velocities = [&](double t) {
    const std::vector<TextbookBody> then = textbook_bodies(tree, moved(tree.model, q, t * v));
    MatrixXd out(6, static_cast<Eigen::Index>(then.size()));
    for (std::size_t i = 0; i < then.size(); ++i)
      out.col(static_cast<Eigen::Index>(i)) << then[i].J * v, then[i].Jw * v;
    return out;
  };
  const MatrixXd rate = derivative(velocities);
  VectorXd h = VectorXd::Zero(tree.model.nv);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const TextbookBody& B = bodies[i];
    const Vector6d a = rate.col(static_cast<Eigen::Index>(i));
    const Vector3d w = B.Jw * v;
    h += B.J.transpose() * (B.mass * (a.head<3>() - tree.model.gravity));
    h += B.Jw.transpose() * (B.I * a.tail<3>() + w.cross(B.I * w));
  }
  return h;
}

inline double textbook_potential(const RandomTree& tree, const VectorXd& q) {
  double energy = 0.0;
  for (const TextbookBody& B : textbook_bodies(tree, q))
    energy -= B.mass * tree.model.gravity.dot(B.c);
  return energy;
}

}  // namespace pequod::test
