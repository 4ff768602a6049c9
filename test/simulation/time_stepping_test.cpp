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

// A corner that turns while it lands sinks by the curvature of its path, ½ ω² r h² a step.
TEST_CASE("what a tumbling cube sinks falls with the square of the step") {
  double depth[2];
  for (const int i : {0, 1}) {
    Scenario scenario = dropped(Box{Vector3d::Constant(0.2)}, "coulomb", i == 0 ? 4e-3 : 1e-3);
    scenario.initial.v.head<3>() << 3.0, 8.0, 1.0;
    Simulation run(scenario);
    run.run();
    depth[i] = run.statistics().max_penetration;
    CHECK(run.state().q[2] > 0.09);
  }
  MESSAGE("depth " << depth[0] << " m at 4 ms, " << depth[1] << " m at 1 ms");
  CHECK(depth[0] < 0.5 * 16e-6 * 74.0 * 0.18);  // one step's worth at the first spin
  CHECK(depth[1] < depth[0] / 4.0);
}

TEST_CASE("time-stepping needs a model at the velocity level") {
  const Scenario scenario = dropped(Sphere{0.1}, "viscous", 0.01);
  CHECK_THROWS_AS(Simulation{scenario}, std::invalid_argument);
}

}  // namespace pequod
