// What goes wrong during a run: exit code 1, the reason said, the last good state kept.
#include "simulation/record/checkpoint.h"
#include "test/app/process.h"

namespace pequod::test {
namespace {

const char* const kArm = R"(duration: 1
robots:
  arm:
    base: {fixed: true}
    links:
      foot: {mass: 1, shape: {sphere: {radius: 0.1}}}
      rod:
        mass: 1
        shape: {capsule: {radius: 0.02, length: 0.5}}
        joint: {name: elbow, parent: foot, axis: [0, 1, 0]}
)";

Finished run_arm(const Folder& folder, const std::string& controller) {
  folder.write("arm.yaml", std::string(kArm) + "    controller: " + controller + "\n");
  return pequod(folder, {"run", "arm.yaml", "--output", "out"});
}

}  // namespace

TEST_CASE("dynamics that blow up fail the run with the last good state kept") {
  const Folder folder;
  folder.write("torque.csv", "t, elbow\n0, 1\n0.5, 1e308\n");
  const Finished finished = run_arm(folder, "{type: torque, file: torque.csv}");
  CHECK(finished.code == 1);
  CHECK(finished.err.find("not finite") != std::string::npos);
  CHECK(finished.err.find("kept in out") != std::string::npos);
  const auto rows = read_table(folder.path() / "out/state.csv");
  CHECK(rows.size() > 50);
  for (const std::vector<std::string>& row : rows)
    for (const std::string& cell : row) CHECK(cell.find("nan") == std::string::npos);

  // Resumed, it fails again at the same place.
  const Finished again = pequod(folder, {"run", "arm.yaml", "--output", "out", "--resume"});
  CHECK(again.code == 1);
  CHECK(again.err == finished.err);
  CHECK(read_table(folder.path() / "out/state.csv") == rows);
}

namespace {

// A chain that hangs from the world, its links pulled sideways by their own weight.
std::string damped_chain(int links, double damping, const std::string& method) {
  std::string text = "duration: 0.2\nintegrator: {method: " + method +
                     ", step: 0.001}\nrobots:\n  chain:\n    base: {fixed: true}\n    links:\n"
                     "      l0: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n";
  for (int i = 1; i <= links; ++i)
    text += "      l" + std::to_string(i) +
            ": {mass: 0.02, com: [0.01, 0, 0], inertia: {ixx: 1e-7, iyy: 7e-7, izz: 7e-7}, joint: "
            "{name: j" +
            std::to_string(i) + ", parent: l" + std::to_string(i - 1) +
            ", type: continuous, axis: [0, 1, 0], position: [0.02, 0, 0], damping: " +
            std::to_string(damping) + "}, shape: {sphere: {radius: 0.005}}}\n";
  return text;
}

}  // namespace

TEST_CASE("joint damping that is too stiff for the step ends the run with the cause") {
  for (const auto& damped : {std::pair<std::string, double>{"symplectic-euler", 1e-3},
                             {"symplectic-euler", 4e-2},
                             {"rk4", 2e-3}}) {
    const std::string& method = damped.first;
    const double damping = damped.second;
    CAPTURE(method);
    CAPTURE(damping);
    const Folder folder;
    folder.write("chain.yaml", damped_chain(60, damping, method));
    const Finished finished = pequod(folder, {"run", "chain.yaml", "--output", "out", "--quiet"});
    CHECK(finished.signal == 0);
    CHECK(finished.code == 1);
    CAPTURE(finished.err);
    CHECK(finished.err.find("damping") != std::string::npos);
    CHECK(finished.err.find("too stiff") != std::string::npos);
    CHECK(finished.err.find("shorten it to") != std::string::npos);
    CHECK(finished.err.find("is kept in out") != std::string::npos);
  }
}

TEST_CASE("the same chain with less damping is simulated") {
  const Folder folder;
  folder.write("chain.yaml", damped_chain(60, 1e-5, "symplectic-euler"));
  CHECK(pequod(folder, {"run", "chain.yaml", "--output", "out", "--quiet"}).code == 0);
}

TEST_CASE("a full disk is an error with the file's name") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  fs::create_directories(folder.path() / "out");
  fs::create_symlink("/dev/full", folder.path() / "out/energy.csv");
  const Finished finished = pequod(folder, {"run", "crate.yaml", "--output", "out"});
  CHECK(finished.code == 1);
  CHECK(finished.err.find("out/energy.csv: cannot write: No space left on device\n"
                          "  no state is kept in out: --resume would start afresh\n") !=
        std::string::npos);
}

TEST_CASE("a log that reaches the limit of its size ends with a whole line") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const rlimit limit{8000, 8000};
  const Finished finished = pequod(
      folder,
      {"run", "crate.yaml", "--output", "out", "--duration", "5", "--checkpoint-every", "60"},
      [&] { ::setrlimit(RLIMIT_FSIZE, &limit); });
  CHECK(finished.code == 1);
  CHECK(finished.err.find("cannot write: File too large") != std::string::npos);
  const auto rows = read_table(folder.path() / "out/state.csv");
  REQUIRE(rows.size() > 10);
  for (const std::vector<std::string>& row : rows) CHECK(row.size() == rows[0].size());

  // What is told is the state of the checkpoint, not the last one in memory.
  const double kept = decode(read_file(folder.path() / "out/checkpoint.bin")).state.t;
  CHECK(kept == 0.0);
  CHECK(finished.err.find("the state at t = 0 s is kept in out\n") != std::string::npos);
  CHECK(read_file(folder.path() / "out/summary.json").find("\"simulated_time_s\": 0.0,") !=
        std::string::npos);
  const auto run = [&](const char* output, const char* more) {
    return pequod(folder, {"run", "crate.yaml", "--output", output, "--duration", "5", more}).code;
  };
  CHECK(run("out", "--resume") == 0);
  CHECK(run("whole", "--quiet") == 0);
  CHECK(same_logs(folder.path() / "whole", folder.path() / "out"));
}

TEST_CASE("a finished run that cannot be gone on with is left as it was") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const auto run = [&](const char* output, const char* duration, rlim_t most) {
    const rlimit limit{most, most};
    return pequod(folder,
                  {"run", "crate.yaml", "--output", output, "--duration", duration, "--resume"},
                  [&] { ::setrlimit(RLIMIT_FSIZE, &limit); });
  };
  CHECK(run("out", "0.5", RLIM_INFINITY).code == 0);
  const Finished full = run("out", "1", 100);
  CHECK(full.code == 1);
  CHECK(full.err.find("cannot write: File too large") != std::string::npos);
  const Finished again = run("out", "1", RLIM_INFINITY);
  CHECK_MESSAGE(again.code == 0, again.err);
  CHECK(run("whole", "1", RLIM_INFINITY).code == 0);
  CHECK(same_logs(folder.path() / "whole", folder.path() / "out"));
}

TEST_CASE("an output that cannot be made is an error with the reason") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const Finished finished = pequod(folder, {"run", "crate.yaml", "--output", "/proc/nowhere/out"});
  CHECK(finished.code == 1);
  CHECK(finished.err ==
        "pequod: error: /proc/nowhere/out: cannot create the folder: No such file or directory\n");
}

TEST_CASE("a result that nobody takes is an error") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const auto to_full_disk = [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  const Finished run = pequod(folder, {"run", "crate.yaml"}, to_full_disk);
  CHECK(run.code == 1);
  CHECK(run.err == "pequod: error: standard output: cannot write: No space left on device\n");
  const auto to_closed_pipe = [] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
  };
  CHECK(pequod(folder, {"list"}, to_closed_pipe).err ==
        "pequod: error: standard output: cannot write: Broken pipe\n");
}

TEST_CASE("a scene that is wrong leaves no folder behind") {
  const Folder folder;
  folder.write("bad.yaml", "durration: 1\n");
  const Finished finished = pequod(folder, {"run", "bad.yaml", "--output", "out"});
  CHECK(finished.code == 2);
  CHECK(finished.err.find("did you mean \"duration\"?") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "out"));
}

}  // namespace pequod::test
