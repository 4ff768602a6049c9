// Whole time steps of the engine at 1 ms, logs aside: the paper's two kinds of run. And numbers of
// logs by themselves.
#include "simulation/simulation.h"

#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/load.h"
#include "simulation/record/digits.h"

namespace {

using namespace pequod;

/// One iteration simulates a tenth of a second of a run that has settled into its gait; a run that
/// ends starts again, outside of the clock.
void simulate(benchmark::State& state, const std::string& example, double settled) {
  constexpr double kSlice = 0.1;  // s
  const Scenario scenario = load_or_throw(PEQUOD_EXAMPLES "/quadruped/" + example);
  std::optional<Simulation> run;
  double simulated = 0.0;  // s
  std::int64_t steps = 0;
  for (auto _ : state) {
    if (!run || run->state().t + kSlice > scenario.duration) {
      state.PauseTiming();
      run.emplace(scenario);
      while (run->state().t < settled) run->step();
      state.ResumeTiming();
    }
    const double from = run->state().t;
    const std::int64_t steps_before = run->statistics().steps;
    while (run->state().t < from + kSlice - 1e-9) run->step();
    simulated += run->state().t - from;
    steps += run->statistics().steps - steps_before;
  }
  using benchmark::Counter;
  state.counters["real_time_factor"] = Counter(simulated, Counter::kIsRate);
  // An event cuts a step in two, so a second has a few more than 1000.
  state.counters["s_per_step"] =
      Counter(static_cast<double>(steps), Counter::kIsRate | Counter::kInvert);
}

char* by_library(double x, char* to) {
  return std::to_chars(to, to + 24, x, std::chars_format::general, kDigits).ptr;
}

/// Numbers of all sizes that logs have, with all their digits.
void write_numbers(benchmark::State& state, char* (*write)(double, char*)) {
  std::vector<double> numbers;
  for (int i = 0; i < 10000; ++i) numbers.push_back(std::sin(i) * std::pow(10.0, i % 12 - 9));
  std::array<char, 32> text;
  for (auto _ : state)
    for (const double number : numbers) benchmark::DoNotOptimize(write(number, text.data()));
  state.counters["s_per_number"] = benchmark::Counter(
      static_cast<double>(numbers.size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(write_numbers, ours, write_number);
BENCHMARK_CAPTURE(write_numbers, std_to_chars, by_library);
BENCHMARK_CAPTURE(simulate, quadruped_no_slip_symplectic_euler, "trot.yaml", 3.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, quadruped_viscous_rk4, "links_viscous_flat.yaml", 0.5)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
