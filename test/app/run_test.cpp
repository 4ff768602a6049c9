// `pequod run` and the folder it leaves.
#include <chrono>
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

// Waits for a file, ten seconds at most.
bool appears(const fs::path& path) {
  for (int i = 0; i < 10000 && !fs::exists(path); ++i) ::usleep(1000);
  return fs::exists(path);
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
    double x[13];
    for (std::size_t c = 0; c < 13; ++c) x[c] = std::stod(rows[i][c]);
    CHECK(x[3] == doctest::Approx(x[1] + x[2]).epsilon(1e-12));
    const double residual =
        x[3] - initial - x[4] - x[5] + x[6] + x[7] + x[8] + x[9] + x[10] + x[11];
    CHECK(std::abs(residual - x[12]) <= 1e-12 * std::abs(initial));
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
        "pequod: out: cannot resume: integrator.step has changed since; only the duration may; run "
        "without --resume to start afresh\n");
  const auto resumed = [&](const std::string& scene) {
    folder.write("crate.yaml", scene);
    return pequod(folder, {"run", "crate.yaml", "--output", "out", "--resume"});
  };
  const Finished changed =
      resumed(std::string(kCrate) + "gravity: [0, 0, -1.6]\n" + "contact: {level: velocity}\n");
  CHECK(changed.code == 2);
  CHECK(changed.err.find("cannot resume: contact.level, gravity changed since") !=
        std::string::npos);
  std::string lighter = kCrate;
  lighter.replace(lighter.find("mass: 2"), 7, "mass: 1");
  CHECK(resumed(lighter).err.find("cannot resume: bodies.crate has changed since") !=
        std::string::npos);
  CHECK(resumed("# a comment changes nothing\n" + std::string(kCrate)).code == 0);
  CHECK(read_file(folder.path() / "out/energy.csv") == energy);
}

TEST_CASE("--resume with a longer duration extends a run with the bits of one that was never cut") {
  const Folder folder;
  REQUIRE(run_crate(folder, "whole", {"--duration", "0.6"}).code == 0);
  REQUIRE(run_crate(folder, "out", {"--duration", "0.2"}).code == 0);
  CHECK(run_crate(folder, "out", {"--resume", "--duration", "0.6"}).code == 0);
  CHECK(same_logs(folder.path() / "out", folder.path() / "whole"));
  const Finished shorter = run_crate(folder, "out", {"--resume", "--duration", "0.3"});
  CHECK(shorter.code == 2);
  CHECK(shorter.err ==
        "pequod: out: cannot resume: the run is at t = 0.6 s, beyond its end at 0.3 s; run "
        "without --resume to start afresh\n");
  // The end of the shorter run was no multiple of the records: its row goes.
  REQUIRE(run_crate(folder, "odd", {"--duration", "0.025"}).code == 0);
  CHECK(run_crate(folder, "odd", {"--resume", "--duration", "0.04"}).code == 0);
  const auto rows = read_table(folder.path() / "odd/state.csv");
  REQUIRE(rows.size() == 6);
  for (std::size_t i = 1; i < 6; ++i)
    CHECK(std::stod(rows[i][0]) == doctest::Approx(0.01 * static_cast<double>(i - 1)));
}

TEST_CASE("so does a trot, whose controller is called at the end of the shorter run") {
  const Folder folder;
  const std::string trot = fs::absolute("examples/quadruped/trot.yaml").string();
  const auto run = [&](const char* output, const char* duration, bool resume) {
    std::vector<std::string> words{"run", trot, "--output", output, "--duration", duration};
    if (resume) words.emplace_back("--resume");
    return pequod(folder, words).code;
  };
  REQUIRE(run("whole", "0.5", false) == 0);
  REQUIRE(run("out", "0.25", false) == 0);
  REQUIRE(run("out", "0.5", true) == 0);
  CHECK(same_logs(folder.path() / "out", folder.path() / "whole"));
}

TEST_CASE("a run that starts late is extended from its own end") {
  const Folder folder;
  folder.write("late.yaml", std::string(kCrate) + "start: 100\n");
  const auto run = [&](const char* output, const char* duration) {
    return pequod(folder,
                  {"run", "late.yaml", "--output", output, "--duration", duration, "--resume"})
        .code;
  };
  REQUIRE(run("whole", "0.4") == 0);
  REQUIRE(run("out", "0.2") == 0);
  CHECK(run("out", "0.4") == 0);
  CHECK(same_logs(folder.path() / "out", folder.path() / "whole"));
  CHECK(run("out", "0.3") == 2);
}

TEST_CASE("an interrupted run of another scene is not overwritten unasked") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const std::string other = std::string(kCrate) + "gravity: [0, 0, -1.6]\n";
  folder.write("moon.yaml", other);
  fs::remove(folder.path() / "out/checkpoint.bin");
  {
    Process process(folder, {"run", "crate.yaml", "--output", "out", "--duration", "1e6"});
    REQUIRE(appears(folder.path() / "out/checkpoint.bin"));
    process.send(SIGTERM);
    REQUIRE(process.wait().code == 130);
  }
  const Finished refused = pequod(folder, {"run", "moon.yaml", "--output", "out"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("pequod: out: holds an interrupted run of another scene, ") == 0);
  CHECK(refused.err.find("crate.yaml; choose another --output, or --overwrite it\n") !=
        std::string::npos);
  CHECK(pequod(folder, {"run", "crate.yaml", "--output", "out"}).code == 0);  // its own
  CHECK(pequod(folder, {"run", "moon.yaml", "--output", "out"}).code == 0);   // it is finished
  fs::remove(folder.path() / "out/checkpoint.bin");
  {
    Process process(folder, {"run", "crate.yaml", "--output", "out", "--duration", "1e6"});
    REQUIRE(appears(folder.path() / "out/checkpoint.bin"));
  }  // killed
  CHECK(pequod(folder, {"run", "moon.yaml", "--output", "out"}).code == 2);
  CHECK(pequod(folder, {"run", "moon.yaml", "--output", "out", "--overwrite"}).code == 0);
}

TEST_CASE("a folder below a file is bad input") {
  const Folder folder;
  folder.write("afile", "");
  const Finished finished = run_crate(folder, "afile/sub");
  CHECK(finished.code == 2);
  CHECK(finished.err == "pequod: afile/sub: cannot be a folder: afile is a file\n");
}

// 31 flush boxes that slide are 124 contacts, in one pyramid problem of a thousand unknowns.
TEST_CASE(
    "a signal in the middle of a long solve ends the run within half a second, to be resumed") {
  const Folder folder;
  std::string scene =
      "contact: {model: stewart-trinkle}\nbodies:\n  ground: {fixed: true, shape: {plane: {}}}\n"
      "robots:\n  chain:\n    base: {position: [0, 0, 0.2], velocity: [1, 0, 0]}\n    links:\n"
      "      l0: {mass: 1, shape: {box: {size: [0.1, 0.05, 0.05]}}}\n";
  for (int i = 1; i < 31; ++i)
    scene += "      l" + std::to_string(i) +
             ": {mass: 1, shape: {box: {size: [0.1, 0.05, 0.05]}}, joint: {parent: l" +
             std::to_string(i - 1) + ", position: [0.12, 0, 0], axis: [0, 1, 0]}}\n";
  folder.write("chain.yaml", scene);
  Process process(folder, {"run", "chain.yaml", "--output", "out"});
  REQUIRE(appears(folder.path() / "out/checkpoint.bin"));
  ::usleep(1500000);  // by then it has fallen
  const auto start = std::chrono::steady_clock::now();
  process.send(SIGTERM);
  const Finished finished = process.wait();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  MESSAGE("heard after ", taken.count(), " s");
  CHECK(finished.code == 130);
  CHECK(finished.err.find("interrupted at t = ") != std::string::npos);
  CHECK(finished.err.find("chain.yaml --output out --resume\n") != std::string::npos);
  CHECK(read_file(folder.path() / "out/summary.json").find("\"status\": \"interrupted\"") !=
        std::string::npos);
}

TEST_CASE("a robot walks along the heading of its start, and a fall is told") {
  const Folder folder;
  folder.write("dog.yaml",
               "duration: 0.6\nbodies:\n  ground: {fixed: true, shape: {plane: {}}}\nrobots:\n"
               "  dog:\n    urdf: " +
                   fs::absolute("examples/robots/mara.urdf").string() +
                   "\n    base: {orientation: {rpy: [1.9, 0, 3.14159265358979]}}\n"
                   "    controller: {type: trot}\n");
  const Finished finished = pequod(folder, {"run", "dog.yaml", "--output", "out"});
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  CHECK(finished.out.find("; it fell at 0.00 s\n") != std::string::npos);
  CHECK(read_file(folder.path() / "out/summary.json").find("\"fell_at_s\": 0.0") !=
        std::string::npos);
  const auto rows = read_table(folder.path() / "out/state.csv");
  const double moved = std::stod(rows.back()[1]) - std::stod(rows[1][1]);
  const std::size_t at = finished.out.find("dog walked ");
  REQUIRE(at != std::string::npos);
  CHECK(std::abs(std::stod(finished.out.substr(at + 11)) + moved) < 1e-3);  // it heads for −x

  const std::string trot = fs::absolute("examples/quadruped/trot.yaml").string();
  const Finished upright = pequod(folder, {"run", trot, "--duration", "0.5"});
  CHECK(upright.out.find(" walked ") != std::string::npos);
  CHECK(upright.out.find("fell") == std::string::npos);
  folder.write("doll.yaml", read_file(folder.path() / "dog.yaml"));
  std::string doll = read_file(folder.path() / "dog.yaml");
  doll.resize(doll.find("    controller:"));
  folder.write("doll.yaml", doll + "    joints: {\"*\": 0}\n");
  CHECK(pequod(folder, {"run", "doll.yaml"}).out.find("walked") == std::string::npos);
}

TEST_CASE("--resume is refused once a file that the scene names has changed") {
  const Folder folder;
  folder.write("field.dat", "2 2\n0 0\n0 0\n");
  folder.write("ball.yaml",
               "duration: 0.1\nbodies:\n"
               "  ground: {fixed: true, shape: {heightfield: {file: field.dat, size: [2, 2]}}}\n"
               "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.5]}\n");
  REQUIRE(pequod(folder, {"run", "ball.yaml", "--output", "out"}).code == 0);
  CHECK(pequod(folder, {"run", "ball.yaml", "--output", "out", "--resume"}).code == 0);
  folder.write("field.dat", "2 2\n0 0\n0 0.01\n");
  const Finished changed = pequod(folder, {"run", "ball.yaml", "--output", "out", "--resume"});
  CHECK(changed.code == 2);
  CHECK(changed.err.find("cannot resume") != std::string::npos);
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
