// A trot whose contacts stick and slide in the stages of RK4.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/referee.h"

namespace pequod {
namespace {

Scenario trot(const std::string& model, double step, double duration) {
  Scenario scenario = test::load("examples/quadruped/trot.yaml");
  scenario.integrator = {"rk4", step, 0.0};
  scenario.contact.model = model;
  scenario.contact.solver.clear();
  scenario.duration = duration;
  return scenario;
}

}  // namespace

// 0.5 m/s are commanded; it stands for the first second and ramps its velocity up after that.
TEST_CASE("a trot with friction in every stage walks, touches and lifts without a fallback") {
  for (const std::string model : {"coulomb", "no-slip"}) {
    INFO(model);
    const Scenario scenario = trot(model, 0.001, 4.0);
    Simulation run(scenario);
    const double start = run.state().q[0];
    const test::Referee referee = test::watch(run, scenario.model);
    CHECK(run.state().q[0] - start > 0.8);
    CHECK(run.state().q[2] > 0.4);
    CHECK(referee.overlap() < 1e-9);
    CHECK(run.statistics().fallbacks == 0);
    CHECK(nth(run.statistics().events, EventKind::painleve) == 0);
    CHECK(nth(run.statistics().events, EventKind::lift_off) > 10);
  }
}

// Impacts and projections are booked exactly, so the residual is the integrator's own error,
// through touchdowns and lift-offs. Efforts are held for 1 ms, which both steps divide.
TEST_CASE("its energy residual falls at order four") {
  double residual[2];
  for (const int k : {0, 1}) {
    const Scenario scenario = trot("no-slip", k == 0 ? 0.001 : 0.0005, 2.0);
    Simulation run(scenario);
    run.run();
    residual[k] = run.statistics().energy_residual_max;
  }
  MESSAGE("residuals " << residual[0] << " J, " << residual[1] << " J");
  CHECK(std::log2(residual[0] / residual[1]) > 3.6);
  CHECK(residual[0] < 1e-7);  // of 100 J
}

}  // namespace pequod
