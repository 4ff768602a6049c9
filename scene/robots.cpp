#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "scene/degrees.h"
#include "scene/mesh_file.h"
#include "scene/reader.h"
#include "scene/urdf.h"

namespace pequod {
namespace {

RobotJointType joint_type(const std::string& name) {
  if (name == "continuous") return RobotJointType::continuous;
  if (name == "prismatic") return RobotJointType::prismatic;
  if (name == "spherical") return RobotJointType::spherical;
  if (name == "fixed") return RobotJointType::fixed;
  if (name == "revolute") return RobotJointType::revolute;
  throw std::logic_error("no reader for joints of the type " + name);
}

// Keys that a joint of this type knows nothing to do with.
void refuse_idle_keys(const SceneReader& reader, const std::string& path, const YAML::Node& node,
                      RobotJointType type) {
  std::vector<const char*> idle;
  if (type == RobotJointType::continuous) idle = {"limits"};
  if (type == RobotJointType::spherical) idle = {"limits", "axis", "effort"};
  if (type == RobotJointType::fixed)
    idle = {"limits", "axis", "effort", "friction", "damping", "armature"};
  for (const char* key : idle)
    if (node[key])
      reader.error(node[key], path + "." + key,
                   "does nothing at a joint of type " + text_at(node, "type", "revolute"),
                   type == RobotJointType::continuous ? "type revolute has limits" : "remove it");
}

RobotJoint read_yaml_joint(const SceneReader& reader, const std::string& path,
                           const std::string& link, const YAML::Node& node) {
  RobotJoint joint;
  joint.name = text_at(node, "name", link);
  joint.parent = text_at(node, "parent", "");
  joint.child = link;
  joint.type = joint_type(text_at(node, "type", "revolute"));
  refuse_idle_keys(reader, path, node, joint.type);
  joint.X_PJ = read_pose(reader, path, node);
  const Vector3d axis = vector_at(node, "axis", Vector3d::UnitX());
  if (axis.norm() < 1e-12) reader.error(node["axis"], path + ".axis", "must not be zero");
  joint.axis = axis.normalized();
  if (node["limits"]) {
    const std::vector<double> limits = numbers_in(node["limits"]);
    joint.lower = limits[0];
    joint.upper = limits[1];
    if (joint.lower > joint.upper) {
      reader.error(node["limits"], path + ".limits", "the lower limit is above the upper one");
    }
    if (joint.type == RobotJointType::revolute)
      warn_of_degrees(reader.diagnostics, reader.at(node["limits"]), path + ".limits", limits,
                      kTurnsOfLimits);
  }
  joint.effort = number_at(node, "effort", kInfinity);
  joint.friction = number_at(node, "friction", 0.0);
  joint.damping = number_at(node, "damping", 0.0);
  joint.armature = number_at(node, "armature", 0.0);
  return joint;
}

Robot read_yaml_robot(const SceneReader& reader, const std::string& name, const YAML::Node& links) {
  Robot robot;
  robot.name = name;
  std::vector<std::string> names;
  for (const auto& entry : links) names.push_back(entry.first.Scalar());
  for (const auto& entry : links) {
    const std::string& link_name = entry.first.Scalar();
    const std::string path = "robots." + name + ".links." + link_name;
    RobotLink link;
    link.name = link_name;
    if (std::optional<Solid> body = read_solid(reader, path, entry.second, true)) {
      link.mass = body->inertia.mass;
      link.com = body->inertia.com;
      link.inertia = body->inertia.about_com;
      link.collisions = std::move(body->shapes);
    }
    robot.links.push_back(std::move(link));
    const YAML::Node joint = entry.second["joint"];
    if (!joint) continue;
    robot.joints.push_back(read_yaml_joint(reader, path + ".joint", link_name, joint));
    const std::string& parent = robot.joints.back().parent;
    if (std::ranges::find(names, parent) == names.end()) {
      reader.error(joint["parent"], path + ".joint.parent", "unknown link \"" + parent + "\"",
                   did_you_mean(parent, names));
    }
  }
  return robot;
}

Robot read_urdf(const SceneReader& reader, const YAML::Node& node) {
  const YAML::Node name = node["urdf"];
  UrdfOptions options;
  options.package_paths = reader.options.package_paths;
  const std::string meshes = text_at(node, "collision", "hull");
  options.meshes = meshes == "hull"   ? CollisionMeshes::hulls
                   : meshes == "mesh" ? CollisionMeshes::surfaces
                                      : CollisionMeshes::none;
  options.named_at = reader.at(name);
  const auto path = find_file(name.Scalar(), reader.folder, options.package_paths, options.named_at,
                              reader.diagnostics);
  return path ? load_urdf(*path, options, reader.diagnostics) : Robot{};
}

/// By convention a massless root link "world" is the world itself.
bool hangs_on_world(const Robot& robot) {
  for (const RobotLink& link : robot.links) {
    const bool root = std::ranges::none_of(
        robot.joints, [&](const RobotJoint& j) { return j.child == link.name; });
    if (root) return link.name == "world" && link.mass == 0.0 && link.collisions.empty();
  }
  return false;
}

void read_base(const SceneReader& reader, const YAML::Node& base, RobotSpec& spec) {
  const std::string path = "robots." + spec.name + ".base";
  spec.fixed = hangs_on_world(spec.robot);
  if (spec.fixed && !(base && base["fixed"])) {
    reader.diagnostics.note(spec.place,
                            "robots." + spec.name + ": fixed, because its root link is \"world\"",
                            "base: {fixed: false} lets it float");
  }
  spec.on_ground = !spec.fixed;
  if (!base) return;
  spec.X_WB = read_pose(reader, path, base);
  spec.fixed = boolean_at(base, "fixed", spec.fixed);
  spec.velocity = vector_at(base, "velocity", Vector3d::Zero());
  spec.angular_velocity = vector_at(base, "angular_velocity", Vector3d::Zero());
  spec.on_ground = !spec.fixed;
  if (const YAML::Node position = base["position"]) {
    const std::vector<double> p = numbers_in(position);
    spec.X_WB.p.head<2>() << p[0], p[1];
    if (p.size() == 3) spec.on_ground = false;
  }
  if (spec.fixed && (base["velocity"] || base["angular_velocity"])) {
    reader.error(base, path, "a fixed base has no velocity");
  }
}

bool moves(const RobotJoint& joint) { return joint.type != RobotJointType::fixed; }

/// The entry for a joint: its own name, else the last glob that matches.
YAML::Node entry_for(const YAML::Node& entries, const std::string& joint) {
  YAML::Node found(YAML::NodeType::Undefined);
  bool exact = false;
  for (const auto& entry : entries) {
    const std::string& pattern = entry.first.Scalar();
    if (pattern == joint) {
      found.reset(entry.second);
      exact = true;
    } else if (!exact && glob_match(pattern, joint)) {
      found.reset(entry.second);
    }
  }
  return found;
}

void check_patterns(const SceneReader& reader, const std::string& path, const YAML::Node& entries,
                    const Robot& robot) {
  std::vector<std::string> names;
  for (const RobotJoint& joint : robot.joints) {
    if (moves(joint)) names.push_back(joint.name);
  }
  for (const auto& entry : entries) {
    const std::string& pattern = entry.first.Scalar();
    const bool known = std::ranges::any_of(
        names, [&](const std::string& name) { return glob_match(pattern, name); });
    if (known) continue;
    std::string hint = did_you_mean(pattern, names);
    if (hint.empty()) hint = "the joints are: " + join(names);
    reader.error(entry.first, path, "no moving joint matches \"" + pattern + "\"", hint);
  }
}

void check_start(const SceneReader& reader, const std::string& path, const YAML::Node& entry,
                 const RobotJoint& joint, double position) {
  if (joint.type == RobotJointType::spherical && position != 0.0) {
    reader.error(entry, path, "a spherical joint starts at rest in its zero position");
  }
  const bool bounded = joint.type != RobotJointType::continuous;
  const bool turns = joint.type != RobotJointType::prismatic;
  if (bounded && (position < joint.lower || position > joint.upper)) {
    reader.error(entry, path,
                 fmt::format("start {} of joint \"{}\" is outside its limits [{}, {}]", position,
                             joint.name, joint.lower, joint.upper),
                 turns && more_than(kTurns, position) ? degrees_hint(position) : "");
  } else if (turns) {
    warn_of_degrees(reader.diagnostics, reader.at(entry), path + "." + joint.name, {&position, 1});
  }
}

void read_joint_starts(const SceneReader& reader, const YAML::Node& entries, RobotSpec& spec) {
  const std::string path = "robots." + spec.name + ".joints";
  spec.starts.resize(spec.robot.joints.size());
  if (!entries) return;
  check_patterns(reader, path, entries, spec.robot);
  for (std::size_t j = 0; j < spec.robot.joints.size(); ++j) {
    RobotJoint& joint = spec.robot.joints[j];
    if (!moves(joint)) continue;
    const YAML::Node entry = entry_for(entries, joint.name);
    if (!entry.IsDefined()) continue;
    JointStart& start = spec.starts[j];
    if (entry.IsScalar()) {
      start.position = parse_number(entry.Scalar()).value;
    } else {
      if (entry["position"]) start.position = number_at(entry, "position", 0.0);
      start.velocity = number_at(entry, "velocity", 0.0);
      joint.friction = number_at(entry, "friction", joint.friction);
      joint.damping = number_at(entry, "damping", joint.damping) + number_at(entry, "viscous", 0.0);
      joint.armature = number_at(entry, "armature", joint.armature);
    }
    if (start.position) check_start(reader, path, entry, joint, *start.position);
  }
}

}  // namespace

std::optional<RobotSpec> read_robot(const SceneReader& reader, const std::string& name,
                                    const YAML::Node& node) {
  const std::string path = "robots." + name;
  const int errors_before = reader.diagnostics.errors();
  RobotSpec spec;
  spec.name = name;
  spec.place = reader.at(node);
  if (node["urdf"].IsDefined() == node["links"].IsDefined()) {
    reader.error(node, path, "needs exactly one of: urdf, links");
    return std::nullopt;
  }
  spec.robot =
      node["urdf"] ? read_urdf(reader, node) : read_yaml_robot(reader, name, node["links"]);
  read_base(reader, node["base"], spec);
  spec.self_collision = boolean_at(node, "self_collision", false);
  if (node["controller"]) spec.controller.reset(node["controller"]);
  if (reader.diagnostics.errors() > errors_before) return std::nullopt;
  read_joint_starts(reader, node["joints"], spec);
  if (reader.diagnostics.errors() > errors_before) return std::nullopt;
  return spec;
}

}  // namespace pequod
