// Whether positions are known finely enough to tell touching from apart.
#include <fmt/format.h>

#include <cmath>

#include "scene/assembly.h"

namespace pequod {
namespace {

// m: coarser positions make gaps coarser than a 64th of what counts as touching.
constexpr double kCoarsest = 1e-9 / 64;

void check(const SceneReader& reader, const Place& place, const std::string& name,
           const Vector3d& p_W) {
  const double away = p_W.cwiseAbs().maxCoeff();
  const double rounding = std::nextafter(away, kInfinity) - away;
  if (rounding <= kCoarsest) return;
  reader.diagnostics.error(
      place,
      fmt::format("\"{}\" is {:g} m from the origin, where positions are rounded to {:.2g} m: too "
                  "coarse for contacts",
                  name, p_W.norm(), rounding),
      "move the scene nearer, to within 131072 m in each coordinate");
}

}  // namespace

void check_distance(const Assembly& assembly, const Model& model, const State& state) {
  for (const BodySpec& body : assembly.bodies)
    if (!body.solid.shapes.empty()) check(assembly.reader, body.place, body.name, body.X_WB.p);
  for (std::size_t i = 0; i < assembly.robots.size(); ++i) {
    const RobotSpec& robot = assembly.robots[i];
    const auto entity = static_cast<std::size_t>(assembly.robot_entities[i]);
    const int base = model.entities[entity].base_link;
    const Joint* joint = base < 0 ? nullptr : &nth(model.links, base).joint;
    const bool free = joint && joint->type == JointType::free;
    check(assembly.reader, robot.place, robot.name,
          free ? Vector3d(state.q.segment<3>(joint->q_index)) : robot.X_WB.p);
  }
}

}  // namespace pequod
