// Bodies and robots of a scene put together into a model and its first state.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scene/reader.h"

namespace pequod {

/// What has been read, and the entities it became.
struct Assembly {
  const SceneReader& reader;
  ModelBuilder builder;
  std::vector<BodySpec> bodies;
  std::vector<int> body_entities;
  std::vector<RobotSpec> robots;
  std::vector<int> robot_entities;
  std::set<std::string> failed;  ///< names that could not be read
};

/// Reads every body and robot that is well formed; the rest goes to `failed`.
void add_bodies(Assembly& assembly, const YAML::Node& bodies);
void add_robots(Assembly& assembly, const YAML::Node& robots);

/// Poses, joint positions and velocities at t = 0: as the scene gives them, a trot's own stance if
/// its robot has no joint position, and robots without z set on the ground.
[[nodiscard]] State first_state(const Assembly& assembly, const Model& model);

/// Gives the model its loops and closes them: the first state as given may leave them open by the
/// rounding of what was written; more is an error.
void add_loops(const Assembly& assembly, const YAML::Node& loops, Model& model, State& state);

/// Gives the model its springs; those without a rest length rest at the start.
void add_springs(const Assembly& assembly, const YAML::Node& springs, const State& start,
                 Model& model);

/// What the links of robots look like.
[[nodiscard]] std::vector<FrameVisual> visuals_of(const Assembly& assembly, const Model& model);

/// Reports robots with links that move without mass: their mass matrix has no inverse.
void check_masses(const Assembly& assembly, const Model& model, const State& state);

/// Reports bodies, robots and shapes that start so far from the origin that rounding of positions
/// is no longer small against the gaps of contacts.
void check_distance(const Assembly& assembly, const Model& model, const State& state);

/// Reports bodies that start inside another; of each pair of bodies the deepest shapes. If all of
/// it is rounding (1e-5 m), free bodies and robots are moved apart, with a note.
void part_initial_overlap(const Assembly& assembly, const Model& model, State& state);

}  // namespace pequod
