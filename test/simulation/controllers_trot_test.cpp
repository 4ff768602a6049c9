// The trot on the rigid plant: what it promises, on a robot of an A1's size.
#include <doctest/doctest.h>

#include <cmath>

#include "simulation/controllers/trot.h"
#include "simulation/simulation.h"
#include "test/simulation/quadruped.h"
#include "test/simulation/referee.h"

using namespace pequod;

namespace {

struct WarmTrot {
  test::DogOptions dog;
  double forward = 0.3, sideways = 0.0, turn = 0.0;  // of U, U, ω0
  double hold = 0.001, step = 0.001;                 // s
  double duration = 6.0;                             // s
  double push = 0.0;                                 // of m U along +y, from 3 s on over 0.5/ω0
  bool start_right = false;
};

struct TrotResult {
  Vector3d start, end;                       // m, centre of mass
  double commanded = 0.0;                    // m, ∫ |v| dt with standing and ramp
  double tilt = 0.0;                         // rad, largest
  double lowest = kInfinity, highest = 0.0;  // of z0, centre of mass after the rise
  double z0 = kNaN;                          // m

  [[nodiscard]] double distance() const { return end.x() - start.x(); }
  [[nodiscard]] double drift() const { return end.y() - start.y(); }
};

Scenario make_scenario(const WarmTrot& run, TrotReport& report) {
  Scenario scenario;
  scenario.model = test::dog_on_plane(test::dog_robot(run.dog));
  const Model& model = scenario.model;
  scenario.initial = make_state(model);
  scenario.initial.q = default_stance(model, 1, scenario.initial.q);
  test::put_on_feet(model, 1, scenario.initial.q);
  TrotOptions options;
  options.period = run.hold;
  options.start_right = run.start_right;
  (void)make_trot(model, 1, scenario.initial.q, options, &report);
  options.velocity << run.forward * report.speed, run.sideways * report.speed,
      run.turn * report.omega0;
  scenario.controllers.push_back(make_trot(model, 1, scenario.initial.q, options));
  scenario.duration = run.duration;
  scenario.integrator.step = run.step;
  scenario.record.every = 10.0 * run.step;  // a row ends a step
  if (run.push != 0.0) {
    ExternalForce force;
    force.frame = model.entities[1].first_frame;
    force.from = 3.0;
    force.to = 3.0 + 0.5 / report.omega0;
    force.force.y() = run.push * report.mass * report.speed / (force.to - force.from);
    scenario.forces.push_back(force);
  }
  return scenario;
}

TrotResult walk(const WarmTrot& run) {
  TrotReport report;
  const Scenario scenario = make_scenario(run, report);
  TrotResult result;
  result.z0 = report.z0;
  double before = 0.0;
  bool first = true;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport&) {
    const Entity& robot = scenario.model.entities[1];
    result.end = mass_centre(scenario.model, kin, robot.first_link, robot.links).position;
    if (first) result.start = result.end;
    first = false;
    const Matrix3d& R = nth(kin.links, robot.base_link).X_WL.R;
    result.tilt = std::max(result.tilt, std::acos(std::min(1.0, R(2, 2))));
    const double ramp = std::clamp((state.t * report.omega0 - 4.0) / 6.0, 0.0, 1.0);
    result.commanded +=
        ramp * std::hypot(run.forward, run.sideways) * report.speed * (state.t - before);
    before = state.t;
    if (state.t * report.omega0 < 4.0) return;
    result.lowest = std::min(result.lowest, result.end.z() / report.z0);
    result.highest = std::max(result.highest, result.end.z() / report.z0);
  };
  Simulation simulation(scenario, observer);
  CHECK(test::watch(simulation, scenario.model).overlap() < 1e-9);
  return result;
}

void check_walk(const TrotResult& result) {
  CHECK(result.distance() / result.commanded == doctest::Approx(1.0).epsilon(0.05));
  CHECK(std::abs(result.drift()) < 0.02 * result.commanded);
  CHECK(result.tilt < 0.1);
  CHECK(result.lowest > 0.98);
  CHECK(result.highest < 1.02);
}

}  // namespace

TEST_CASE("a trot keeps speed, height and level on flat ground") { check_walk(walk({})); }

TEST_CASE("efforts held for 1 or 2 ms give the same distance") {
  WarmTrot run;
  run.hold = 0.002;
  CHECK(walk(run).distance() == doctest::Approx(walk({}).distance()).epsilon(0.02));
}

TEST_CASE("a sideways push during the trot does not make it fall") {
  WarmTrot run;
  run.duration = 5.0;
  for (const double push : {0.3, -0.3}) {
    run.push = push;
    const TrotResult result = walk(run);
    CHECK(result.tilt < 0.15);
    CHECK(result.lowest > 0.95);
  }
}

// Rounding alone separates the two: the feedback keeps it from growing.
TEST_CASE("a mirrored robot with mirrored commands walks the mirrored way") {
  WarmTrot run;
  run.sideways = 0.1;
  run.turn = 0.05;
  run.duration = 5.0;
  const TrotResult original = walk(run);
  run.dog.mirror = true;
  run.sideways = -run.sideways;
  run.turn = -run.turn;
  run.start_right = true;
  TrotResult mirrored = walk(run);
  mirrored.end.y() = -mirrored.end.y();
  CHECK((mirrored.end - original.end).norm() < 1e-6 * original.z0);
}

// Lengths × 10 with equal gravity: times × √10. The contact tolerances of 1e-9 m do not scale.
TEST_CASE("a copy ten times as large walks the same way in its own time") {
  const double time = std::sqrt(10.0);
  WarmTrot run;
  run.duration = 10.0 / time;
  const TrotResult small = walk(run);
  run.dog.scale = 10.0;
  run.hold *= time;
  run.step *= time;
  run.duration = 10.0;
  const TrotResult large = walk(run);
  CHECK((large.end / 10.0 - small.end).norm() < 1e-6 * small.z0);
}

TEST_CASE("a state alone resumes a trot bit for bit") {
  TrotReport report;
  WarmTrot run;
  run.duration = 2.0;
  const Scenario scenario = make_scenario(run, report);
  Simulation whole(scenario);
  State middle;
  RunStatistics statistics;
  while (whole.step()) {
    if (whole.state().t > 1.2 || whole.state().t < 1.1) continue;
    middle = whole.state();
    statistics = whole.statistics();
  }
  Simulation rest(scenario, middle, statistics, {});
  rest.run();
  CHECK(rest.state().q == whole.state().q);
  CHECK(rest.state().v == whole.state().v);
  CHECK(rest.state().memory == whole.state().memory);
}

TEST_SUITE("long") {
  TEST_CASE("a trot of 20 s keeps speed, height and level") {
    WarmTrot run;
    run.duration = 20.0;
    check_walk(walk(run));
    run.forward = -0.3;
    const TrotResult back = walk(run);
    CHECK(-back.distance() / back.commanded == doctest::Approx(1.0).epsilon(0.05));
    run.forward = 0.0;
    run.sideways = 0.15;
    const TrotResult side = walk(run);
    CHECK(side.drift() / side.commanded == doctest::Approx(1.0).epsilon(0.05));
    CHECK(side.tilt < 0.1);
  }
}
