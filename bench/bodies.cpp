// Cost of a step in the number of bodies: balls far apart in flight over the ground, 1 ms of RK4.
// The last line is the slope of log time over log n.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "simulation/simulation.h"

namespace {

using namespace pequod;

/// n balls of 0.1 m on a cubic grid of 1 m, each with a velocity of its own.
Scenario balls_in_flight(int n) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  const Inertia inertia{1.0, Vector3d::Zero(), Matrix3d(Vector3d::Constant(0.004).asDiagonal())};
  for (int i = 0; i < n; ++i)
    builder.add_free_body("ball" + std::to_string(i), inertia, {{Sphere{0.1}, {}}});
  Scenario scenario;
  scenario.model = builder.build();
  scenario.initial = make_state(scenario.model);
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  for (int i = 0; i < n; ++i) {
    const Vector3d cell(i % side, i / side % side, i / side / side);
    scenario.initial.q.segment<3>(7 * i) = cell + Vector3d(0.0, 0.0, 100.0);
    scenario.initial.v.segment<6>(6 * i) << 1.0, 2.0, 3.0, 0.1 * std::sin(i), 0.1 * std::cos(i),
        0.1;
  }
  scenario.contact.model = "frictionless";
  scenario.integrator.method = "rk4";
  scenario.duration = 1e3;
  scenario.record.every = 1e3;
  return scenario;
}

std::map<int, double>& seconds_per_step() {
  static std::map<int, double> table;
  return table;
}

void step_bodies(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Scenario scenario = balls_in_flight(n);
  Simulation run(scenario);
  for (int i = 0; i < 3; ++i) run.step();
  std::int64_t steps = 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    run.step();
    ++steps;
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  seconds_per_step()[n] = spent.count() / static_cast<double>(steps);
}

BENCHMARK(step_bodies)->RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMillisecond);

/// Of a straight line through (log n, log time).
double slope(const std::map<int, double>& table) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const auto& [n, seconds] : table) {
    const double x = std::log(n), y = std::log(seconds);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const auto count = static_cast<double>(table.size());
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  if (seconds_per_step().size() > 1) std::printf("slope %.3f\n", slope(seconds_per_step()));
  return 0;
}
