// Contact problems that are not solved to their tolerance: a step takes the best impulses, or the
// run stops.
#include <doctest/doctest.h>

#include "simulation/errors.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// A ball that slides to rest. No residual is as small as what is asked.
Scenario sliding_ball(const std::string& contact) {
  const Folder folder;
  const fs::path path =
      folder.write("ball.yaml", "duration: 0.1\ncontact: {model: coulomb, " + contact +
                                    "}\n"
                                    R"(bodies:
  ground: {fixed: true, shape: {plane: {}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [1, 0, 0]}
surfaces: [{between: ["*", "*"], friction: 0.3}]
)");
  Diagnostics diagnostics;
  Scenario scenario = load_scene(path, {}, diagnostics);
  REQUIRE_MESSAGE(diagnostics.ok(), diagnostics.text());
  return scenario;
}

}  // namespace

TEST_CASE("a step takes the best impulses of what is not solved, and the run counts them") {
  const Scenario solved = sliding_ball("tolerance: 1.0e-8"),
                 asked = sliding_ball("tolerance: 1.0e-30");
  Simulation as_ever(solved), best(asked);
  while (as_ever.step()) {
  }
  while (best.step()) {
  }
  CHECK(as_ever.statistics().unsolved == 0);
  const RunStatistics& statistics = best.statistics();
  CHECK(statistics.unsolved > 0);
  CHECK(statistics.worst_unsolved.contacts == 1);
  CHECK(statistics.worst_unsolved.residual == statistics.worst_residual);
  CHECK(statistics.worst_unsolved.residual <= 1e-12);
  // 2.943 m/s² of friction over 0.1 s either way.
  CHECK(best.state().v.norm() == doctest::Approx(as_ever.state().v.norm()).epsilon(1e-12));
}

TEST_CASE("with unsolved: stop the run ends where a problem is not solved") {
  const Scenario scenario = sliding_ball("tolerance: 1.0e-30, unsolved: stop");
  Simulation simulation(scenario);
  CHECK_THROWS_WITH_AS(
      [&] {
        while (simulation.step()) {
        }
      }(),
      doctest::Contains("did not solve the coulomb contact problem of 1 contacts"), ContactError);
}
