// What the parts of the scene reader share. Nodes that reach them have been checked against the
// table of keys (scene/field.h), so only meaning is left to check.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/robot.h"
#include "scene/scene.h"
#include "scene/yaml.h"

namespace pequod {

struct SceneReader {
  std::string file;              ///< of the scene, as the user named it
  std::filesystem::path folder;  ///< its folder: paths are relative to it
  const SceneOptions& options;
  Diagnostics& diagnostics;

  [[nodiscard]] Place at(const YAML::Node& node) const { return place_of(node, file); }
  void error(const YAML::Node& node, const std::string& path, const std::string& message,
             const std::string& hint = {}) const {
    diagnostics.error(at(node), path + ": " + message, hint);
  }
};

/// Shapes of a body or link and the mass properties that go with them.
struct Solid {
  std::vector<CollisionShape> shapes;
  Inertia inertia;
};

struct BodySpec {
  std::string name;
  bool fixed = false;
  Pose X_WB;
  Vector3d velocity = Vector3d::Zero(), angular_velocity = Vector3d::Zero();
  Solid solid;
  Place place;
};

/// Start of one joint.
struct JointStart {
  std::optional<double> position;
  double velocity = 0.0;
};

struct RobotSpec {
  std::string name;
  Robot robot;
  bool fixed = false, self_collision = false;
  Pose X_WB;
  bool on_ground = false;  ///< z is to be found from the ground
  Vector3d velocity = Vector3d::Zero(), angular_velocity = Vector3d::Zero();
  std::vector<JointStart> starts;                    ///< per Robot::joints
  YAML::Node controller{YAML::NodeType::Undefined};  ///< undefined if there is none
  Place place;
};

// Each returns nothing, or a part, if it reported an error.
[[nodiscard]] std::optional<BodySpec> read_body(const SceneReader& reader, const std::string& name,
                                                const YAML::Node& node);
[[nodiscard]] std::optional<RobotSpec> read_robot(const SceneReader& reader,
                                                  const std::string& name, const YAML::Node& node);

/// Puts the values of the command line into the tree, each checked against its field.
void apply_overrides(const YAML::Node& root, const SceneOptions& options, Diagnostics& diagnostics);

/// @param needs_mass  whether the solid must have mass and inertia
[[nodiscard]] std::optional<Solid> read_solid(const SceneReader& reader, const std::string& path,
                                              const YAML::Node& node, bool needs_mass);
/// `position` and `orientation` of a mapping.
[[nodiscard]] Pose read_pose(const SceneReader& reader, const std::string& path,
                             const YAML::Node& node);

/// Reads a height-field file.
[[nodiscard]] std::optional<HeightField> load_height_field(const std::filesystem::path& path,
                                                           const Eigen::Vector2d& size,
                                                           double factor, const Place& named_at,
                                                           Diagnostics& diagnostics);

/// The frame of a body, a robot's base or a link, by its exact name; −1 if there is none, which is
/// reported, unless `failed` has it.
[[nodiscard]] int find_one_frame(const SceneReader& reader, const std::string& path,
                                 const YAML::Node& node, const Model& model,
                                 const std::set<std::string>& failed);

[[nodiscard]] std::vector<SurfaceRule> read_surfaces(const SceneReader& reader,
                                                     const YAML::Node& surfaces, const Model& model,
                                                     const std::set<std::string>& failed);
/// Warns of rules that decide nothing: what they name cannot touch, or rules above come first.
void warn_of_idle_surfaces(const SceneReader& reader, const YAML::Node& surfaces,
                           const Model& model, const std::vector<SurfaceRule>& rules);
[[nodiscard]] std::vector<CollideRule> read_collide(const SceneReader& reader,
                                                    const YAML::Node& collide, const Model& model,
                                                    const std::set<std::string>& failed);
[[nodiscard]] std::vector<ExternalForce> read_forces(const SceneReader& reader,
                                                     const YAML::Node& forces, const Model& model,
                                                     const std::set<std::string>& failed);
/// Warns of forces that end before the start; notes those that begin after the end, which a longer
/// run reaches, and those that are zero, which may be meant.
void tell_idle_forces(const SceneReader& reader, const YAML::Node& forces,
                      const Scenario& scenario);

/// Makes the robot's controller; a trot's posture may be that of the scenario's start.
[[nodiscard]] std::optional<Controller> read_controller(const SceneReader& reader,
                                                        const RobotSpec& spec,
                                                        const Scenario& scenario, int entity);

/// Warns of gains that are unstable between two ticks, or too weak to hold the robot up.
void warn_of_gains(const SceneReader& reader, const RobotSpec& spec, const Scenario& scenario,
                   const Controller& controller);

/// Height that must be added to z so that the entity's lowest shape just touches the ground: every
/// plane and height field of the fixed bodies, or z = 0 if there is none.
[[nodiscard]] double lift_to_ground(const Model& model, int entity, const VectorXd& q);

}  // namespace pequod
