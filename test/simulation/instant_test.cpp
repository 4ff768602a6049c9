// Runs whose times are rounded more coarsely than their events are apart, or whose steps are short.
#include "simulation/loop/instant.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "simulation/record/checkpoint.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kLate = 1e5;  // s, where times are rounded to 1.5e-11 s

const std::string kFalling = "bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}}}\n";

std::string times(double start, double duration, double step) {
  return fmt::format("start: {}\nduration: {}\nintegrator: {{step: {}}}\nrecord: {{every: 10}}\n",
                     start, duration, step);
}

// Steps of a whole run, and where it ends.
RunStatistics run_steps(const Scenario& scenario, State& end) {
  Simulation run(scenario);
  for (int i = 0; run.step(); ++i) REQUIRE(i < 100000);
  end = run.state();
  return run.statistics();
}

// The same scene started at 0 and late.
struct Twice {
  State early, late;
  RunStatistics early_statistics, late_statistics;

  explicit Twice(const std::string& scene) {
    const Folder folder;
    early_statistics = run_steps(load(folder, scene), early);
    late_statistics = run_steps(load(folder, "start: 100000\n" + scene), late);
  }
  // Largest difference of a coordinate, m or rad, m/s or rad/s.
  [[nodiscard]] double apart() const {
    return std::max((early.q - late.q).cwiseAbs().maxCoeff(),
                    (early.v - late.v).cwiseAbs().maxCoeff());
  }
};

}  // namespace

TEST_CASE("short steps do not stall late in a run: their number is that of an early one") {
  for (const double step : {1e-5, 1e-4, 1e-3})
    for (const double start : {0.0, 256.0, 2048.0, 32768.0, kLate}) {
      const double duration = 500.0 * step;
      State end;
      const RunStatistics s =
          run_steps(load(Folder(), times(start, duration, step) + kFalling), end);
      CAPTURE(step);
      CAPTURE(start);
      CHECK(s.steps == 500);
      CHECK(end.t == doctest::Approx(start + duration).epsilon(1e-15));
      // Symplectic Euler falls g h² n (n + 1)/2, h the rounded length of each step.
      CHECK(end.q[2] == doctest::Approx(-9.81 * step * step * 500 * 501 / 2)
                            .epsilon(1e-12 + time_rounding(start) / step));
    }
}

// Rows 0.1 s + 1 µs apart cut steps of 0.1 s into 0.1 s and 1 µs. Flight is a parabola, without any
// error: so two steps a row. Before, the step after a short one was five times its length.
TEST_CASE("an adaptive step that a row cuts short says nothing against its length") {
  State end;
  const RunStatistics s =
      run_steps(load(Folder(),
                     "duration: 1.00001\nrecord: {every: 0.100001}\n"
                     "integrator: {method: dopri5, step: 0.1, tolerance: 1.0e-6}\n" +
                         kFalling),
                end);
  CHECK(s.steps == 20);
  CHECK(end.q[2] == doctest::Approx(-0.5 * 9.81 * 1.00001 * 1.00001).epsilon(1e-12));
}

TEST_CASE("a thousand steps of 1e-12 s make 1e-9 s") {
  State end;
  const RunStatistics s = run_steps(load(Folder(), times(0.0, 1e-9, 1e-12) + kFalling), end);
  CHECK(s.steps == 1000);
  CHECK(end.t == 1e-9);
}

TEST_CASE("what moves at 1e5 s moves as it did at the start of time") {
  const std::string ground = "ground: {fixed: true, shape: {plane: {}}}";
  const std::string ball = "bodies: {" + ground +
                           ", ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1], "
                           "velocity: [0.3, 0, 0]}}\n"
                           "surfaces: [{between: [\"*\", \"*\"], restitution: 0.8}]\n";
  const std::string box =
      "bodies: {" + ground +
      ", box: {mass: 2, shape: {box: {size: [0.4, 0.3, 0.2]}}, position: [0, 0, "
      "0.1], velocity: [2, 0.5, 0]}}\n";
  // Symplectic Euler and RK4 at both levels; 2 s, friction and bounces to rest, a push on the way.
  for (const std::string& bodies : {ball, box})
    for (const char* method : {"symplectic-euler", "rk4"})
      for (const char* model : {"coulomb", "drumwright-shell", "viscous"}) {
        const std::string scene = fmt::format(
            "duration: 2\nintegrator: {{method: {}, step: 0.002}}\ncontact: {{model: {}}}\n{}",
            method, model, bodies);
        const Twice twice(scene);
        CAPTURE(scene);
        CHECK(twice.early_statistics.steps == twice.late_statistics.steps);
        CHECK(twice.early_statistics.events == twice.late_statistics.events);
        CHECK(twice.late_statistics.max_penetration <= 1e-9);
        CHECK(twice.apart() < 1e-8);  // steps are rounded to 7e-9 of their length
        MESSAGE(std::string(method)
                << " " << std::string(model) << ": " << twice.late_statistics.steps
                << " steps, apart " << twice.apart());
      }
}

TEST_CASE("a force acts from its start on where steps meet it up to rounding") {
  // 0.3 s is no multiple of 0.1 s in doubles: 3 · 0.1 is an ulp more.
  const auto pushed = [](double start, double step) {
    const std::string scene = fmt::format(
        "{}gravity: [0, 0, 0]\n{}forces: [{{on: ball, from: {}, to: {}, force: [1, 0, 0]}}]\n",
        times(start, 1.0, step), kFalling, start + 0.3, start + 0.7);
    State end;
    (void)run_steps(load(Folder(), scene), end);
    return end.v[3];
  };
  for (const double step : {0.1, 0.001})
    for (const double start : {0.0, 4096.0, kLate})
      CHECK(pushed(start, step) == doctest::Approx(0.4).epsilon(1e-9));
}

TEST_CASE("a robot trots at 1e5 s as at the start of time") {
  Scenario scenario = test::load("examples/quadruped/trot.yaml");
  scenario.duration = 2.0;
  State early, late;
  const RunStatistics a = run_steps(scenario, early);
  scenario.initial.t = kLate;
  const RunStatistics b = run_steps(scenario, late);
  MESSAGE(a.steps << " and " << b.steps << " steps, apart "
                  << (early.q - late.q).cwiseAbs().maxCoeff());
  CHECK(a.steps == b.steps);
  CHECK((early.q - late.q).cwiseAbs().maxCoeff() < 1e-7);
  CHECK(b.max_penetration <= 1e-9);
}

TEST_CASE("a run goes on from a checkpoint at 1e5 s to the bit") {
  const Scenario scenario =
      load(Folder(), times(kLate, 0.05, 1e-4) + kFalling + "gravity: [0, 0.1, -9.81]\n");
  Simulation whole(scenario);
  for (int i = 0; i < 123; ++i) REQUIRE(whole.step());
  Checkpoint checkpoint;
  checkpoint.state = whole.state();
  const Checkpoint read = decode(encode(checkpoint));
  CHECK(read.state.steps == 122);
  Simulation resumed(scenario, read.state, {}, {});
  whole.run();
  resumed.run();
  CHECK(whole.state().q == resumed.state().q);
  CHECK(whole.state().t == resumed.state().t);
  CHECK(whole.state().steps == resumed.state().steps);
}

TEST_CASE("a state goes on with steps of another length") {
  const Folder folder;
  State half;
  (void)run_steps(load(folder, times(kLate, 0.5, 1e-3) + kFalling), half);
  const Scenario finer = load(folder, times(kLate, 1.0, 2.5e-4) + kFalling);
  Simulation run(finer, half, {}, {});
  for (int i = 0; run.step(); ++i) REQUIRE(i < 10000);
  CHECK(run.statistics().steps == 2000);
  CHECK(run.state().t == doctest::Approx(kLate + 1.0).epsilon(1e-15));
}

TEST_CASE("steps, rows and ticks too short to be told apart by their times are errors") {
  CHECK(
      report(times(kLate, 1.0, 1e-10) + kFalling) ==
      "s.yaml:3:20: error: integrator.step: 1e-10 s is too short at t = 100001 s, where times are "
      "rounded to 1.5e-11 s; use 9.3e-10 s or more, or a shorter run that starts earlier\n");
  CHECK(report(times(0.0, 1e15, 1.0) + kFalling)
            .find("integrator.step: 1 s is too short at t = "
                  "1e+15 s") != std::string::npos);
  CHECK(report(times(kLate, 1.0, 1e-9) + kFalling).empty());
}

}  // namespace pequod::test
