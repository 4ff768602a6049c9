// pequod compare --resume, --jobs: what is done stays, and how many run at once changes nothing.
#include <algorithm>
#include <chrono>
#include <thread>

#include "test/app/comparison_rows.h"

namespace pequod::test {
namespace {

const std::vector<std::string> kCompareCrate{"compare",       "crate.yaml",
                                             "--integrators", "symplectic-euler,rk4",
                                             "--models",      "no-slip,coulomb",
                                             "--steps",       "0.002,0.001",
                                             "--output",      "out"};

Finished compare_crate(const Folder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> words = kCompareCrate;
  words.insert(words.end(), more.begin(), more.end());
  return pequod(folder, words);
}

std::map<fs::path, std::string> logs_below(const fs::path& folder) {
  std::map<fs::path, std::string> logs;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename() == "state.csv") logs[entry.path()] = read_file(entry.path());
  return logs;
}

std::map<fs::path, fs::file_time_type> times_below(const fs::path& folder) {
  std::map<fs::path, fs::file_time_type> times;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().parent_path() != folder)
      times[entry.path()] = fs::last_write_time(entry.path());
  return times;
}

}  // namespace

TEST_CASE("a comparison that goes on leaves runs that are done as they are") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const fs::path out = folder.path() / "out";
  REQUIRE(compare_crate(folder, {}).code == 0);
  const auto times = times_below(out);
  const std::vector<ComparedRow> rows = read_comparison(out / "comparison.csv");
  REQUIRE(rows.size() == 8);

  const Finished again = compare_crate(folder, {"--resume"});
  CHECK_MESSAGE(again.code == 0, again.err);
  CHECK(times_below(out) == times);
  CHECK(read_comparison(out / "comparison.csv") == rows);

  const auto logs = logs_below(out);
  fs::remove_all(out / "rk4-coulomb-0.001");
  CHECK(compare_crate(folder, {"--resume"}).code == 0);
  CHECK(logs_below(out) == logs);
  auto after = times_below(out);
  int kept = 0;
  for (const auto& [path, time] : times) kept += after[path] == time ? 1 : 0;
  const std::size_t of_a_run = times.size() / 8;
  CHECK(static_cast<std::size_t>(kept) == times.size() - of_a_run);
}

TEST_CASE("a comparison that goes on with a changed scene refuses each run, with what changed") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  REQUIRE(compare_crate(folder, {}).code == 0);
  std::string changed = kCrate;
  changed.replace(changed.find("mass: 2"), 7, "mass: 3");
  folder.write("crate.yaml", changed);
  CHECK(compare_crate(folder, {"--resume"}).code == 1);
  for (const ComparedRow& row : read_comparison(folder.path() / "out/comparison.csv")) {
    CHECK(row.at("status") == "refused");
    CHECK(row.at("reason").find("bodies.crate") != std::string::npos);
  }
  CHECK(compare_crate(folder, {}).code == 0);  // afresh
}

TEST_CASE("a comparison that goes on refuses a finished run whose log was changed, and no other") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  REQUIRE(compare_crate(folder, {}).code == 0);
  const std::string log = "out/rk4-coulomb-0.001/state.csv";
  std::string rows = read_file(folder.path() / log);
  std::fill(rows.end() - 100, rows.end() - 1, '0');
  folder.write(log, rows);
  CHECK(compare_crate(folder, {"--resume"}).code == 1);
  int refused = 0;
  for (const ComparedRow& row : read_comparison(folder.path() / "out/comparison.csv")) {
    if (row.at("status") == "finished") continue;
    ++refused;
    CHECK(row.at("status") == "refused");
    CHECK(row.at("reason").find(log) != std::string::npos);
    CHECK(row.at("reason").find("the log was changed since the run wrote it") != std::string::npos);
  }
  CHECK(refused == 1);
  CHECK(compare_crate(folder, {}).code == 0);  // afresh
}

TEST_CASE("a comparison that is interrupted ends with 130, and goes on to the same logs") {
  const Folder folder;
  const std::string scene = fs::absolute("examples/quadruped/trot.yaml").string();
  const auto words = [&](const char* output) {
    return std::vector<std::string>{"compare",  scene,  "--duration", "3", "--steps", "1e-3,5e-4",
                                    "--output", output, "--jobs",     "1", "--quiet"};
  };
  REQUIRE(pequod(folder, words("whole")).code == 0);
  Process process(folder, words("cut"));
  // Until the first run has begun to write.
  for (int i = 0; i < 500 && logs_below(folder.path()).size() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  process.send(SIGINT);
  CHECK(process.wait().code == 130);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "cut/comparison.csv");
  CHECK(std::ranges::any_of(
      rows, [](const ComparedRow& row) { return row.at("status") == "interrupted"; }));
  std::vector<std::string> on = words("cut");
  on.emplace_back("--resume");
  const Finished resumed = pequod(folder, on);
  CHECK_MESSAGE(resumed.code == 0, resumed.err);
  for (const auto& entry : fs::directory_iterator(folder.path() / "whole"))
    if (entry.is_directory())
      CHECK(same_logs(entry.path(), folder.path() / "cut" / entry.path().filename()));
}

TEST_CASE(
    "a second comparison may not write to a folder in use, and may once the first has ended") {
  const Folder folder;
  const std::string scene = fs::absolute("examples/quadruped/trot.yaml").string();
  const auto words = [&](const char* duration) {
    return std::vector<std::string>{"compare",  scene, "--duration", duration,
                                    "--output", "out", "--quiet"};
  };
  Process first(folder, words("1000"));
  while (logs_below(folder.path()).empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Folder elsewhere;
  std::vector<std::string> same = words("0.01");
  same[5] = (folder.path() / "out").string();
  const Finished second = pequod(elsewhere, same);
  CHECK(second.code == 2);
  CHECK(second.err == "pequod: " + same[5] +
                          ": another comparison is writing to this folder; wait for it or choose "
                          "another --output\n");
  first.send(SIGINT);
  CHECK(first.wait().code == 130);
  const Finished third = pequod(elsewhere, same);
  CHECK_MESSAGE(third.code == 0, third.err);
}

TEST_CASE("how many runs of a comparison go on at once changes none of them") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  REQUIRE(compare_crate(folder, {"--jobs", "1"}).code == 0);
  const auto logs = logs_below(folder.path() / "out");
  REQUIRE(compare_crate(folder, {"--jobs", "3"}).code == 0);
  CHECK(logs_below(folder.path() / "out") == logs);
  CHECK(compare_crate(folder, {"--jobs", "0"}).code == 2);
  CHECK(compare_crate(folder, {"--jobs", "two"}).code == 2);
  CHECK(compare_crate(folder, {"--error", "small"}).code == 2);
}

TEST_CASE("a pair that is named twice is run once") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  CHECK(compare_crate(folder, {"--steps", "0.001"}).code == 0);
  CHECK(read_comparison(folder.path() / "out/comparison.csv").size() == 8);
}

}  // namespace pequod::test
