// Restitution without events: what rebounds within a step does so at its start.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"
#include "test/support/textbook_model.h"

namespace pequod {
namespace {

constexpr double kReboundRadius = 0.05;  // m
const char* const kVelocityModels[] = {"coulomb", "no-slip", "stewart-trinkle", "anitescu-potra",
                                       "drumwright-shell"};

// Balls in a row along z at these heights over a floor, by time-stepping.
Scenario balls_over_floor(const std::vector<double>& heights, double restitution, double step) {
  ModelBuilder builder;
  builder.add_fixed_body("floor", {}, {{Plane{}, {}}});
  for (std::size_t i = 0; i < heights.size(); ++i)
    builder.add_free_body("ball" + std::to_string(i), ball_inertia(0.5, kReboundRadius),
                          {{Sphere{kReboundRadius}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.restitution = restitution}}}));
  for (std::size_t i = 0; i < heights.size(); ++i)
    scenario.initial.q[7 * static_cast<Eigen::Index>(i) + 2] = kReboundRadius + heights[i];
  scenario.integrator = {"symplectic-euler", step, 0.0};
  scenario.contact.model = "coulomb";
  scenario.contact.level = "velocity";
  scenario.contact.scheme = "time-stepping";
  scenario.duration = step;
  return scenario;
}

double upward(const State& state, int ball) { return state.v[6 * ball + 5]; }

// m, the height to which a ball rises after its first bounce from 0.5 m
double height_of_bounce(double restitution, double step) {
  Scenario scenario = balls_over_floor({0.5}, restitution, step);
  scenario.duration = 0.8;
  Simulation run(scenario);
  double highest = 0.0;
  bool bounced = false;
  while (run.step()) {
    bounced = bounced || upward(run.state(), 0) > 1.0;
    if (bounced) highest = std::max(highest, run.state().q[2] - kReboundRadius);
  }
  return highest;
}

}  // namespace

TEST_CASE(
    "time-stepping turns what meets within a step by its coefficient, under every model of "
    "impulses") {
  for (const char* model : kVelocityModels)
    for (const char* law : {"poisson", "newton"})
      for (const double e : {0.3, 0.8, 1.0}) {
        CAPTURE(model);
        CAPTURE(law);
        CAPTURE(e);
        Scenario scenario = balls_over_floor({5e-4}, e, 1e-3);
        scenario.contact.model = model;
        scenario.contact.restitution = law;
        scenario.model.gravity.setZero();
        scenario.initial.v[5] = -1.0;
        Simulation run(scenario);
        run.step();
        CHECK(upward(run.state(), 0) == doctest::Approx(e).epsilon(1e-12));
        CHECK(run.state().q[2] - kReboundRadius == doctest::Approx(5e-4 + 1e-3 * e).epsilon(1e-12));
        CHECK(run.state().ledger.impact_loss ==
              doctest::Approx(0.25 * (1.0 - e * e)).epsilon(1e-12));
      }
}

// From height H it rises to e² H. A bounce comes up to v h early, v = 3.1 m/s, and symplectic
// Euler's own error is as large: less than 2 v h in all, and of first order.
TEST_CASE("under time-stepping the height of a bounce converges to that of the law") {
  for (const double e : {0.5, 0.8, 1.0}) {
    CAPTURE(e);
    const double truth = 0.5 * e * e, speed = std::sqrt(2.0 * 9.81 * 0.5);
    for (const double step : {2e-3, 5e-4, 1.25e-4}) {
      CAPTURE(step);
      CHECK(std::abs(height_of_bounce(e, step) - truth) <= 2.0 * speed * step);
    }
  }
}

// Balls of equal mass with e = 1 hand on their speed: momentum and energy are those of the first.
TEST_CASE("what an impact makes meet within the step takes its impact too") {
  Scenario scenario = balls_over_floor({0.1, 0.2001, 0.3002, 0.4003}, 1.0, 1e-3);
  scenario.model.gravity.setZero();
  scenario.initial.v[5] = 1.0;
  Simulation run(scenario);
  run.step();
  for (int i = 0; i < 4; ++i)
    CHECK(upward(run.state(), i) == doctest::Approx(i == 3 ? 1.0 : 0.0).epsilon(1e-12));
  CHECK(run.state().ledger.impact_loss == doctest::Approx(0.0).epsilon(1e-12));
}

// v h is not all of its way: what its weight brings nearer within the step, up to g h² more, turns
// too. Before, a ball of e = 1 stuck to the floor there and lost all its energy.
TEST_CASE("time-stepping turns what the forces of the step make meet") {
  const double step = 2e-3, fall = 9.81 * step * step;
  for (double beyond = -0.3 * fall; beyond < 1.5 * fall; beyond += 0.05 * fall) {
    CAPTURE(beyond);
    Scenario scenario = balls_over_floor({step * 1.0 + beyond}, 1.0, step);
    scenario.initial.v[5] = -1.0;
    scenario.duration = 4.0 * step;
    Simulation run(scenario);
    run.run();
    CHECK(upward(run.state(), 0) > 0.9);  // 1 m/s, less or more what the weight does in 4 steps
    CHECK(std::abs(run.state().ledger.normal_loss) < 1e-12);
  }
}

// A ball that gravity has moved for less than a tenth of a step stays where it lands; what rests
// has no speed from which to rebound.
TEST_CASE("under time-stepping what lands slowly or rests does not rebound") {
  const double step = 1e-3;
  Scenario scenario = balls_over_floor({0.0, 2.0 * kReboundRadius}, 0.9, step);
  scenario.duration = 0.1;
  std::vector<EventRow> rows;
  Simulation stack = run_with_rows(scenario, rows);
  stack.run();
  CHECK(rows.empty());
  CHECK(stack.state().v.norm() <= 1e-12);
  for (const double part : {0.09, 0.11}) {
    CAPTURE(part);
    scenario = balls_over_floor({5e-7}, 0.9, step);
    scenario.initial.v[5] = -part * 9.81 * step;
    Simulation run = run_with_rows(scenario, rows);
    run.step();
    CHECK(rows.size() == (part < 0.1 ? 0 : 1));
  }
}

}  // namespace pequod
