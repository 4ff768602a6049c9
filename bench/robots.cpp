// Many robots in one world: time a robot and step, memory, and how long it takes to begin.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/load.h"
#include "simulation/simulation.h"

namespace {

using namespace pequod;

/// A file that goes with its owner.
class SceneFile {
 public:
  explicit SceneFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("robots-{}.yaml", ::getpid())) {
    std::ofstream(path_) << text;
  }
  ~SceneFile() { std::filesystem::remove(path_); }
  SceneFile(const SceneFile&) = delete;
  SceneFile& operator=(const SceneFile&) = delete;

  [[nodiscard]] Scenario load() const { return load_or_throw(path_); }

 private:
  std::filesystem::path path_;
};

/// Robots that trot on one plane, 3 m apart, no two with the same pace and the same gait.
std::string trotting(int robots) {
  const int side = static_cast<int>(std::ceil(std::sqrt(robots)));
  std::string text =
      "duration: 1000\nintegrator: {method: symplectic-euler, step: 0.001}\n"
      "contact: {model: no-slip}\nbodies:\n  ground: {fixed: true, shape: {plane: {}}}\nrobots:\n";
  for (int i = 0; i < robots; ++i) {
    const double pace = 0.2 + 0.3 * (i * 37 % robots) / robots;    // m/s
    const double period = 0.5 + 0.2 * (i * 61 % robots) / robots;  // s
    text += fmt::format(
        "  mara{}:\n    urdf: {}/robots/mara.urdf\n    base: {{position: [{}, {}, 0.5]}}\n"
        "    controller: {{type: trot, velocity: [{}, 0, 0], gait: {{period: {}}}}}\n",
        i, PEQUOD_EXAMPLES, 3 * (i % side), 3 * (i / side), pace, period);
  }
  return text;
}

double memory_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss);
}

/// One iteration is ten steps of all, from 50 ms on, when they stand. The memory is the largest of
/// the program so far: run one number of robots alone to have its own.
void robots_in_one_world(benchmark::State& state) {
  const int robots = static_cast<int>(state.range(0));
  Scenario scenario = SceneFile(trotting(robots)).load();
  scenario.threads = static_cast<int>(state.range(1));
  Simulation run(scenario);
  while (run.state().t < 0.05) run.step();
  constexpr int kSteps = 10;
  for (auto _ : state)
    for (int i = 0; i < kSteps; ++i) run.step();
  using benchmark::Counter;
  state.counters["s_per_robot_step"] = Counter(
      static_cast<double>(kSteps * robots), Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["kB_per_robot"] = memory_kilobytes() / robots;
}

/// From the files of a scene with one URDF robot to the end of its first step.
void start_up(benchmark::State& state) {
  const SceneFile file(trotting(1));
  for (auto _ : state) {
    const Scenario scenario = file.load();
    Simulation run(scenario);
    run.step();
    benchmark::DoNotOptimize(run.state().t);
  }
}

// Of several threads it is the time that passes that counts.
BENCHMARK(robots_in_one_world)
    ->ArgNames({"robots", "threads"})
    ->ArgsProduct({{1, 10, 100, 1000}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(start_up)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
