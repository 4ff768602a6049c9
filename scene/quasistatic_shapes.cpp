#include "scene/quasistatic_shapes.h"

#include <fmt/format.h>

#include <cmath>

namespace pequod {
namespace {

using Eigen::Vector2d;

Vector2d pair_of(const YAML::Node& node, const Vector2d& fallback = Vector2d::Zero()) {
  if (!node) return fallback;
  const std::vector<double> values = numbers_in(node);
  return {values[0], values[1]};
}

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

struct ShapeReader {
  const std::string& file;
  Diagnostics& diagnostics;

  void fail(const YAML::Node& node, const std::string& message, std::string hint = {}) const {
    diagnostics.error(place_of(node, file), message, std::move(hint));
  }

  [[nodiscard]] PlanarShape shape(const YAML::Node& node) const {
    if (node["disk"]) return {{Vector2d::Zero()}, number_at(node["disk"], "radius", NAN)};
    if (!node["polygon"]) return {{Vector2d::Zero()}, 0.0};
    PlanarShape result;
    for (const YAML::Node& point : node["polygon"]["points"])
      result.points.push_back(pair_of(point));
    const std::size_t n = result.points.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vector2d side = result.points[(i + 1) % n] - result.points[i];
      const Vector2d next = result.points[(i + 2) % n] - result.points[(i + 1) % n];
      if (side.norm() < 1e-9)
        fail(node["polygon"]["points"][i], "two corners stand on one spot");
      else if (n > 2 && cross(side, next) <= 1e-12 * side.norm() * next.norm())
        return refuse(node["polygon"]["points"], (i + 1) % n, result);
    }
    return result;
  }

  // The area's sign tells whether one corner is wrong, or the order of all.
  PlanarShape refuse(const YAML::Node& points, std::size_t corner, const PlanarShape& shape) const {
    double area = 0.0;
    for (std::size_t i = 0; i < shape.points.size(); ++i)
      area += cross(shape.points[i], shape.points[(i + 1) % shape.points.size()]);
    if (area < 0.0)
      fail(points, "the polygon's corners go round clockwise", "list them the other way round");
    else
      fail(points[corner], "at this corner the polygon is not convex");
    return shape;
  }

  [[nodiscard]] static PlanarPose pose(const YAML::Node& node) {
    return {pair_of(node["position"]), number_at(node, "angle", 0.0)};
  }

  [[nodiscard]] PlanarJoint joint(const YAML::Node& node, const std::string& name) const {
    PlanarJoint result;
    result.name = name;
    result.revolute = static_cast<bool>(node["revolute"]);
    if (result.revolute == static_cast<bool>(node["prismatic"]))
      fail(node, "a joint is prismatic or revolute", "give one of the two");
    if (node["velocity"] && node["effort"])
      fail(node["effort"], "a joint has a velocity or an effort, not both");
    result.axis = pair_of(node["prismatic"], result.axis);
    if (result.axis.norm() == 0.0) fail(node["prismatic"], "the axis has no direction");
    result.axis.normalize();
    result.centre = pair_of(node["revolute"]);
    result.driven = !node["effort"];
    result.velocity = number_at(node, "velocity", 0.0);
    result.effort = number_at(node, "effort", 0.0);
    result.load = number_at(node, "load", 0.0);
    return result;
  }

  [[nodiscard]] PlanarFinger finger(const YAML::Node& node, const std::string& name) const {
    PlanarFinger result{name, shape(node["shape"]), pose(node), {}, number_at(node, "friction", 0)};
    for (const YAML::Node& one : node["joints"])
      result.joints.push_back(joint(one, fmt::format("{}.{}", name, result.joints.size() + 1)));
    return result;
  }
};

}  // namespace

std::optional<PlanarScene> read_planar_scene(const YAML::Node& root, const std::string& file,
                                             Diagnostics& diagnostics) {
  const ShapeReader reader{file, diagnostics};
  const YAML::Node object = root["object"];
  for (const char* key : {"J", "mu", "joint_velocity", "free_joints", "d"})
    if (root[key]) reader.fail(root[key], fmt::format("{} belongs to the form of matrices", key));
  if (!root["fingers"] || root["fingers"].size() == 0)
    reader.fail(root, "nothing touches the object", "add fingers");
  if (!diagnostics.ok()) return std::nullopt;
  PlanarScene scene;
  scene.object = reader.shape(object["shape"]);
  scene.pose = ShapeReader::pose(object);
  const Vector2d force = pair_of(object["force"]) +
                         number_at(object, "mass", 0.0) * pair_of(root["gravity"], {0.0, -9.81});
  scene.load << force, number_at(object, "torque", 0.0);
  for (const auto& entry : root["fingers"])
    scene.fingers.push_back(reader.finger(entry.second, entry.first.Scalar()));
  scene.reach = number_at(root, "reach", scene.reach);
  if (!diagnostics.ok()) return std::nullopt;
  return scene;
}

}  // namespace pequod
