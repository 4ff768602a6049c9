// How many of the contact problems of piles are solved to what, and in what time: those that runs
// of test/simulation/pile_scenes.h pose, each from the impulses of the step before and from none.
//
//   bench_piles [--write FILE]   prints a table, or puts it between the marks in FILE
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "contact/solvers/friction/bodies/body_friction.h"
#include "simulation/simulation.h"
#include "test/simulation/pile_scenes.h"

namespace {

using namespace pequod;

constexpr std::array<double, 4> kLevels = {1e-3, 1e-6, 1e-8, 1e-10};
constexpr std::array<int, 9> kSizes = {15, 60, 120, 180, 300, 500, 700, 1730, 1 << 30};
constexpr std::size_t kOfScene = 40;  // problems, spread over its run

struct Kept {
  BodyProblem problem;
  BodyFrictionOptions options;
  std::vector<double> warm_start;
};

/// Every so many problems of a run: where they grow too many every other one is let go.
class Sampler {
 public:
  void show(const BodyProblem& problem, const BodyFrictionOptions& options,
            std::span<const double> warm_start) {
    if (problem.contacts() < kSizes.front() || shown_++ % apart_ != 0) return;
    kept_.push_back({problem, options, {warm_start.begin(), warm_start.end()}});
    if (kept_.size() < 2 * kOfScene) return;
    for (std::size_t i = 1; 2 * i < kept_.size(); ++i) kept_[i] = std::move(kept_[2 * i]);
    kept_.resize(kept_.size() / 2);
    apart_ *= 2;
  }
  [[nodiscard]] const std::vector<Kept>& kept() const { return kept_; }

 private:
  std::vector<Kept> kept_;
  std::size_t shown_ = 0, apart_ = 1;
};

struct Row {
  std::array<std::vector<double>, kLevels.size()> times;  // ms
  std::array<int, kLevels.size()> solved{};
};

void solve_all(const Kept& kept, std::span<const double> warm_start, Row& row, Row* family) {
  static BodyFrictionWorkspace workspace;
  static BodyFrictionSolution solution;
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    BodyFrictionOptions options = kept.options;
    options.tolerance = options.enough = kLevels[level];
    const auto start = std::chrono::steady_clock::now();
    solve_body_friction(kept.problem, options, warm_start, workspace, solution);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    for (Row* to : {&row, family}) {
      if (to == nullptr) continue;
      to->times[level].push_back(spent.count());
      to->solved[level] += solution.converged ? 1 : 0;
    }
  }
}

std::string cell(const Row& row, std::size_t level) {
  std::vector<double> times = row.times[level];
  if (times.empty()) return " – |";
  std::sort(times.begin(), times.end());
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), " %.0f %%, %.2g / %.2g |",
                100.0 * row.solved[level] / static_cast<double>(times.size()),
                times[times.size() / 2], times[times.size() * 9 / 10]);
  return text.data();
}

void append_row(const std::string& name, const Row& row, std::string& table) {
  table += "| " + name + " (" + std::to_string(row.times[0].size()) + ") |";
  for (std::size_t level = 0; level < kLevels.size(); ++level) table += cell(row, level);
  table += "\n";
}

std::string name_of_size(std::size_t i) {
  const std::string low = std::to_string(kSizes[i]);
  return i + 2 == kSizes.size() ? low + " and more" : low + "–" + std::to_string(kSizes[i + 1]);
}

/// Of all runs so far, warm and cold.
struct Table {
  std::array<std::array<Row, kSizes.size() - 1>, 2> by_size;
  std::array<std::map<std::string, Row>, 2> by_family;
};

void take_scene(const test::PileScene& scene, Table& table) {
  Sampler sampler;
  Observer observer;
  observer.problem.bodies = [&](const BodyProblem& problem, const BodyFrictionOptions& options,
                                std::span<const double> warm_start, const BodyFrictionSolution&) {
    sampler.show(problem, options, warm_start);
  };
  Simulation(scene.scenario, observer).run();
  for (const Kept& kept : sampler.kept()) {
    const auto size = static_cast<std::size_t>(
        std::upper_bound(kSizes.begin(), kSizes.end(), kept.problem.contacts()) - kSizes.begin() -
        1);
    const bool by_sweeps = kept.problem.contacts() >= kSizes[kSizes.size() - 2];
    for (const std::size_t cold : {0U, 1U})
      solve_all(kept, cold ? std::span<const double>() : kept.warm_start, table.by_size[cold][size],
                by_sweeps ? nullptr : &table.by_family[cold][scene.family]);
  }
}

std::string to_text(const Table& table) {
  std::string text;
  for (const std::size_t cold : {0U, 1U}) {
    text += cold ? "\n| from no impulses |" : "| from those of the step before |";
    text += " 1e-3 | 1e-6 | 1e-8 | 1e-10 |\n|---|---|---|---|---|\n";
    for (std::size_t i = 0; i + 1 < kSizes.size(); ++i)
      append_row(name_of_size(i), table.by_size[cold][i], text);
    for (const auto& [family, row] : table.by_family[cold]) append_row(family, row, text);
  }
  return text;
}

void write_between_marks(const std::string& path, const std::string& table) {
  const std::string begin = "<!-- Written by bench_piles --write -->\n", end = "<!-- End of it -->";
  std::stringstream read;
  read << std::ifstream(path).rdbuf();
  std::string text = read.str();
  const std::size_t from = text.find(begin), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos) {
    std::cerr << path << " has no marks to write between\n";
    return;
  }
  text.replace(from + begin.size(), to - from - begin.size(), "\n" + table + "\n");
  std::ofstream(path) << text;
}

}  // namespace

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  Table table;
  const std::vector<test::PileScene> scenes = test::pile_scenes();
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const std::string name = "pile_problems/" + std::to_string(i) + "/" + scenes[i].name;
    const auto run = [&table, &scene = scenes[i]](benchmark::State& state) {
      for (auto _ : state) take_scene(scene, table);
    };
    benchmark::RegisterBenchmark(name.c_str(), run)->Iterations(1)->Unit(benchmark::kSecond);
  }
  if (benchmark::RunSpecifiedBenchmarks() == 0) return 0;
  const std::vector<std::string> rest(words + 1, words + count);
  if (rest.size() == 2 && rest[0] == "--write")
    write_between_marks(rest[1], to_text(table));
  else
    std::cout << to_text(table);
}
