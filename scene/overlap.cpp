#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/dynamics.h"
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
  return model
      .frames[static_cast<std::size_t>(model.shapes[static_cast<std::size_t>(shape)].frame)];
}

/// Whether the balls around the shapes are apart.
bool far_apart(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  return (X_WA.p - X_WB.p).norm() > bounding_radius(a.geometry) + bounding_radius(b.geometry);
}

}  // namespace

void check_initial_overlap(const Assembly& assembly, const Model& model, const State& state) {
  constexpr double kTouching = 1e-9;  // m: what every accepted state of a run may overlap
  Kinematics kin;
  compute_kinematics(model, state.q, VectorXd::Zero(model.nv), kin);
  std::vector<Pose> X_WS;
  for (const Shape& shape : model.shapes) {
    X_WS.push_back(shape.link < 0
                       ? shape.X_LS
                       : kin.links[static_cast<std::size_t>(shape.link)].X_WL * shape.X_LS);
  }
  std::map<std::pair<int, int>, Overlap> deepest;
  std::set<std::pair<int, int>> refused;
  Diagnostics& diagnostics = assembly.reader.diagnostics;
  for (std::size_t a = 0; a < model.shapes.size(); ++a) {
    for (std::size_t b = a + 1; b < model.shapes.size(); ++b) {
      const int ia = static_cast<int>(a), ib = static_cast<int>(b);
      const Shape &A = model.shapes[a], &B = model.shapes[b];
      if (!model.may_collide(ia, ib) || far_apart(A, X_WS[a], B, X_WS[b])) continue;
      const std::pair pair{frame_of(model, ia).entity, frame_of(model, ib).entity};
      try {
        const double gap = signed_distance(A.geometry, X_WS[a], B.geometry, X_WS[b]);
        Overlap& worst = deepest[pair];
        if (gap < worst.gap) worst = {gap, ia, ib};
      } catch (const std::exception& error) {
        if (!refused.insert(pair).second) continue;  // one report a pair of bodies
        diagnostics.error(place_of_entity(assembly, pair.second),
                          "\"" + frame_of(model, ia).name + "\" and \"" + frame_of(model, ib).name +
                              "\": " + error.what());
      }
    }
  }
  for (const auto& [pair, worst] : deepest) {
    if (worst.gap >= -kTouching) continue;
    const std::string &a = frame_of(model, worst.shape_a).name,
                      &b = frame_of(model, worst.shape_b).name;
    diagnostics.error(place_of_entity(assembly, pair.second),
                      fmt::format("\"{}\" starts {:.4g} m inside \"{}\"", b, -worst.gap, a),
                      pair.first == pair.second
                          ? fmt::format("move the joints, or add collide: [[{}, {}, false]]", a, b)
                          : "move one of them");
  }
}

}  // namespace pequod
