// Sliding, sticking and rolling under Coulomb's law, against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/referee.h"
#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"

namespace pequod {
namespace {

constexpr double kGravity = 9.81;

/// A body on the plane z = 0 in a run with Coulomb friction; the plane is level, gravity may tilt.
Scenario on_plane(const Inertia& inertia, const Geometry& geometry, double height, double mu) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_free_body("body", inertia, {{geometry, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.friction = mu}}}));
  scenario.initial.q[2] = height;
  scenario.contact.model = "coulomb";
  scenario.integrator = {"symplectic-euler", 0.001, 0.0};
  return scenario;
}

Inertia cube(double mass, double size) {
  return {mass, Vector3d::Zero(), mass * size * size / 6.0 * Matrix3d::Identity()};
}

Scenario cube_on_slope(double mu, double tangent) {
  Scenario scenario = on_plane(cube(2.0, 0.2), Box{Vector3d::Constant(0.2)}, 0.1, mu);
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  scenario.model.gravity = {kGravity * tangent * cosine, 0.0, -kGravity * cosine};
  return scenario;
}

}  // namespace

TEST_CASE("below the friction angle nothing creeps, above it a cube slides at g (sin − μ cos)") {
  Scenario below = cube_on_slope(0.5, 0.98 * 0.5);
  below.duration = 60.0;
  Simulation rest(below);
  rest.run();
  CHECK((rest.state().q - below.initial.q).norm() < 1e-12);  // m, in a minute
  CHECK(rest.state().v.norm() < 1e-30);                      // m/s, what rounding leaves

  Scenario above = cube_on_slope(0.5, 1.02 * 0.5);
  above.duration = 2.0;
  Simulation slide(above);
  const test::Referee referee = test::watch(slide, above.model);
  const double cosine = 1.0 / std::sqrt(1.0 + 0.51 * 0.51);
  const double speed = kGravity * cosine * (0.51 - 0.5) * 2.0;
  CHECK(slide.state().v[3] == doctest::Approx(speed).epsilon(1e-9));
  CHECK(referee.overlap() < 1e-12);
}

// Friction slows the ball and spins it up; the spin about the point of contact is kept, so it rolls
// at 5/7 of its speed, whatever the step.
TEST_CASE("a ball that slides ends rolling at five sevenths of its speed") {
  for (const double step : {0.01, 0.001}) {
    const double r = 0.1, m = 1.5, v = 2.0;
    Scenario scenario = on_plane(ball_inertia(m, r), Sphere{r}, r, 0.3);
    scenario.initial.v[3] = v;
    scenario.integrator.step = step;
    scenario.duration = 2.0 * v / (7.0 * 0.3 * kGravity) + 0.5;
    Simulation run(scenario);
    run.run();
    CHECK(run.state().v[3] == doctest::Approx(5.0 / 7.0 * v).epsilon(1e-12));
    CHECK(run.state().v[1] == doctest::Approx(5.0 / 7.0 * v / r).epsilon(1e-12));
    CHECK(run.statistics().worst_residual < 1e-12);
  }
}

// v²/(2 μ g) of way; the step that stops it is cut short by less than a step: order 1.
TEST_CASE("a cube that slides comes to rest where its energy is spent, at order one") {
  double error[2];
  for (const int i : {0, 1}) {
    Scenario scenario = cube_on_slope(0.4, 0.0);
    scenario.initial.v[3] = 1.0;
    scenario.integrator.step = i == 0 ? 0.002 : 0.001;
    scenario.duration = 1.0;
    Simulation run(scenario);
    run.run();
    const double way = run.state().q[0] - scenario.initial.q[0];
    error[i] = std::abs(way - 1.0 / (2.0 * 0.4 * kGravity));
    CHECK(run.state().v.norm() < 1e-30);  // m/s, what rounding leaves
  }
  CHECK(error[0] < 0.002);
  CHECK(error[0] / error[1] == doctest::Approx(2.0).epsilon(0.1));
}

TEST_CASE("a bounce with friction: the tangential impulse is μ times the normal one, or stops") {
  const double r = 0.1, m = 1.0;
  Scenario scenario = on_plane(ball_inertia(m, r), Sphere{r}, 0.5, 0.2);
  scenario.initial.v[3] = 5.0;  // far more than 7/2 μ (1 + e) of the fall: it slips all through
  scenario.duration = 0.4;
  std::vector<EventRow> rows;
  Simulation run = run_with_rows(scenario, rows);
  run.run();
  REQUIRE(!rows.empty());
  CHECK(rows[0].kind == EventKind::impact);
  CHECK(rows[0].impulse_t == doctest::Approx(0.2 * rows[0].impulse_n).epsilon(1e-12));
}

// Nothing moves across the belt: forces there are whatever one likes, and whether any force exists
// decides instead of a margin. Where it ceases to the contact slips; it is told 1e-10 of the force
// late, 2.6e-10 s.
TEST_CASE("a contact slips at asin(μs N R/m g l) where its forces are not unique") {
  Scenario scenario = test::load("examples/friction-grid/belt.yaml");
  scenario.model.links[2].joint.friction = 10.0;  // N: what lets the belt give way holds it
  scenario.duration = 1.1;
  std::vector<EventRow> events;
  Simulation run = run_with_rows(scenario, events);
  run.run();
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == EventKind::slip);
  CHECK(std::abs(events[0].t - std::asin(0.2) / 0.2) <= 5e-10);
}

}  // namespace pequod
