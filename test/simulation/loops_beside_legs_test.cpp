// A linkage and a robot on its feet, in one scene.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

const char* const kPinned =
    "  arm:\n    base: {fixed: true, position: [0, 5, 1]}\n    links:\n      base: {}\n"
    "      upper: {mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}, joint: {parent: base, "
    "name: shoulder, friction: 0.05}}\n"
    "      fore: {mass: 0.5, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}, joint: {parent: upper, "
    "position: [0, 0.3, 0], friction: 0.05}}\n"
    "loops: [{between: [arm/fore, world], type: spherical, points: [[0, 0.2, 0.2]]}]\n";

// Where a robot of four equal legs goes that stands, alone or with a linkage five metres away.
VectorXd stand(const std::string& method, const std::string& model, bool beside) {
  const Scenario scenario =
      load(Folder(), fmt::format("duration: 0.02\nintegrator: {{method: {}, step: 0.001}}\n"
                                 "contact: {{model: {}, level: acceleration}}\n"
                                 "bodies:\n  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
                                 "robots:\n  dog: {{urdf: {}, controller: {{type: trot}}}}\n{}",
                                 method, model,
                                 std::filesystem::absolute("examples/robots/mara.urdf").string(),
                                 beside ? kPinned : ""));
  Simulation run(scenario);
  run.run();
  const Entity& dog = scenario.model.entities[1];
  const Tree& tree = nth(scenario.model.trees, nth(scenario.model.links, dog.base_link).tree);
  return run.state().v.segment(tree.first_v, tree.nv);
}

}  // namespace

// The loops of the arm had been those of the dog: its feet have rows by blocks, which left what was
// there before, and joints of an island without loops read the columns of one with.
TEST_CASE("a linkage does not change a robot that stands far from it") {
  for (const std::string method : {"rk4", "symplectic-euler"})
    for (const std::string model : {"no-slip", "coulomb", "baraff"}) {
      CAPTURE(method);
      CAPTURE(model);
      const VectorXd alone = stand(method, model, false), beside = stand(method, model, true);
      CHECK((alone - beside).norm() < 1e-8);
    }
}

}  // namespace pequod::test
