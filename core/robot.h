// A robot as its description file tells it: named links and joints, before fixed joints are merged.
#pragma once

#include <string>
#include <vector>

#include "core/shape.h"
#include "core/types.h"
#include "core/visual.h"

namespace pequod {

struct CollisionShape {
  Geometry geometry;
  Pose X_LS;  ///< in the link frame
};

struct RobotLink {
  std::string name;
  double mass = 0.0;                    ///< kg
  Vector3d com = Vector3d::Zero();      ///< m, link frame
  Matrix3d inertia = Matrix3d::Zero();  ///< kg m² about the centre of mass, link axes
  std::vector<CollisionShape> collisions;
  std::vector<Visual> visuals;
};

enum class RobotJointType { fixed, revolute, continuous, prismatic, spherical, floating };

struct RobotJoint {
  std::string name;
  RobotJointType type = RobotJointType::fixed;
  std::string parent, child;          ///< link names
  Pose X_PJ;                          ///< joint frame (= child frame at q = 0) in the parent link
  Vector3d axis = Vector3d::UnitX();  ///< unit, joint frame
  double lower = -kInfinity, upper = kInfinity;          ///< rad or m
  double effort = kInfinity;                             ///< N·m or N
  double damping = 0.0, friction = 0.0, armature = 0.0;  ///< SI
};

struct Robot {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
};

}  // namespace pequod
