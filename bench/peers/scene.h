// What is simulated: the scene files that scenes.py writes, read alike for every engine.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace peers {

/// What stands at i, an index that is signed as those of the scenes are.
template <typename Container>
[[nodiscard]] auto& at(Container& container, int i) {
  return container[static_cast<typename Container::size_type>(i)];
}

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// X_WB of a body: its frame is at the centre of mass, a link's at its joint.
struct Pose {
  Vector3d p = Vector3d::Zero();  ///< m
  Quaterniond q = Quaterniond::Identity();

  [[nodiscard]] Vector3d operator*(const Vector3d& p_B) const { return q * p_B + p; }
};

struct Ball {
  double radius = std::numeric_limits<double>::quiet_NaN();  ///< m
};
struct Box {
  Vector3d half = Vector3d::Zero();  ///< m, half of its edges
};
using Shape = std::variant<std::monostate, Ball, Box>;

/// Ties a link to an earlier one; at angle zero their axes are parallel.
struct Hinge {
  int parent = -1;                    ///< −1: the body is free
  Vector3d p_PJ = Vector3d::Zero();   ///< m, in the parent's frame
  Vector3d axis = Vector3d::UnitX();  ///< unit, in either frame
};

struct Body {
  std::string name;
  double mass = 0.0;                    ///< kg
  Vector3d com = Vector3d::Zero();      ///< m, in the body's frame
  Vector3d inertia = Vector3d::Zero();  ///< kg m², about the centre of mass, along the body's axes
  Pose start;                           ///< X_WB
  Shape shape;
  Vector3d p_BS = Vector3d::Zero();  ///< m, centre of the shape in the body's frame
  Hinge hinge;
};

/// Solid where normal · x < offset.
struct Plane {
  Vector3d normal = Vector3d::UnitZ();
  double offset = 0.0;  ///< m
};

/// A number for each joint: that of body k + 1 is the k-th.
using Joints = std::vector<double>;

/// Drives joint k at time t with
///   τ = kp (target(t) − q) − kd q̇,  target = posture + lift max(0, sin(2π (t − start)/period +
///   phase))²,
/// without lift before `start`.
struct Motors {
  Joints angles;                     ///< rad, at the start of the run
  Joints kp, kd;                     ///< N·m/rad, N·m·s/rad
  Joints posture, lift, phase;       ///< rad
  double start = 0.0, period = 1.0;  ///< s

  [[nodiscard]] std::size_t size() const { return angles.size(); }
  /// @param[out] tau  N·m
  void efforts(double t, const Joints& q, const Joints& v, Joints& tau) const;
};

struct Scene {
  double step = 0.0;      ///< s
  double duration = 0.0;  ///< s
  double later = 0.0;     ///< s, from when on the speed is told apart
  bool rests = false;     ///< whether nothing should move from then on
  double gravity = 0.0;   ///< m/s², downwards
  double friction = 0.0;
  std::vector<Plane> planes;
  std::vector<Body> bodies;  ///< either all free, or the links of one robot, the base first
  bool robot = false;
  Motors motors;

  /// Whether nothing can touch anything: a tree of links in free flight.
  [[nodiscard]] bool flies() const { return robot && planes.empty(); }
};

/// @throws std::exception  if the file is not such a scene
[[nodiscard]] Scene read_scene(const std::string& path);

}  // namespace peers
