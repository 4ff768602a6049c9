// Seeded random robots and states, for the tests of every room.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/dynamics.h"
#include "core/model.h"
#include "core/state.h"
#include "test/support/random.h"

namespace pequod::test {

/// What the joints of a random robot may be.
struct TreeChoice {
  int links = 1;  ///< links the robot is described with, the base included
  bool fixed_base = false;
  bool spherical = true;  ///< spherical joints
  bool fixed = true;      ///< fixed joints (merged by the model)
  bool armature = true;
};

/// A physical inertia: principal moments are pairwise sums of second moments a, b, c > 0.
inline RobotLink random_link(Random& random, const std::string& name) {
  RobotLink link;
  link.name = name;
  link.mass = std::exp(random.uniform(std::log(0.1), std::log(10.0)));
  link.com = random.vector(0.2);
  const double a = random.uniform(0.001, 0.02), b = random.uniform(0.001, 0.02),
               c = random.uniform(0.001, 0.02);
  const Matrix3d R = random.rotation();
  link.inertia = link.mass * R * Vector3d(b + c, a + c, a + b).asDiagonal() * R.transpose();
  return link;
}

inline RobotJointType random_joint_type(Random& random, const TreeChoice& choice) {
  using enum RobotJointType;
  const double draw = random.uniform(0.0, 1.0);
  if (draw < 0.15 && choice.fixed) return fixed;
  if (draw < 0.30 && choice.spherical) return spherical;
  if (draw < 0.50) return prismatic;
  return draw < 0.75 ? continuous : revolute;
}

/// Links "0", "1", …; joint "j3" moves link "3". Half of the links prolong a chain. The first joint
/// is revolute, so that a pinned robot moves.
inline Robot random_robot(Random& random, const TreeChoice& choice) {
  Robot robot;
  for (int i = 0; i < choice.links; ++i) {
    robot.links.push_back(random_link(random, std::to_string(i)));
    if (i == 0) continue;
    RobotJoint joint;
    joint.name = "j" + std::to_string(i);
    joint.type = i == 1 ? RobotJointType::revolute : random_joint_type(random, choice);
    const bool chain = random.uniform(0.0, 1.0) < 0.5;
    const int parent = chain ? i - 1 : static_cast<int>(random.uniform(0.0, i - 1e-9));
    joint.parent = std::to_string(parent);
    joint.child = std::to_string(i);
    joint.X_PJ = random.pose(0.4);
    joint.axis = random.unit();
    if (choice.armature && random.uniform(0.0, 1.0) < 0.5) joint.armature = random.uniform(0, 0.3);
    robot.joints.push_back(joint);
  }
  return robot;
}

/// A robot as described, and the model made of it.
struct RandomTree {
  Robot robot;
  Pose X_WB;  ///< of a fixed base
  Model model;
};

inline RandomTree random_tree(Random& random, const TreeChoice& choice) {
  RandomTree tree;
  tree.robot = random_robot(random, choice);
  tree.X_WB = random.pose(1.0);
  ModelBuilder builder(random.vector(10.0));
  builder.add_robot("r", tree.robot, choice.fixed_base, tree.X_WB, false);
  tree.model = builder.build();
  return tree;
}

/// Any configuration; velocities of order 1.
inline State random_state(Random& random, const Model& model) {
  State state = make_state(model);
  for (double& x : state.q) x = random.uniform(-1.5, 1.5);
  normalise_quaternions(model, state.q);
  for (double& x : state.v) x = random.uniform(-1.0, 1.0);
  for (double& x : state.tau) x = random.uniform(-10.0, 10.0);
  return state;
}

inline Kinematics kinematics_of(const Model& model, const VectorXd& q, const VectorXd& v) {
  Kinematics kin;
  compute_kinematics(model, q, v, kin);
  return kin;
}

inline MatrixXd mass_matrix_of(const Model& model, const Kinematics& kin) {
  MassMatrix M;
  compute_mass_matrix(model, kin, M);
  return M.dense(model);
}

/// q ⊕ d.
inline VectorXd moved(const Model& model, const VectorXd& q, const VectorXd& d) {
  VectorXd out;
  integrate_position(model, q, d, out);
  return out;
}

}  // namespace pequod::test
