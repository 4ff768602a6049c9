// `pequod run` and the folder it leaves.
#include <cmath>

#include "test/app/process.h"

namespace pequod::test {
namespace {

Finished run_crate(const Folder& folder, const std::string& output,
                   const std::vector<std::string>& more = {}) {
  folder.write("crate.yaml", kCrate);
  std::vector<std::string> words{"run", "crate.yaml", "--output", output};
  words.insert(words.end(), more.begin(), more.end());
  return pequod(folder, words);
}

}  // namespace

TEST_CASE("a run writes its folder, says where, and prints nothing else in a pipe") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const Finished finished = pequod(folder, {"run", "crate.yaml"});
  CHECK(finished.code == 0);
  CHECK(finished.err.empty());
  CHECK(finished.out.find("crate: finished, 0.5 s simulated in ") == 0);
  CHECK(finished.out.ends_with("  runs/crate\n"));
  for (const char* name :
       {"state.csv", "energy.csv", "events.csv", "contacts.csv", "checkpoint.bin", "summary.json"})
    CHECK_MESSAGE(fs::exists(folder.path() / "runs/crate" / name), name);
  CHECK_FALSE(fs::exists(folder.path() / "runs/crate/steps.csv"));
}

TEST_CASE("the logs share their times: 0, every multiple of `every`, and the end") {
  const Folder folder;
  REQUIRE(run_crate(folder, "out", {"--duration", "0.025"}).code == 0);
  const auto state = read_table(folder.path() / "out/state.csv");
  const auto energy = read_table(folder.path() / "out/energy.csv");
  REQUIRE(state.size() == 5);
  REQUIRE(energy.size() == 5);
  const double times[] = {0.0, 0.01, 0.02, 0.025};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(state[i + 1][0] == energy[i + 1][0]);
    CHECK(std::stod(state[i + 1][0]) == doctest::Approx(times[i]).epsilon(1e-12));
  }
  CHECK(state[0][1] == "crate.x");
  CHECK(state[0].back() == "crate.wz");
}

TEST_CASE("energy.csv adds up to its residual") {
  const Folder folder;
  REQUIRE(run_crate(folder, "out").code == 0);
  const auto rows = read_table(folder.path() / "out/energy.csv");
  REQUIRE(rows.size() == 52);
  const double initial = std::stod(rows[1][3]);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    double x[12];
    for (std::size_t c = 0; c < 12; ++c) x[c] = std::stod(rows[i][c]);
    CHECK(x[3] == doctest::Approx(x[1] + x[2]).epsilon(1e-12));
    const double residual = x[3] - initial - x[4] - x[5] + x[6] + x[7] + x[8] + x[9] + x[10];
    CHECK(std::abs(residual - x[11]) <= 1e-12 * std::abs(initial));
  }
}

TEST_CASE("the same scene twice gives the same bytes") {
  const Folder folder;
  REQUIRE(run_crate(folder, "a").code == 0);
  REQUIRE(run_crate(folder, "b").code == 0);
  CHECK(same_logs(folder.path() / "a", folder.path() / "b"));
}

TEST_CASE("--json prints summary.json and nothing else") {
  const Folder folder;
  const Finished finished = run_crate(folder, "out", {"--json"});
  CHECK(finished.code == 0);
  CHECK(finished.out == read_file(folder.path() / "out/summary.json"));
  CHECK(finished.out.find("\"status\": \"finished\"") != std::string::npos);
}

TEST_CASE("steps.csv has a row for every step of the summary") {
  const Folder folder;
  folder.write("crate.yaml", std::string("record: {steps: true}\n") + kCrate);
  const Finished finished = pequod(folder, {"run", "crate.yaml", "--output", "out", "--json"});
  REQUIRE(finished.code == 0);
  const auto rows = read_table(folder.path() / "out/steps.csv");
  const std::string steps = "\"steps\": " + std::to_string(rows.size() - 1) + ",";
  CHECK(finished.out.find(steps) != std::string::npos);
}

TEST_CASE("steps.csv tells what the wall time of each step went to") {
  const Folder folder;
  folder.write("crate.yaml", std::string("record: {steps: true}\n") + kCrate);
  REQUIRE(pequod(folder, {"run", "crate.yaml", "--output", "out"}).code == 0);
  const auto rows = read_table(folder.path() / "out/steps.csv");
  const std::vector<std::string> names(rows[0].end() - 4, rows[0].end());
  CHECK(names == std::vector<std::string>{"dynamics_time", "collision_time", "contact_time",
                                          "control_time"});
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      const double seconds = std::stod(rows[i][rows[i].size() - 4 + k]);
      CHECK(seconds >= 0.0);
      sum[k] += seconds;
    }
  for (std::size_t k = 0; k < 3; ++k) CHECK(sum[k] > 0.0);
  CHECK(sum[3] == 0.0);  // a crate has no controller
}

TEST_CASE("recording the steps changes no other log, and the same steps come again") {
  const Folder folder;
  REQUIRE(run_crate(folder, "plain").code == 0);
  folder.write("crate.yaml", std::string("record: {steps: true}\n") + kCrate);
  for (const char* output : {"a", "b"})
    REQUIRE(pequod(folder, {"run", "crate.yaml", "--output", output}).code == 0);
  CHECK(same_logs(folder.path() / "a", folder.path() / "b"));
  fs::remove(folder.path() / "a/steps.csv");
  CHECK(same_logs(folder.path() / "a", folder.path() / "plain"));
}

TEST_CASE("--resume on a missing folder starts afresh, on a finished run it changes nothing") {
  const Folder folder;
  REQUIRE(run_crate(folder, "out", {"--resume"}).code == 0);
  const fs::path summary = folder.path() / "out/summary.json";
  const std::string before = read_file(summary);
  const auto written = fs::last_write_time(summary);
  CHECK(run_crate(folder, "out", {"--resume"}).code == 0);
  CHECK(read_file(summary) == before);
  CHECK(fs::last_write_time(summary) == written);
}

TEST_CASE("--resume is refused once the scene, a file it names, or an option has changed") {
  const Folder folder;
  REQUIRE(run_crate(folder, "out").code == 0);
  const std::string energy = read_file(folder.path() / "out/energy.csv");
  const Finished option = run_crate(folder, "out", {"--resume", "--step", "0.002"});
  CHECK(option.code == 2);
  CHECK(option.err ==
        "pequod: out: cannot resume: the scene, a file it names, or an option changed since; run "
        "without --resume to start afresh\n");
  folder.write("crate.yaml", std::string(kCrate) + "gravity: [0, 0, -1.6]\n");
  CHECK(pequod(folder, {"run", "crate.yaml", "--output", "out", "--resume"}).code == 2);
  CHECK(read_file(folder.path() / "out/energy.csv") == energy);
}

TEST_CASE("a damaged checkpoint is refused") {
  const Folder folder;
  REQUIRE(run_crate(folder, "out").code == 0);
  std::string bytes = read_file(folder.path() / "out/checkpoint.bin");
  bytes[bytes.size() / 2] ^= 1;
  folder.write("out/checkpoint.bin", bytes);
  const Finished finished = run_crate(folder, "out", {"--resume"});
  CHECK(finished.code == 2);
  CHECK(finished.err ==
        "pequod: out/checkpoint.bin: is damaged; run without --resume to start afresh\n");
}

TEST_CASE("a folder that holds anything but a run is left alone") {
  const Folder folder;
  folder.write("mine/thesis.txt", "precious");
  const Finished finished = run_crate(folder, "mine");
  CHECK(finished.code == 2);
  CHECK(finished.err ==
        "pequod: mine: holds files that are no run of Pequod; choose another --output\n");
  CHECK(read_file(folder.path() / "mine/thesis.txt") == "precious");
  CHECK_FALSE(fs::exists(folder.path() / "mine/state.csv"));
  CHECK(run_crate(folder, "mine/thesis.txt").code == 2);
}

TEST_CASE("a new run replaces an old one and keeps what was put beside it") {
  const Folder folder;
  REQUIRE(run_crate(folder, "out", {"--duration", "0.1"}).code == 0);
  folder.write("out/plot.svg", "drawn later");
  REQUIRE(run_crate(folder, "out").code == 0);
  CHECK(read_table(folder.path() / "out/state.csv").size() == 52);
  CHECK(fs::exists(folder.path() / "out/plot.svg"));
}

}  // namespace pequod::test
