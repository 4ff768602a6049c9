// A body on two legs with ball feet, over the plane: what contact and joints do to it.
#pragma once

#include "core/robot.h"
#include "simulation/options.h"
#include "test/simulation/scenario_with.h"

namespace pequod::test {

inline RobotLink brick(const char* name, double mass, double size) {
  RobotLink link;
  link.name = name;
  link.mass = mass;
  link.inertia = mass * size * size / 6.0 * Matrix3d::Identity();
  return link;
}

/// Thrown from 0.4 m onto ground with viscous friction.
/// @param damping   of the hips, N·m·s/rad
/// @param friction  of the hips, N·m
inline Scenario hopper(double damping, double friction) {
  Robot robot;
  robot.name = "hopper";
  robot.links.push_back(brick("trunk", 4.0, 0.2));
  for (const double y : {0.1, -0.1}) {
    RobotLink foot = brick(y > 0.0 ? "left" : "right", 0.5, 0.1);
    foot.com = {0.0, 0.0, -0.2};
    foot.collisions.push_back({Sphere{0.03}, {Matrix3d::Identity(), {0.05, 0.0, -0.3}}});
    RobotJoint joint;
    joint.name = foot.name;
    joint.type = RobotJointType::revolute;
    joint.parent = "trunk";
    joint.child = foot.name;
    joint.X_PJ.p = {0.0, y, 0.0};
    joint.axis = Vector3d::UnitY();
    joint.damping = damping;
    joint.friction = friction;
    robot.links.push_back(foot);
    robot.joints.push_back(joint);
  }
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_robot("hopper", robot, false, {}, false);
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.viscous = 0.5}}}));
  scenario.initial.q[2] = 0.4;
  scenario.initial.q[7] = 0.1;
  scenario.initial.v.head<6>() << 0.1, 0.5, 0.2, 0.3, 0.0, 0.0;
  return scenario;
}

}  // namespace pequod::test
