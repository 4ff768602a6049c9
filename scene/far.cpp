// Whether the numbers of a scene can be computed with where it starts: positions fine enough to
// tell touching from apart, and masses for all that moves.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/dynamics.h"
#include "scene/assembly.h"

namespace pequod {
namespace {

// m: coarser positions make gaps coarser than a 64th of what counts as touching.
constexpr double kCoarsest = 1e-9 / 64;

// @return whether it is near enough
bool check(const SceneReader& reader, const Place& place, const std::string& name,
           const Vector3d& p_W) {
  const double away = p_W.cwiseAbs().maxCoeff();
  const double rounding = std::nextafter(away, kInfinity) - away;
  if (rounding <= kCoarsest) return true;
  reader.diagnostics.error(
      place,
      fmt::format("\"{}\" is {:g} m from the origin, where positions are rounded to {:.2g} m: too "
                  "coarse for contacts",
                  name, p_W.norm(), rounding),
      "move the scene nearer, to within 131072 m in each coordinate");
  return false;
}

// The first of an entity's shapes that is too far, one is enough.
void check_shapes(const SceneReader& reader, const Place& place, const std::string& name,
                  const Model& model, const std::vector<Pose>& X_WL, int entity) {
  const Entity& whole = nth(model.entities, entity);
  for (const Shape& shape : model.shapes) {
    if (shape.frame < whole.first_frame || shape.frame >= whole.first_frame + whole.frames)
      continue;
    const Pose X_WS = shape.link < 0 ? shape.X_LS : nth(X_WL, shape.link) * shape.X_LS;
    if (!check(reader, place, "a shape of " + name, X_WS.p)) return;
  }
}

}  // namespace

void check_masses(const Assembly& assembly, const Model& model, const State& state) {
  Kinematics kin;
  MassMatrix M;
  MassFactor factor;
  compute_kinematics(model, state.q, state.v, kin);
  compute_mass_matrix(model, kin, M);
  make_room(model, factor);
  for (std::size_t i = 0; i < assembly.robots.size(); ++i) {
    const RobotSpec& robot = assembly.robots[i];
    const Entity& entity = nth(model.entities, assembly.robot_entities[i]);
    for (int f = entity.first_frame; f < entity.first_frame + entity.frames; ++f) {
      const int tree = tree_of(model, nth(model.frames, f).link);
      if (tree < 0) continue;
      try {
        factor_mass_matrix(model, std::span(&nth(model.trees, tree), 1), kin, M, factor);
      } catch (const std::domain_error& error) {
        assembly.reader.diagnostics.error(robot.place, "robots." + robot.name + ": " + error.what(),
                                          "give what moves a mass, or a joint an armature");
      }
      break;  // all its links that move are one tree
    }
  }
}

void check_distance(const Assembly& assembly, const Model& model, const State& state) {
  std::vector<Pose> X_WL;
  compute_poses(model, state.q, X_WL);
  for (std::size_t i = 0; i < assembly.bodies.size(); ++i) {
    const BodySpec& body = assembly.bodies[i];
    if (!body.solid.shapes.empty() && check(assembly.reader, body.place, body.name, body.X_WB.p))
      check_shapes(assembly.reader, body.place, body.name, model, X_WL, assembly.body_entities[i]);
  }
  for (std::size_t i = 0; i < assembly.robots.size(); ++i) {
    const RobotSpec& robot = assembly.robots[i];
    const auto entity = static_cast<std::size_t>(assembly.robot_entities[i]);
    const int base = model.entities[entity].base_link;
    const Joint* joint = base < 0 ? nullptr : &nth(model.links, base).joint;
    const bool free = joint && joint->type == JointType::free;
    if (check(assembly.reader, robot.place, robot.name,
              free ? Vector3d(state.q.segment<3>(joint->q_index)) : robot.X_WB.p))
      check_shapes(assembly.reader, robot.place, robot.name, model, X_WL,
                   assembly.robot_entities[i]);
  }
}

}  // namespace pequod
