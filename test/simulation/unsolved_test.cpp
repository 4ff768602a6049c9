// Contact problems that are not solved to their tolerance: a step takes the best impulses, or the
// run stops.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "simulation/errors.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// A ball that slides to rest. No residual is as small as what is asked.
Scenario sliding_ball(const std::string& contact, const std::string& restitution = "0") {
  const Folder folder;
  const fs::path path =
      folder.write("ball.yaml", "duration: 0.1\ncontact: {model: coulomb, " + contact +
                                    "}\nsurfaces: [{between: [\"*\", \"*\"], friction: 0.3, "
                                    "restitution: " +
                                    restitution + "}]\n" + R"(bodies:
  ground: {fixed: true, shape: {plane: {}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [1, 0, 0]}
)");
  return test::load(path);
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

// Of no problem of the scene is the residual as small as asked, and those of impacts come first.
// Under Newton's law gaps have to open where it bounces: there coefficients are lowered instead.
TEST_CASE("an impact takes the best impulses of what is not solved too") {
  using Law = std::pair<std::string, double>;
  for (const Law& one : {Law{"poisson", 0.5}, Law{"newton", 0.0}}) {
    const std::string law = one.first, e = std::to_string(one.second);
    CAPTURE(law);
    const auto ball = [&](const std::string& contact) {
      Scenario scenario = sliding_ball(contact + ", restitution: " + law, e);
      scenario.initial.q[2] = 0.1001;
      scenario.initial.v << 0.3, -0.2, 0.1, 7.0, 4.0, -1.0;
      return scenario;
    };
    const auto bounce = [](const Scenario& scenario) {
      Simulation run(scenario);
      while (run.statistics().events[0] == 0 && run.step()) {
      }
      return std::pair{run.state().v, run.statistics().unsolved};
    };
    const auto [solved, none] = bounce(ball("tolerance: 1.0e-8"));
    const auto [best, some] = bounce(ball("tolerance: 1.0e-30"));
    CHECK(none == 0);
    CHECK(some > 0);
    CHECK((best - solved).norm() <= 1e-12);
    CHECK(best[5] == doctest::Approx(one.second * std::sqrt(1.0 + 2.0 * 9.81e-4)).epsilon(1e-5));
    const Scenario strict = ball("tolerance: 1.0e-30, unsolved: stop");
    Simulation run(strict);
    CHECK_THROWS_WITH_AS(run.run(), doctest::Contains("coulomb impact of 1 contacts"),
                         ContactError);
  }
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
