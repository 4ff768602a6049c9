// Time-stepping: contact once a step, without a search for events.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/random_scene.h"
#include "test/simulation/referee.h"
#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"

namespace pequod {
namespace {

// A cube dropped with a spin, or a ball.
Scenario dropped(const Geometry& geometry, const std::string& model, double step) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_free_body("body", {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()},
                        {{geometry, {}}});
  Scenario scenario = scenario_with(builder.build());
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
    std::vector<EventRow> rows;
    Simulation run = run_with_rows(scenario, rows);
    run.run();
    INFO(model);
    CHECK(std::abs(run.state().q[2] - 0.1) < 1e-9);
    CHECK(run.state().v.norm() < 1e-9);
    CHECK(rows.empty());
    CHECK(run.statistics().steps == 100);
  }
}

namespace {

// Balls on a loose lattice that fall into a box with 0.9 m between its walls.
Scenario poured_balls(int edge) {
  ModelBuilder builder;
  builder.add_fixed_body("floor", {}, {{Plane{}, {}}});
  const Matrix3d turned = Eigen::AngleAxisd(EIGEN_PI / 2.0, Vector3d::UnitY()).toRotationMatrix();
  for (int side = 0; side < 4; ++side) {
    const Matrix3d R =
        Eigen::AngleAxisd(side * EIGEN_PI / 2.0, Vector3d::UnitZ()).toRotationMatrix() * turned;
    builder.add_fixed_body("wall" + std::to_string(side), {R, R * Vector3d(0.0, 0.0, -0.45)},
                           {{Plane{}, {}}});
  }
  const double r = 0.1;
  for (int i = 0; i < edge * edge * edge; ++i)
    builder.add_free_body("ball" + std::to_string(i), ball_inertia(1.0, r), {{Sphere{r}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.friction = 0.3}}}));
  for (int i = 0; i < edge * edge * edge; ++i) {
    const int x = i % edge, y = i / edge % edge, z = i / (edge * edge);
    scenario.initial.q.segment<3>(7 * i) << 0.22 * x - 0.33 + 0.005 * std::sin(7.0 * i),
        0.22 * y - 0.33 + 0.005 * std::cos(5.0 * i), 0.15 + 0.22 * z;
  }
  scenario.duration = 0.5;
  scenario.integrator = {"symplectic-euler", 1e-3, 0.0};
  scenario.contact.model = "coulomb";
  scenario.contact.scheme = "time-stepping";
  return scenario;
}

}  // namespace

namespace {

// Poured balls under the model of the scenario: nothing sinks, no energy is gained, forces explain
// the motion.
void check_poured(const Scenario& scenario) {
  CAPTURE(scenario.contact.model);
  std::size_t most = 0;
  double energy = kInfinity, rise = 0.0;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& now) {
    most = std::max(most, state.mode.size());
    const double moved = now.total + state.ledger.stabilisation;  // what moving apart gave
    rise = std::max(rise, moved - energy);
    energy = moved;
  };
  Simulation run(scenario, observer);
  const double overlap = test::watch(run, scenario.model).overlap();
  MESSAGE("depth " << overlap << " m, " << most << " contacts");
  CHECK(most >= 120);
  CHECK(overlap < 1e-9);
  // Symplectic Euler loses ½ m g² h² a step in free flight, and contact takes the rest.
  CHECK(rise <= 1e-9 * scenario.initial.q.size() * 9.81);
  const RunStatistics& statistics = run.statistics();
  CHECK(statistics.fallbacks == 0);
  CHECK(statistics.unsolved == 0);
  CHECK(statistics.unbalanced == 0);
  CHECK(run.state().ledger.suspect == 0.0);
}

}  // namespace

// From a hundred contacts on solved in the coordinates of the bodies, and moved apart by sweeps.
TEST_CASE("balls poured into a box neither sink nor gain energy, and forces explain their motion") {
  const Scenario scenario = poured_balls(4);
  check_poured(scenario);
  Simulation run(scenario), again(scenario);
  run.run();
  again.run();
  CHECK(again.state().q == run.state().q);
  CHECK(again.state().v == run.state().v);
}

// To 1e-4, as their solvers take long for more.
TEST_CASE("the other models with cones do the same with balls poured into a box" *
          doctest::test_suite("heavy")) {
  Scenario scenario = poured_balls(4);
  scenario.integrator.step = 4e-3;
  scenario.duration = 0.4;
  scenario.contact.tolerance = 1e-4;
  for (const char* model : {"drumwright-shell", "stewart-trinkle", "anitescu-potra"}) {
    scenario.contact.model = model;
    check_poured(scenario);
  }
}

// Every corner in reach is projected to its gap, so none sinks although it turns while it lands.
TEST_CASE("a tumbling cube comes down on its corners and does not sink, whatever the step") {
  for (const double step : {4e-3, 1e-3}) {
    Scenario scenario = dropped(Box{Vector3d::Constant(0.2)}, "coulomb", step);
    scenario.initial.v.head<3>() << 3.0, 8.0, 1.0;
    Simulation run(scenario);
    const double overlap = test::watch(run, scenario.model).overlap();
    MESSAGE("depth " << overlap << " m at steps of " << step << " s");
    CHECK(overlap < 1e-9);
    CHECK(run.state().q[2] > 0.1 - 1e-9);
  }
}

TEST_CASE("time-stepping needs a model at the velocity level") {
  const Scenario scenario = dropped(Sphere{0.1}, "viscous", 0.01);
  CHECK_THROWS_AS(Simulation{scenario}, std::invalid_argument);
}

// Scenes at random, whose bodies turn far within a step of 5 ms: features that face each other only
// within it sank by up to millimetres. What has sunk is moved out again, out of a mesh too, whose
// contacts are told no deeper than they are asked for: few are left to steps without restitution
// and friction (557 in 286 scenes when they were asked for up to 1e-9 m).
TEST_CASE("under time-stepping no accepted state overlaps by more than 1e-9 m") {
  const char* const models[] = {"coulomb", "drumwright-shell", "no-slip", "stewart-trinkle"};
  double deepest = 0.0;
  std::int64_t steps = 0, fallbacks = 0;
  for (std::uint64_t seed = 80; seed < 140; ++seed) {
    const std::string model = models[seed % std::size(models)];
    const test::Folder folder;
    const auto path = test::write_scene(test::random_scene(seed), folder.path());
    const Scenario scenario =
        test::load(path, {.package_paths = {},
                          .overrides = {{"integrator.method", "symplectic-euler"},
                                        {"integrator.step", "0.005"},
                                        {"duration", "1"},
                                        {"contact.level", "velocity"},
                                        {"contact.viscous", "explicit"},
                                        {"contact.model", model},
                                        {"contact.scheme", "time-stepping"}}});
    CAPTURE(seed);
    Simulation run(scenario);
    run.run();
    CHECK(run.statistics().max_penetration <= 1e-9);
    const bool rebounds = std::ranges::any_of(
        scenario.model.surfaces, [](const Surface& surface) { return surface.restitution > 0.0; });
    CHECK((rebounds || run.statistics().events[0] == 0));
    deepest = std::max(deepest, run.statistics().max_penetration);
    steps += run.statistics().steps;
    fallbacks += run.statistics().fallbacks;
  }
  CHECK(fallbacks <= 5);
  MESSAGE("deepest " << deepest << " m in " << steps << " steps, " << fallbacks << " fallbacks");
}

}  // namespace pequod
