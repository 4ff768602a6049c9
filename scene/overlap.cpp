#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/dynamics.h"
#include "events/broad_phase.h"
#include "events/contact_geometry.h"
#include "scene/assembly.h"

namespace pequod {
namespace {

/// Deepest pair of shapes of two entities.
struct Overlap {
  double gap = 0.0;
  int shape_a = -1, shape_b = -1;
};

Place place_of_entity(const Assembly& assembly, int entity) {
  for (std::size_t i = 0; i < assembly.body_entities.size(); ++i) {
    if (assembly.body_entities[i] == entity) return assembly.bodies[i].place;
  }
  for (std::size_t i = 0; i < assembly.robot_entities.size(); ++i) {
    if (assembly.robot_entities[i] == entity) return assembly.robots[i].place;
  }
  return {};
}

const Frame& frame_of(const Model& model, int shape) {
  return nth(model.frames, nth(model.shapes, shape).frame);
}

/// Pairs of shapes whose boxes overlap, in order.
std::vector<std::pair<int, int>> near_pairs(const Model& model, const std::vector<Pose>& X_WS) {
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < model.shapes.size(); ++i)
    boxes.push_back(bounding_box(model.shapes[i].geometry, X_WS[i]));
  BroadPhaseWorkspace workspace;
  std::vector<std::pair<int, int>> pairs;
  find_candidate_pairs(boxes, workspace, pairs);
  return pairs;
}

/// What overlaps by more is an error, by less it is moved apart: the rounding of numbers that were
/// written with five digits, or came from another program.
constexpr double kForgiven = 1e-5;  // m
constexpr double kTouching = 1e-9;  // m: what every accepted state of a run may overlap

using EntityPair = std::pair<int, int>;

/// The deepest overlap of each pair of entities, and pairs whose distance cannot be told.
struct Overlaps {
  std::map<EntityPair, Overlap> deepest;
  std::map<EntityPair, std::string> refused;
};

Overlaps find_overlaps(const Model& model, const std::vector<Pose>& X_WS) {
  Overlaps found;
  for (const auto& [ia, ib] : near_pairs(model, X_WS)) {
    if (!model.may_collide(ia, ib)) continue;
    const auto a = static_cast<std::size_t>(ia), b = static_cast<std::size_t>(ib);
    const EntityPair pair{frame_of(model, ia).entity, frame_of(model, ib).entity};
    try {
      const double gap =
          signed_distance(model.shapes[a].geometry, X_WS[a], model.shapes[b].geometry, X_WS[b]);
      Overlap& worst = found.deepest[pair];
      if (gap < worst.gap) worst = {gap, ia, ib};
    } catch (const std::exception& error) {
      found.refused.emplace(pair, "\"" + frame_of(model, ia).name + "\" and \"" +
                                      frame_of(model, ib).name + "\": " + error.what());
    }
  }
  std::erase_if(found.deepest, [](const auto& item) { return item.second.gap >= -kTouching; });
  return found;
}

/// The direction in which B leaves A fastest: the gradient of their distance.
Vector3d way_out(const Model& model, const std::vector<Pose>& X_WS, const Overlap& overlap) {
  const auto a = static_cast<std::size_t>(overlap.shape_a),
             b = static_cast<std::size_t>(overlap.shape_b);
  const double step = -0.5 * overlap.gap;
  const auto gap_at = [&](const Vector3d& shift) {
    Pose X_WB = X_WS[b];
    X_WB.p += shift;
    return signed_distance(model.shapes[a].geometry, X_WS[a], model.shapes[b].geometry, X_WB);
  };
  Vector3d gradient;
  for (int k = 0; k < 3; ++k)
    gradient[k] = gap_at(step * Vector3d::Unit(k)) - gap_at(-step * Vector3d::Unit(k));
  return gradient.normalized();
}

/// Where the position of what moves freely as a whole stands in q; −1 for anything else.
int free_position(const Model& model, int entity) {
  const int base = nth(model.entities, entity).base_link;
  if (base < 0) return -1;
  for (const Loop& loop : model.loops) {
    const auto owner = [&](int frame) { return frame < 0 ? -1 : nth(model.frames, frame).entity; };
    const bool a = owner(loop.frame_a) == entity, b = owner(loop.frame_b) == entity;
    if (a != b) return -1;  // moving it would open the loop
  }
  const Joint& joint = nth(model.links, base).joint;
  return joint.type == JointType::free ? joint.q_index : -1;
}

/// Moves one of two free bodies, the one that goes up, or each by half where neither does.
/// @return false if nothing of the two may move
bool part(const Model& model, const EntityPair& pair, const Vector3d& n, double depth,
          VectorXd& q) {
  if (pair.first == pair.second) return false;
  const int a = free_position(model, pair.first), b = free_position(model, pair.second);
  if (a < 0 && b < 0) return false;
  const double up = -n.dot(model.gravity), level = 1e-6 * model.gravity.norm();
  double share_b = a < 0 ? 1.0 : b < 0 ? 0.0 : up > level ? 1.0 : up < -level ? 0.0 : 0.5;
  if (a >= 0) q.segment<3>(a) -= (1.0 - share_b) * depth * n;
  if (b >= 0) q.segment<3>(b) += share_b * depth * n;
  return true;
}

/// Moves apart what overlaps by rounding, from the lowest up as it comes.
/// @return whether nothing overlaps any more; otherwise q is as it was
bool part_all(const Model& model, VectorXd& q) {
  constexpr int kPasses = 100;  // a tower is parted one storey a pass at worst
  const VectorXd given = q;
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::vector<Pose> X_WS = shape_poses(model, q);
    const Overlaps found = find_overlaps(model, X_WS);
    if (found.deepest.empty()) return true;
    for (const auto& [pair, worst] : found.deepest) {
      // What is moved may come to lie in what is above it, by what it was moved.
      if (worst.gap >= -10.0 * kForgiven &&
          part(model, pair, way_out(model, X_WS, worst), -worst.gap, q))
        continue;
      q = given;
      return false;
    }
  }
  q = given;
  return false;
}

}  // namespace

void part_initial_overlap(const Assembly& assembly, const Model& model, State& state) {
  Diagnostics& diagnostics = assembly.reader.diagnostics;
  const Overlaps found = find_overlaps(model, shape_poses(model, state.q));
  for (const auto& [pair, message] : found.refused)
    diagnostics.error(place_of_entity(assembly, pair.second), message);
  if (found.deepest.empty()) return;
  const bool slight = std::ranges::all_of(
      found.deepest, [](const auto& item) { return item.second.gap >= -kForgiven; });
  const bool parted = slight && part_all(model, state.q);
  for (const auto& [pair, worst] : found.deepest) {
    const std::string &a = frame_of(model, worst.shape_a).name,
                      &b = frame_of(model, worst.shape_b).name;
    const Place place = place_of_entity(assembly, pair.second);
    const std::string message =
        fmt::format("\"{}\" starts {:.4g} m inside \"{}\"", b, -worst.gap, a);
    if (parted)
      diagnostics.note(place, message + ": moved apart");
    else
      diagnostics.error(
          place, message,
          pair.first == pair.second
              ? fmt::format("move the joints, or add collide: [[{}, {}, false]]", a, b)
              : "move one of them");
  }
}

}  // namespace pequod
