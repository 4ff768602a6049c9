// What closes slowly, without rebound, under impulses once a step.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

constexpr double kRadius = 0.1, kFriction = 0.2, kAlong = 1.0;  // m; m/s

struct Landing {
  double gap, speed;  ///< m; m/s, down
  double restitution = 0.0;
  std::string model = "coulomb";
  double step = 1e-3;  ///< s
};

struct Landed {
  std::vector<EventRow> rows;
  State end;

  [[nodiscard]] auto count(EventKind kind) const {
    return std::ranges::count_if(rows, [&](const EventRow& row) { return row.kind == kind; });
  }
};

// A ball that cannot turn, so that it slides, over the ground.
Landed land(const Landing& landing) {
  Inertia inertia{1.0, Vector3d::Zero(), 1e6 * Matrix3d::Identity()};
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_free_body("ball", inertia, {{Sphere{kRadius}, {}}});
  Scenario scenario = scenario_with(
      builder.build({{"*", "*", {.friction = kFriction, .restitution = landing.restitution}}}));
  scenario.initial.q.head<3>() << 0.0, 0.0, kRadius + landing.gap;
  scenario.initial.v.tail<3>() << kAlong, 0.0, -landing.speed;
  scenario.contact.model = landing.model;
  scenario.duration = 0.01;
  scenario.integrator = {"symplectic-euler", landing.step, 0.0};
  Landed landed;
  Simulation run = run_with_rows(scenario, landed.rows);
  run.run();
  CHECK(run.statistics().max_penetration <= 1e-12);
  landed.end = run.state();
  return landed;
}

}  // namespace

TEST_CASE("what lands slowly is stopped by the impulses of a step, without an event") {
  const Landed landed = land({.gap = 3e-7, .speed = 2e-4});
  CHECK(landed.count(EventKind::impact) == 0);
  REQUIRE(landed.count(EventKind::touch) == 1);
  CHECK(landed.rows.front().t == doctest::Approx(1e-3));
  CHECK(landed.rows.front().speed_before == doctest::Approx(-2e-4));
  CHECK(std::abs(landed.end.q[2] - kRadius) <= 1e-12);
  CHECK(std::abs(landed.end.v[5]) <= 1e-12);
}

TEST_CASE("what rebounds, lands faster or may not slip has its impact") {
  for (const Landing& landing :
       {Landing{3e-7, 2e-4, 0.5}, {3e-7, 2e-3}, {3e-5, 2e-4}, {3e-7, 2e-4, 0.0, "no-slip"}}) {
    CAPTURE(landing.speed);
    CAPTURE(landing.model);
    CHECK(land(landing).count(EventKind::impact) > 0);
  }
}

// Friction of all impulses along the normal, m (g t + v): what a landing leaves out of it is that
// of a speed of a tenth of g h.
TEST_CASE("friction of a slow landing is right to first order") {
  for (const double step : {1e-3, 5e-4, 2.5e-4}) {
    CAPTURE(step);
    const double speed = 0.05 * 9.81 * step, gap = 0.5 * speed * step;
    const Landed landed = land({.gap = gap, .speed = speed, .step = step});
    CHECK(landed.count(EventKind::impact) == 0);
    const double along = kAlong - kFriction * (9.81 * 0.01 + speed);
    CHECK(std::abs(landed.end.v[3] - along) <= kFriction * 0.1 * 9.81 * step);
  }
}

}  // namespace pequod
