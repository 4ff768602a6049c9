// A quadruped of an A1's size for tests, with copies at other scales and in the mirror.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/dynamics.h"
#include "core/model.h"
#include "simulation/controllers/leg_geometry.h"
#include "simulation/options.h"

namespace pequod::test {

struct DogOptions {
  double scale = 1.0;   ///< lengths; masses go with its cube, so gravity stays
  bool mirror = false;  ///< left and right exchanged
  int joints = 3;       ///< a leg; 2: without abduction
  bool arm = false;     ///< a chain of five joints on the back
};

inline RobotLink dog_link(const std::string& name, double mass, const Vector3d& com,
                          const Vector3d& size, const DogOptions& o) {
  const double m = mass * std::pow(o.scale, 3), L = o.scale;
  RobotLink link;
  link.name = name;
  link.mass = m;
  link.com = L * com;
  if (o.mirror) link.com.y() = -link.com.y();
  const Vector3d s2 = (L * size).cwiseAbs2();
  const Vector3d moments(s2.y() + s2.z(), s2.x() + s2.z(), s2.x() + s2.y());
  link.inertia = (m / 12.0 * moments).asDiagonal();
  return link;
}

inline RobotJoint dog_joint(const std::string& parent, const std::string& child, const Vector3d& at,
                            const Vector3d& axis, const DogOptions& o) {
  RobotJoint joint;
  joint.name = child + "_joint";
  joint.type = RobotJointType::revolute;
  joint.parent = parent;
  joint.child = child;
  joint.X_PJ.p = o.scale * at;
  joint.axis = axis;
  joint.lower = -3.0;
  joint.upper = 3.0;
  joint.effort = 33.0 * std::pow(o.scale, 4);
  if (o.mirror) {  // an axis is an axial vector
    joint.X_PJ.p.y() = -joint.X_PJ.p.y();
    joint.axis = {-axis.x(), axis.y(), -axis.z()};
  }
  return joint;
}

inline void add_dog_leg(const std::string& name, double sx, double sy, const DogOptions& o,
                        Robot& robot) {
  std::string parent = "trunk";
  const auto add = [&](const std::string& part, double mass, const Vector3d& com,
                       const Vector3d& size, const Vector3d& at, const Vector3d& axis) {
    robot.links.push_back(dog_link(name + part, mass, com, size, o));
    robot.joints.push_back(dog_joint(parent, name + part, at, axis, o));
    parent = name + part;
  };
  const Vector3d hip(0.18 * sx, 0.05 * sy, 0.0), out(0.0, 0.085 * sy, 0.0);
  if (o.joints == 3) {
    add("_hip", 0.7, {0.0, 0.01 * sy, 0.0}, {0.08, 0.08, 0.08}, hip, Vector3d::UnitX());
    add("_thigh", 1.0, {0.0, 0.0, -0.03}, {0.04, 0.04, 0.2}, out, Vector3d::UnitY());
  } else {
    add("_thigh", 1.0, {0.0, 0.0, -0.03}, {0.04, 0.04, 0.2}, hip + out, Vector3d::UnitY());
  }
  add("_shank", 0.2, {0.0, 0.0, -0.1}, {0.02, 0.02, 0.2}, {0.0, 0.0, -0.2}, Vector3d::UnitY());
  RobotLink foot = dog_link(name + "_foot", 0.06, Vector3d::Zero(), {0.02, 0.02, 0.02}, o);
  foot.collisions.push_back({Sphere{0.02 * o.scale}, {}});
  robot.links.push_back(foot);
  RobotJoint fixed = dog_joint(parent, foot.name, {0.0, 0.0, -0.2}, Vector3d::UnitX(), o);
  fixed.type = RobotJointType::fixed;
  robot.joints.push_back(fixed);
}

/// The trunk's centre of mass is off the middle, so that a mirrored copy differs.
inline Robot dog_robot(const DogOptions& o = {}) {
  Robot robot;
  robot.name = "dog";
  robot.links.push_back(dog_link("trunk", 6.0, {0.01, 0.004, 0.0}, {0.27, 0.19, 0.11}, o));
  // Legs in an order and with names that mean nothing.
  add_dog_leg("a", -1.0, 1.0, o, robot);
  add_dog_leg("b", 1.0, -1.0, o, robot);
  add_dog_leg("c", 1.0, 1.0, o, robot);
  add_dog_leg("d", -1.0, -1.0, o, robot);
  std::string parent = "trunk";
  for (int i = 0; o.arm && i < 5; ++i) {
    const std::string name = "arm" + std::to_string(i);
    robot.links.push_back(dog_link(name, 0.2, {0.0, 0.0, 0.05}, {0.02, 0.02, 0.1}, o));
    robot.joints.push_back(dog_joint(parent, name, {0.0, 0.0, 0.1}, Vector3d::UnitY(), o));
    parent = name;
  }
  return robot;
}

/// On a plane without slip; gravity 9.81 m/s². The robot is entity 1.
inline Model dog_on_plane(const Robot& robot) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_robot(robot.name, robot, false, {}, false);
  Surface surface;
  surface.friction = kInfinity;
  return builder.build({{"*", "*", surface}});
}

/// Lifts the robot's base until its lowest foot touches z = 0.
inline void put_on_feet(const Model& model, int entity, VectorXd& q) {
  Kinematics kin;
  compute_kinematics(model, q, VectorXd::Zero(model.nv), kin);
  double lowest = kInfinity;
  for (const Leg& leg : find_legs(model, entity)) {
    const Vector3d foot = nth(kin.links, leg.links[2]).X_WL * leg.foot;
    lowest = std::min(lowest, foot.z() - leg.radius);
  }
  q[2] -= lowest;
}

}  // namespace pequod::test
