// An object and fingers in the plane: their contacts, and the quasistatic problem that they pose.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "contact/quasistatic/problem.h"

namespace pequod {

/// The convex hull of points, thickened by a radius: a point, a disk, a polygon, a bar.
struct PlanarShape {
  std::vector<Eigen::Vector2d> points;  ///< m, in its frame, counter-clockwise
  double radius = 0.0;                  ///< m
};

struct PlanarPose {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  ///< m
  double angle = 0.0;                                  ///< rad
};

/// A joint of a finger. Axis and centre are those of its zero position, in the world.
struct PlanarJoint {
  std::string name;
  bool revolute = false;
  Eigen::Vector2d axis = {1.0, 0.0};    ///< prismatic: direction, made a unit vector
  Eigen::Vector2d centre = {0.0, 0.0};  ///< revolute, m
  bool driven = true;
  double velocity = 0.0;  ///< rad/s or m/s, if driven
  double effort = 0.0;    ///< N·m or N, if not
  double load = 0.0;      ///< N·m or N, what the finger's own weight demands
};

/// A rigid finger at the end of a chain of joints, from the base outwards; none: it is fixed.
struct PlanarFinger {
  std::string name;
  PlanarShape shape;
  PlanarPose pose;  ///< with all joints at zero
  std::vector<PlanarJoint> joints;
  double friction = 0.0;
};

struct PlanarScene {
  PlanarShape object;  ///< its frame is at the centre of mass
  PlanarPose pose;
  Eigen::Vector3d load = Eigen::Vector3d::Zero();  ///< N, N, N·m: gravity and whatever else acts
  std::vector<PlanarFinger> fingers;
  double reach = 1e-6;  ///< m: a gap up to this is a contact
};

/// Where everything is: of the object x, y and angle, then the joints, finger by finger.
[[nodiscard]] Eigen::VectorXd start_of(const PlanarScene& scene);

/// Two features that touch or may touch; the same ones at another configuration are the same key.
struct PlanarContact {
  int finger = 0;
  int object_feature = 0, finger_feature = 0;  ///< corner i, or edge from corner i
  enum class Kind { corners, object_corner, finger_corner } kind = Kind::corners;
  Eigen::Vector2d point;   ///< m, on the finger's surface
  Eigen::Vector2d normal;  ///< into the object
  double gap = NAN;        ///< m

  [[nodiscard]] bool same_features(const PlanarContact& other) const {
    return finger == other.finger && object_feature == other.object_feature &&
           finger_feature == other.finger_feature && kind == other.kind;
  }
};

/// All pairs of features that face each other with a gap up to `within`, in the scene's order.
[[nodiscard]] std::vector<PlanarContact> facing(const PlanarScene& scene,
                                                const Eigen::VectorXd& configuration,
                                                double within);

/// The same features at another configuration.
[[nodiscard]] PlanarContact followed(const PlanarScene& scene, const PlanarContact& contact,
                                     const Eigen::VectorXd& configuration);

/// What Pang, Trinkle & Lo (1994, eq. 1–5) make of these contacts, about the object's centre.
[[nodiscard]] QuasistaticProblem problem_of(const PlanarScene& scene,
                                            const std::vector<PlanarContact>& contacts,
                                            const Eigen::VectorXd& configuration);

/// Corners of a shape in the world.
[[nodiscard]] std::vector<Eigen::Vector2d> corners(const PlanarShape& shape,
                                                   const PlanarPose& pose);
[[nodiscard]] PlanarPose object_pose(const Eigen::VectorXd& configuration);
[[nodiscard]] PlanarPose finger_pose(const PlanarScene& scene, int finger,
                                     const Eigen::VectorXd& configuration);

}  // namespace pequod
