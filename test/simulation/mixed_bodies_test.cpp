// Bodies of all shapes that are thrown into a box: what they lose, and to what.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/box_of_planes.h"
#include "test/support/random.h"

namespace pequod::test {
namespace {

std::string numbers(const Vector3d& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

// Four of them a layer, of 0.3 to 1.5 kg and 4 to 12 cm.
std::string thrown_body(int k, Random& random) {
  const double s = random.uniform(0.04, 0.08);
  const std::string shapes[] = {
      fmt::format("sphere: {{radius: {}}}", s),
      fmt::format("box: {{size: [{}, {}, {}]}}", 1.6 * s, 1.2 * s, s),
      fmt::format("cylinder: {{radius: {}, length: {}}}", 0.7 * s, 1.5 * s),
      fmt::format("capsule: {{radius: {}, length: {}}}", 0.5 * s, 1.5 * s),
      fmt::format("cone: {{radius: {}, length: {}}}", 0.8 * s, 1.4 * s)};
  const int row = k / 2 % 2, layer = k / 4;
  const Vector3d cell(0.25 * (k % 2 - 0.5), 0.25 * (row - 0.5), 0.1 + 0.2 * layer);
  return fmt::format(
      "  b{}: {{mass: {}, shape: {{{}}}, position: {}, orientation: {{rpy: {}}}, velocity: {}, "
      "angular_velocity: {}}}\n",
      k, random.uniform(0.3, 1.5), shapes[k % 5], numbers(cell + random.vector(0.03)),
      numbers(random.vector(3.0)), numbers(random.vector(1.5)), numbers(random.vector(8.0)));
}

// Share of the energy at the start that projections took or gave.
double unexplained_share(const std::string& method, const std::string& model, std::uint64_t seed) {
  Random random(seed);
  std::string text = fmt::format(
      "duration: 0.4\nintegrator: {{method: {}, step: 0.001}}\ncontact: {{model: {}}}\n{}", method,
      model, kBoxOfPlanes + 1);
  for (int k = 0; k < 12; ++k) text += thrown_body(k, random);
  text += "surfaces: [{between: ['*', '*'], friction: 0.4, restitution: 0.3}]\n";
  const Scenario scenario = load(Folder(), text);
  Simulation run(scenario);
  run.run();
  const double start = run.state().ledger.initial;
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().max_penetration <= 1e-9);
  CHECK(run.state().ledger.impact_loss > 0.2 * start);
  return std::abs(run.state().ledger.stabilisation) / start;
}

}  // namespace

// At the velocity level normals that turn within a step leave velocities along them, O(h²) of the
// energy each; at the acceleration level there are none, but fallback steps are of that level too.
// A contact that was held although `drumwright-shell` let it go as it pushed had taken 1.5 % of all
// energy.
TEST_CASE("bodies that collide dozens of times lose to impacts and friction, not to projections") {
  for (const std::uint64_t seed : {1, 2}) {
    CAPTURE(seed);
    for (const std::string model : {"coulomb", "drumwright-shell", "frictionless"}) {
      CAPTURE(model);
      CHECK(unexplained_share("symplectic-euler", model, seed) <= 1e-3);
    }
  }
  CHECK(unexplained_share("rk4", "coulomb", 2) <= 1e-8);
}

}  // namespace pequod::test
