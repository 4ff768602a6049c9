// Time-stepping: contact once a step, without a search for events.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "simulation/simulation.h"

namespace pequod {
namespace {

// A cube dropped with a spin, or a ball.
Scenario dropped(const Geometry& geometry, const std::string& model, double step) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_free_body("body", {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()},
                        {{geometry, {}}});
  Scenario scenario;
  scenario.model = builder.build();
  scenario.initial = make_state(scenario.model);
  scenario.initial.q[2] = 0.5;
  scenario.duration = 1.0;
  scenario.integrator = {"symplectic-euler", step, 0.0};
  scenario.contact.model = model;
  scenario.contact.scheme = "time-stepping";
  return scenario;
}

}  // namespace

TEST_CASE("under time-stepping a ball lands without an event and without a bounce") {
  for (const char* model :
       {"coulomb", "no-slip", "stewart-trinkle", "anitescu-potra", "drumwright-shell"}) {
    const Scenario scenario = dropped(Sphere{0.1}, model, 0.01);
    int rows = 0;
    Observer observer;
    observer.events = [&](std::span<const EventRow> now) { rows += static_cast<int>(now.size()); };
    Simulation run(scenario, observer);
    run.run();
    INFO(model);
    CHECK(std::abs(run.state().q[2] - 0.1) < 1e-9);
    CHECK(run.state().v.norm() < 1e-9);
    CHECK(rows == 0);
    CHECK(run.statistics().steps == 100);
  }
}

// Every corner in reach is projected to its gap, so none sinks although it turns while it lands.
TEST_CASE("a tumbling cube comes down on its corners and does not sink, whatever the step") {
  for (const double step : {4e-3, 1e-3}) {
    Scenario scenario = dropped(Box{Vector3d::Constant(0.2)}, "coulomb", step);
    scenario.initial.v.head<3>() << 3.0, 8.0, 1.0;
    Simulation run(scenario);
    run.run();
    MESSAGE("depth " << run.statistics().max_penetration << " m at steps of " << step << " s");
    CHECK(run.statistics().max_penetration < 1e-9);
    CHECK(run.state().q[2] > 0.1 - 1e-9);
  }
}

TEST_CASE("time-stepping needs a model at the velocity level") {
  const Scenario scenario = dropped(Sphere{0.1}, "viscous", 0.01);
  CHECK_THROWS_AS(Simulation{scenario}, std::invalid_argument);
}

}  // namespace pequod
