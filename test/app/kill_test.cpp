// Runs that are killed, interrupted, and gone on with.
#include <chrono>
#include <random>
#include <thread>

#include "test/app/process.h"

namespace pequod::test {
namespace {

const std::string kTrot = fs::absolute("examples/quadruped/trot.yaml").string();

// The trot with a row for every step, as a scene of the folder.
std::string trot_with_steps(const Folder& folder) {
  std::string scene = read_file(kTrot);
  const std::string robots = "../robots";
  scene.replace(scene.find(robots), robots.size(), fs::absolute("examples/robots").string());
  return folder.write("trot.yaml", scene + "record: {steps: true}\n").string();
}

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// Kills a run `kills` times at random instants, resumes it each time, and compares it with one that
// was left alone.
void kill_and_resume(int kills, const char* duration) {
  const Folder folder;
  const std::vector<std::string> words{"run", trot_with_steps(folder), "--duration", duration,
                                       "--quiet"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(pequod(folder, with({"--output", "whole"})).code == 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  const auto resume = with({"--output", "killed", "--resume", "--checkpoint-every", "0.01"});
  std::mt19937 random(20);
  double longest = 1.5 * whole.count() / kills;
  for (int caught = 0; caught < kills;) {
    Process process(folder, resume);
    sleep_for(std::uniform_real_distribution<double>(0.0, longest)(random));
    process.send(SIGKILL);
    if (process.wait().signal == SIGKILL) {
      ++caught;
      continue;
    }
    // It was done before, as on a machine that was busy when the whole run was timed: once more.
    fs::remove_all(folder.path() / "killed");
    longest *= 0.5;
  }
  REQUIRE(pequod(folder, resume).code == 0);
  CHECK(same_logs(folder.path() / "whole", folder.path() / "killed"));
}

}  // namespace

TEST_CASE("a run killed at random instants and resumed writes the same bytes") {
  kill_and_resume(3, "3");
}

TEST_SUITE("long") {
  TEST_CASE("a trot of 10 s killed at ten random instants and resumed writes the same bytes") {
    kill_and_resume(10, "10");
  }
}

TEST_CASE("Ctrl-C ends a run with a summary, exit code 130, and a folder to go on with") {
  const Folder folder;
  const std::vector<std::string> words{"run", kTrot, "--duration", "4", "--output"};
  const auto into = [&](const char* output, bool resume) {
    std::vector<std::string> all = words;
    all.emplace_back(output);
    if (resume) all.emplace_back("--resume");
    return all;
  };
  Process process(folder, into("stopped", false));
  while (!fs::exists(folder.path() / "stopped/checkpoint.bin")) sleep_for(0.001);
  process.send(SIGINT);
  const Finished stopped = process.wait();
  CHECK(stopped.code == 130);
  CHECK(stopped.err.find("interrupted at t = ") == 0);
  CHECK(stopped.err.find(" --resume\n") != std::string::npos);
  CHECK(read_file(folder.path() / "stopped/summary.json").find("\"status\": \"interrupted\"") !=
        std::string::npos);
  CHECK(pequod(folder, into("stopped", true)).code == 0);
  CHECK(pequod(folder, into("whole", false)).code == 0);
  CHECK(same_logs(folder.path() / "whole", folder.path() / "stopped"));
}

TEST_CASE("a second run may not write to a folder in use") {
  const Folder folder;
  Process first(folder, {"run", kTrot, "--duration", "1000", "--output", "out"});
  while (!fs::exists(folder.path() / "out/checkpoint.bin")) sleep_for(0.001);
  const Folder elsewhere;
  const Finished second =
      pequod(elsewhere, {"run", kTrot, "--output", (folder.path() / "out").string()});
  CHECK(second.code == 2);
  CHECK(second.err.find("another run is writing to this folder") != std::string::npos);
}

}  // namespace pequod::test
