// Walls of a few bricks, their rows half a brick apart, that a ball hits, event by event.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/support/random.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// Bricks of 1 kg, a hundredth of a metre apart in their row; a ball of 0.5 to 10 kg at 2 to 10 m/s.
std::string hit_wall(Random& random, const std::string& model) {
  const int rows = 2 + static_cast<int>(random.uniform(0.0, 3.0)),
            columns = 2 + static_cast<int>(random.uniform(0.0, 3.0));
  const double friction = random.uniform(0.1, 1.0),
               restitution = std::max(0.0, random.uniform(-0.5, 0.9));
  std::string scene = fmt::format(
      "duration: 0.006\n"
      "integrator: {{method: symplectic-euler, step: 0.001}}\n"
      "contact: {{model: {}, level: velocity}}\n"
      "surfaces: [{{between: [\"*\", \"*\"], friction: {}, restitution: {}}}]\n"
      "bodies:\n"
      "  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
      "  ball: {{mass: {}, shape: {{sphere: {{radius: 0.05}}}}, position: [{}, -0.102, {}], "
      "velocity: [{}, {}, {}]}}\n",
      model, friction, restitution, random.uniform(0.5, 10.0),
      random.uniform(0.0, 0.21 * columns - 0.1), random.uniform(0.05, 0.06 * rows),
      random.uniform(-1.0, 1.0), random.uniform(2.0, 10.0), random.uniform(-1.0, 1.0));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      scene += fmt::format(
          "  brick_{}_{}: {{mass: 1, shape: {{box: {{size: [0.2, 0.1, 0.06]}}}}, "
          "position: [{}, 0, {}]}}\n",
          row, column, 0.21 * column + 0.105 * (row % 2), 0.06 * row + 0.03);
  return scene;
}

}  // namespace

// No solver ends a run, nothing sinks and no impulse gives energy. Impacts that are met one by one
// take no fallback step.
TEST_CASE("walls that a ball hits come through, event by event" * doctest::test_suite("heavy")) {
  Random random(21);
  const char* const models[] = {"coulomb",          "no-slip", "coulomb",
                                "drumwright-shell", "coulomb", "stewart-trinkle"};
  int unsolved = 0;
  double worst = 0.0;
  for (int i = 0; i < 6; ++i) {
    const Folder folder;
    const Scenario scenario =
        test::load(folder.write("wall.yaml", hit_wall(random, models[i % std::size(models)])));
    CAPTURE(i);
    Simulation run(scenario);
    REQUIRE_NOTHROW(run.run());
    const RunStatistics& statistics = run.statistics();
    CHECK(statistics.max_penetration <= 1e-9);
    // Drumwright and Shell's energies may let bodies go where Coulomb's law would not.
    CHECK(statistics.fallbacks <= (scenario.contact.model == "drumwright-shell" ? 2 : 0));
    CHECK(nth(statistics.events, EventKind::impact) > 0);
    const double left = report_energy(scenario.model, run.kinematics(), run.state()).total;
    CHECK(left <= (1.0 + 1e-6) * run.state().ledger.initial);
    unsolved += static_cast<int>(statistics.unsolved);
    worst = std::max(worst, statistics.worst_unsolved.residual);
  }
  CHECK(worst <= 1e-6);
  MESSAGE(unsolved << " problems short of 1e-8, worst " << worst);
}
