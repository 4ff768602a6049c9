// Robots that are chains of links.
#pragma once

#include <string>
#include <vector>

#include "core/robot.h"

namespace pequod::test {

/// A link of a chain, and the joint above it.
struct ChainPart {
  double mass = 1.0, inertia = 0.01;  // kg, kg m² about its centre of mass, about the axis
  double length = 0.0, com = 0.0;     // m along −z, to the next joint and to the centre of mass
  double friction = 0.0;              // N·m
};

/// A chain of revolute joints about y, welded to the world at the origin.
inline Robot chain(const std::vector<ChainPart>& parts) {
  Robot robot;
  robot.name = "chain";
  robot.links.push_back({});
  robot.links[0].name = "base";
  robot.links[0].mass = 1.0;
  robot.links[0].inertia = Matrix3d::Identity();
  double above = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    RobotLink link;
    link.name = "link" + std::to_string(i);
    link.mass = parts[i].mass;
    link.com = {0.0, 0.0, -parts[i].com};
    link.inertia = parts[i].inertia * Matrix3d::Identity();
    RobotJoint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = RobotJointType::revolute;
    joint.parent = robot.links.back().name;
    joint.child = link.name;
    joint.X_PJ.p = {0.0, 0.0, -above};
    joint.axis = Vector3d::UnitY();
    joint.friction = parts[i].friction;
    above = parts[i].length;
    robot.links.push_back(link);
    robot.joints.push_back(joint);
  }
  return robot;
}

}  // namespace pequod::test
