// Every pair that `pequod list` offers runs on every robot to its end, the same way twice.
//
// One by itself: PEQUOD_PAIR=mara/trot/flat/rk4/viscous/acceleration/event-driven
// build/dev/test/test_pairs -tse=*long*,*shared* keeps its scene in runs/pair.yaml; a part of a
// name runs all that have it.
#include <doctest/doctest.h>
#include <malloc.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <span>

#include "test/pairs/pair.h"
#include "test/scene/fixture.h"
#include "test/simulation/random_run.h"
#include "test/support/children.h"

namespace pequod::test {
namespace {

constexpr int kWorkers = 2;
// s, after which a pair counts as stalled: the longest, by `drumwright-shell` for hulls of feet
// that rock on rough ground, takes 110 s. Sanitizers take ten times as long, and look for other
// things than two runs that differ.
#ifdef __SANITIZE_ADDRESS__
constexpr rlim_t kProcessorTime = 2400;
constexpr std::size_t kRuns = 1;
#else
constexpr rlim_t kProcessorTime = 240;
constexpr std::size_t kRuns = 2;
#endif

// In 1.5 s; feet of grams that creep at some mm/s turn at 1e5/s.
constexpr int kSteps = 1000000;

// Rounding of 1e-16 times the condition of a mass matrix, 1e5 for robots with feet of grams.
constexpr double kGain = 1e-11;

// Where fresh memory holds other bytes, whatever is read before it is written shows.
std::string run_pair(const Pair& pair, int filling) {
  mallopt(M_PERTURB, filling);
  const Folder folder;
  Diagnostics diagnostics;
  const Scenario scenario = load_scene(folder.write("pair.yaml", scene_of(pair)), {}, diagnostics);
  if (!diagnostics.ok()) return "refused: " + diagnostics.text();
  const Verdict verdict = judge(scenario, {.bounds = {.steps = kSteps, .problems = 20000000},
                                           .gain = kGain,
                                           .orders = false,
                                           .looks = 100});
  if (!verdict.failure.empty()) return verdict.failure + ": " + verdict.detail;
  return "bits " + std::to_string(verdict.bits);
}

// The first line of what a child tells, or how it ended.
std::string summary(const ChildEnd& end) {
  return end.failure.empty() ? end.text.substr(0, end.text.find('\n')) : end.failure;
}

// How the runs of one pair ended; empty if well and the same way.
std::string complaint(std::span<const ChildEnd> ends) {
  const std::string first = summary(ends.front());
  for (const ChildEnd& end : ends)
    if (const std::string other = summary(end); other != first)
      return "differs: " + first + ", and again: " + other;
  return first.starts_with("bits ") ? "" : first;
}

/// Runs each and tells each that does not end well, or not always the same way.
void check_pairs(const std::vector<Pair>& pairs) {
  const std::vector<ChildEnd> ends = run_in_children(
      kRuns * pairs.size(), kWorkers, kProcessorTime,
      [&](std::size_t i) { return run_pair(pairs[i / kRuns], i % kRuns == 0 ? 0x5a : 0xa5); });
  std::map<std::string, int> kinds;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string told = complaint(std::span(ends).subspan(i * kRuns, kRuns));
    if (told.empty()) continue;
    ++kinds[told.substr(0, told.find(':'))];
    std::cout << "PEQUOD_PAIR=" << name_of(pairs[i]) << ": " << told << '\n';
  }
  MESSAGE(pairs.size() << " pairs, each run " << kRuns << " times");
  for (const auto& [kind, number] : kinds) MESSAGE(kind << ": " << number);
  CHECK(kinds.empty());
}

std::vector<Pair> pairs_named(const std::string& part) {
  std::vector<PairRobot> robots = example_robots();
  if (const auto shared = shared_folder())
    for (const PairRobot& robot : public_robots(*shared)) robots.push_back(robot);
  std::vector<Pair> found;
  for (const Pair& pair : all_pairs(robots))
    if (name_of(pair).find(part) != std::string::npos) found.push_back(pair);
  return found;
}

}  // namespace

TEST_CASE("a sample of all pairs runs to its end, twice the same way") {
  const char* part = std::getenv("PEQUOD_PAIR");
  if (part == nullptr) return check_pairs(sample_of_pairs(example_robots()));
  const std::vector<Pair> pairs = pairs_named(part);
  REQUIRE_FALSE(pairs.empty());
  fs::create_directories("runs");
  std::ofstream("runs/pair.yaml") << scene_of(pairs.front());
  check_pairs(pairs);
}

TEST_SUITE("shared") {
  TEST_CASE("a sample of all pairs of public robots runs to its end, twice the same way") {
    if (const auto shared = shared_or_skip()) check_pairs(sample_of_pairs(public_robots(*shared)));
  }
}

TEST_SUITE("long") {
  TEST_CASE("all pairs run to their end, twice the same way") {
    check_pairs(all_pairs(example_robots()));
  }
}

TEST_SUITE("long-shared") {
  TEST_CASE("all pairs of public robots run to their end, twice the same way") {
    if (const auto shared = shared_or_skip()) check_pairs(all_pairs(public_robots(*shared)));
  }
}

}  // namespace pequod::test
