#include "scene/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "simulation/controllers/trot.h"

namespace pequod {
namespace {

/// The field of one item of a named section.
const Field& item_field(const std::string& section) {
  const std::vector<Field>& keys = scene_fields().of;
  return std::ranges::find(keys, section, &Field::key)->of[0];
}

void check_entity_name(const SceneReader& reader, const YAML::Node& key,
                       const std::string& section) {
  const std::string& name = key.Scalar();
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  if (!std::ranges::all_of(name, allowed)) {
    reader.error(key, section, "the name \"" + name + "\" may have letters, digits, _ - . only");
  }
  if (name == "world")
    reader.error(key, section, "\"world\" is what stands still, for springs and loops",
                 "choose another name");
}

// Names stand in the headers and cells of CSV files. @param what  "link" or "joint"
void check_logged_name(const SceneReader& reader, const YAML::Node& node, const std::string& path,
                       const std::string& what, const std::string& name) {
  const auto breaks_cells = [](char c) {
    return c == ',' || c == '"' || std::iscntrl(static_cast<unsigned char>(c)) != 0;
  };
  if (std::ranges::any_of(name, breaks_cells))
    reader.error(
        node, path,
        "the name of " + what + " \"" + name +
            "\" has a comma, a quote or a line end, which would break the cells of the logs",
        "rename it");
}

void check_joint(const SceneReader& reader, const YAML::Node& node, const std::string& path,
                 const RobotJoint& joint) {
  check_logged_name(reader, node, path, "joint", joint.name);
  if (joint.friction > 0.0 && joint.type == RobotJointType::spherical)
    reader.error(node, path,
                 "joint \"" + joint.name +
                     "\" is spherical: Coulomb friction is for revolute, continuous and "
                     "prismatic joints; use damping, or three revolute joints");
}

void set_free_base(const Model& model, int link, const Pose& X_WB, const Vector3d& w,
                   const Vector3d& v, State& state) {
  const Joint& joint = nth(model.links, link).joint;
  const Quaterniond turn(X_WB.R);
  state.q.segment<3>(joint.q_index) = X_WB.p;
  state.q.segment<4>(joint.q_index + 3) << turn.w(), turn.x(), turn.y(), turn.z();
  state.v.segment<3>(joint.v_index) = w;
  state.v.segment<3>(joint.v_index + 3) = v;
}

void set_joint_starts(const SceneReader& reader, const RobotSpec& spec, const Model& model,
                      const Entity& entity, State& state) {
  for (int k = 0; k < entity.joints; ++k) {
    const NamedJoint& named = nth(model.joints, entity.first_joint + k);
    const Joint& joint = nth(model.links, named.link).joint;
    if (joint.type == JointType::spherical) continue;
    const std::string name = named.name.substr(entity.name.size() + 1);
    const auto from = std::ranges::find_if(spec.robot.joints,
                                           [&](const RobotJoint& j) { return j.name == name; });
    const JointStart& start = nth(spec.starts, from - spec.robot.joints.begin());
    const double position = start.position.value_or(std::clamp(0.0, joint.lower, joint.upper));
    if (!start.position && position != 0.0) {
      reader.diagnostics.note(spec.place, "robots." + spec.name + ": joint \"" + name +
                                              fmt::format("\" starts at its limit {}", position));
    }
    state.q[joint.q_index] = position;
    state.v[joint.v_index] = start.velocity;
  }
}

bool chooses_own_stance(const RobotSpec& spec) {
  const bool trots = spec.controller.IsDefined() && spec.controller["type"].Scalar() == "trot";
  return trots && std::ranges::none_of(spec.starts, [](const JointStart& start) {
           return start.position.has_value();
         });
}

void set_robot_start(const SceneReader& reader, const RobotSpec& spec, const Model& model,
                     int index, State& state) {
  const Entity& entity = nth(model.entities, index);
  if (entity.base_link >= 0) {
    set_free_base(model, entity.base_link, spec.X_WB, spec.angular_velocity, spec.velocity, state);
  }
  if (chooses_own_stance(spec)) {
    try {
      state.q = default_stance(model, index, state.q);
    } catch (const std::invalid_argument& error) {
      reader.error(spec.controller, "robots." + spec.name + ".controller", error.what());
    }
  } else {
    set_joint_starts(reader, spec, model, entity, state);
  }
  if (spec.on_ground && entity.base_link >= 0) {
    const int z = nth(model.links, entity.base_link).joint.q_index + 2;
    state.q[z] += lift_to_ground(model, index, state.q);
    reader.diagnostics.note(
        spec.place, "robots." + spec.name +
                        fmt::format(": set on the ground, base at z = {:.6g} m", state.q[z]));
  }
}

}  // namespace

void add_bodies(Assembly& assembly, const YAML::Node& bodies) {
  const SceneReader& reader = assembly.reader;
  const Field& field = item_field("bodies");
  for (const auto& entry : bodies) {
    const std::string& name = entry.first.Scalar();
    check_entity_name(reader, entry.first, "bodies");
    std::optional<BodySpec> spec;
    if (is_valid(entry.second, field)) spec = read_body(reader, name, entry.second);
    if (!spec) {
      assembly.failed.insert(name);
      continue;
    }
    try {
      const Solid& solid = spec->solid;
      assembly.body_entities.push_back(
          spec->fixed ? assembly.builder.add_fixed_body(name, spec->X_WB, solid.shapes)
                      : assembly.builder.add_free_body(name, solid.inertia, solid.shapes));
      assembly.bodies.push_back(std::move(*spec));
    } catch (const std::invalid_argument& error) {
      reader.error(entry.first, "bodies." + name, error.what());
      assembly.failed.insert(name);
    }
  }
}

void add_robots(Assembly& assembly, const YAML::Node& robots) {
  const SceneReader& reader = assembly.reader;
  const Field& field = item_field("robots");
  for (const auto& entry : robots) {
    const std::string& name = entry.first.Scalar();
    check_entity_name(reader, entry.first, "robots");
    std::optional<RobotSpec> spec;
    if (is_valid(entry.second, field)) spec = read_robot(reader, name, entry.second);
    if (!spec) {
      assembly.failed.insert(name);
      continue;
    }
    for (const RobotLink& link : spec->robot.links)
      check_logged_name(reader, entry.first, "robots." + name, "link", link.name);
    for (const RobotJoint& joint : spec->robot.joints)
      check_joint(reader, entry.first, "robots." + name, joint);
    try {
      assembly.robot_entities.push_back(assembly.builder.add_robot(
          name, spec->robot, spec->fixed, spec->X_WB, spec->self_collision));
      assembly.robots.push_back(std::move(*spec));
    } catch (const std::invalid_argument& error) {
      reader.error(entry.first, "robots." + name, error.what());
      assembly.failed.insert(name);
    }
  }
}

State first_state(const Assembly& assembly, const Model& model) {
  State state = make_state(model);
  for (std::size_t i = 0; i < assembly.bodies.size(); ++i) {
    const BodySpec& body = assembly.bodies[i];
    if (body.fixed) continue;
    const int link = nth(model.entities, assembly.body_entities[i]).base_link;
    set_free_base(model, link, body.X_WB, body.angular_velocity, body.velocity, state);
  }
  for (std::size_t i = 0; i < assembly.robots.size(); ++i) {
    set_robot_start(assembly.reader, assembly.robots[i], model, assembly.robot_entities[i], state);
  }
  return state;
}

std::vector<FrameVisual> visuals_of(const Assembly& assembly, const Model& model) {
  std::vector<FrameVisual> visuals;
  for (std::size_t i = 0; i < assembly.robots.size(); ++i) {
    const Entity& entity = nth(model.entities, assembly.robot_entities[i]);
    std::map<std::string, int> frames;
    for (int f = entity.first_frame; f < entity.first_frame + entity.frames; ++f)
      frames.emplace(nth(model.frames, f).name, f);
    for (const RobotLink& link : assembly.robots[i].robot.links)
      for (const Visual& visual : link.visuals)
        visuals.push_back({frames.at(entity.name + "/" + link.name), visual});
  }
  return visuals;
}

}  // namespace pequod
