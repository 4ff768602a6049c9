// Very many impacts in one step of a scene.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/simulation/referee.h"
#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"
#include "test/support/textbook_model.h"

namespace pequod {
namespace {

constexpr int kBalls = 20;
constexpr double kStormRadius = 0.05, kStormMass = 0.5;

void add_box(ModelBuilder& builder, double half) {
  builder.add_fixed_body("floor", {}, {{Plane{}, {}}});
  for (int i = 0; i < 4; ++i) {
    const Vector3d n(i < 2 ? 1.0 - 2.0 * i : 0.0, i < 2 ? 0.0 : 5.0 - 2.0 * i, 0.0);
    const Matrix3d R = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), n).toRotationMatrix();
    builder.add_fixed_body("wall" + std::to_string(i), {R, -half * n}, {{Plane{}, {}}});
  }
}

// Two by two columns of five balls, not quite straight, fall into a box that is little wider.
Scenario falling_balls() {
  ModelBuilder builder;
  add_box(builder, 2.24 * kStormRadius);
  for (int i = 0; i < kBalls; ++i)
    builder.add_free_body("ball" + std::to_string(i), ball_inertia(kStormMass, kStormRadius),
                          {{Sphere{kStormRadius}, {}}});
  Scenario scenario =
      scenario_with(builder.build({{"*", "*", {.friction = 0.5, .restitution = 0.5}}}));
  for (int i = 0; i < kBalls; ++i) {
    const double aside = 1.1 * kStormRadius, lean = 0.08 * kStormRadius * std::sin(7.0 * i);
    const int layer = i / 4;
    scenario.initial.q.segment<3>(7 * i) << (i % 2 ? aside : -aside) + lean,
        (i / 2 % 2 ? aside : -aside) - lean, (1.2 + 2.2 * layer) * kStormRadius;
  }
  scenario.contact.model = "coulomb";
  scenario.duration = 0.28;
  scenario.integrator = {"symplectic-euler", scenario.duration, 0.0};
  return scenario;
}

double energy_of(const Model& model, const State& state) {
  return test::textbook_kinetic(model, state.q, state.v) + test::textbook_potential(model, state.q);
}

}  // namespace

// However many impacts there are, a step of the scene, here all of it, has a bounded number of
// parts: 500 events and two a ball, then fallback steps of a tenth of it, or, where balls that turn
// would sink, of parts of that.
TEST_CASE("a storm of bouncing balls ends, without overlap or a gain of energy") {
  const Scenario scenario = falling_balls();
  Simulation run(scenario);
  test::Referee referee(scenario.model);
  // In flight symplectic Euler takes ½ m g² h² a step: energy rises nowhere.
  double energy = energy_of(scenario.model, run.state()), rise = 0.0;
  while (run.step()) {
    referee.look(run.state());
    const double now = energy_of(scenario.model, run.state());
    rise = std::max(rise, (now - energy) / energy);
    energy = now;
  }
  const RunStatistics& s = run.statistics();
  MESSAGE(s.steps << " steps, " << s.fallbacks << " fallbacks, deepest " << referee.overlap()
                  << " m, energy rises by " << rise);
  CHECK(referee.overlap() <= 1e-9);
  CHECK(rise <= 1e-9);
  CHECK(run.state().ledger.impact_loss > 0.0);
  CHECK(static_cast<double>(s.steps) <= 500.0 + 2.0 * kBalls + 10.0 * 4.0 + 2.0);
}

namespace {

// A ball on its way down without weight.
Scenario sinking_ball(double restitution) {
  ModelBuilder builder;
  builder.add_fixed_body("floor", {}, {{Plane{}, {}}});
  builder.add_free_body("ball", ball_inertia(kStormMass, kStormRadius),
                        {{Sphere{kStormRadius}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.restitution = restitution}}}));
  scenario.model.gravity.setZero();
  scenario.initial.v[5] = -1.0;
  scenario.integrator = {"symplectic-euler", 1e-3, 0.0};
  scenario.contact.model = "coulomb";
  scenario.duration = 1e-3;
  return scenario;
}

}  // namespace

// A step of 0.1 ms turns a ball of 1 m/s where it is (models.md) if its gap ends within it; one
// without rebound it stops where it meets.
TEST_CASE("a fallback step turns or stops what meets in it") {
  for (const double e : {0.0, 0.5})
    for (const double gap : {4e-5, 9e-5, 1.5e-4}) {
      CAPTURE(e);
      CAPTURE(gap);
      const Scenario scenario = sinking_ball(e);
      State state = scenario.initial;
      state.q[2] = kStormRadius + gap;
      state.loop.budget.storm_time = 0.0;
      state.loop.budget.storm = kInfinity;
      Simulation run(scenario, state, {}, Observer{});
      run.step();
      CHECK(run.statistics().fallbacks == 1);
      CHECK(run.state().t == doctest::Approx(1e-4).epsilon(1e-12));
      const bool meets = gap < 1e-4;
      const double speed = meets ? e : -1.0;
      const double end = meets && e == 0.0 ? 0.0 : gap + 1e-4 * speed;
      CHECK(run.state().v[5] == doctest::Approx(speed).epsilon(1e-9));
      CHECK(run.state().q[2] - kStormRadius == doctest::Approx(end).epsilon(1e-9));
    }
}

}  // namespace pequod
