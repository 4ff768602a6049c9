// What turns with a scene about the vertical.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

// A planar arm falls on the ground and slides or sticks.
std::string arm(const std::string& method, const std::string& model, double yaw) {
  return fmt::format(
      "duration: 0.5\nintegrator: {{method: {}, step: 0.001}}\ncontact: {{model: {}}}\n"
      "record: {{every: 0.01}}\n"
      "bodies:\n  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
      "surfaces: [{{between: ['*', '*'], friction: 0.4, restitution: 0.3}}]\n"
      "robots:\n  arm:\n"
      "    base: {{fixed: true, position: [0, 0, 0.5], orientation: {{rpy: [0, 0, {}]}}}}\n"
      "    links:\n      base: {{mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}}}\n"
      "      upper: {{mass: 1, com: [0.2, 0, 0], inertia: {{ixx: 0.01, iyy: 0.02, izz: 0.02}},\n"
      "        joint: {{name: shoulder, parent: base, axis: [0, 1, 0]}}}}\n"
      "      lower: {{mass: 1, com: [0.2, 0, 0], inertia: {{ixx: 0.01, iyy: 0.02, izz: 0.02}},\n"
      "        joint: {{name: elbow, parent: upper, axis: [0, 1, 0], position: [0.4, 0, 0]}},\n"
      "        shapes: [{{shape: {{sphere: {{radius: 0.03}}}}, position: [0.4, 0, 0]}}]}}\n"
      "    joints: {{shoulder: {{position: 0.3}}, elbow: {{position: 0.6}}}}\n",
      method, model, yaw);
}

struct Told {
  std::vector<double> impulses, forces, angles;  // N·s, N, rad
};

Told run_arm(const std::string& method, const std::string& model, double yaw) {
  const Folder folder;
  Told told;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows)
      told.impulses.insert(told.impulses.end(), {row.impulse_n, row.impulse_t});
  };
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    for (const ContactMode& mode : state.mode) {
      const double normal = mode.normal_W.dot(mode.force_W);
      told.forces.push_back(normal);
      told.forces.push_back((mode.force_W - normal * mode.normal_W).norm());
    }
    told.angles.insert(told.angles.end(), state.q.data(), state.q.data() + state.q.size());
  };
  const Scenario scenario = load(folder, arm(method, model, yaw));
  Simulation run(scenario, observer);
  run.run();
  return told;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace

// Along its joints' axes the foot cannot move, and no force is needed there: with tangents askew of
// the arm's plane two forces did the work of one. (Pyramids do turn with the tangents.)
TEST_CASE("what a planar arm does on the ground does not depend on the yaw of its base") {
  for (const std::string method : {"symplectic-euler", "rk4"})
    for (const std::string model : {"no-slip", "coulomb", "baraff", "drumwright-shell"}) {
      const Told straight = run_arm(method, model, 0.0);
      CHECK(*std::max_element(straight.forces.begin(), straight.forces.end()) > 1.0);
      for (const double yaw : {0.3, 0.25 * M_PI, 1.0, 2.5}) {
        CAPTURE(method);
        CAPTURE(model);
        CAPTURE(yaw);
        const Told turned = run_arm(method, model, yaw);
        const double loose = model == "drumwright-shell" ? 1e-6 : 1e-9;  // its interior point
        CHECK(largest_difference(straight.angles, turned.angles) < loose);
        CHECK(largest_difference(straight.impulses, turned.impulses) < loose);
        CHECK(largest_difference(straight.forces, turned.forces) < 1e3 * loose);
      }
    }
}

}  // namespace pequod::test
