// pequod compare: every integrator, model and step of one scene, side by side.
#include <cmath>

#include "test/app/comparison_rows.h"

namespace pequod::test {
namespace {

// A ball slides on the plane and slows down: smooth under viscous friction.
constexpr const char* kSlidingBall =
    "duration: 0.4\n"
    "record: {every: 0.1}\n"
    "contact: {model: viscous}\n"
    "bodies:\n"
    "  ground: {fixed: true, shape: {plane: {}}}\n"
    "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [1, 0, "
    "0]}\n"
    "surfaces: [{between: ['*', '*'], friction: 0.3, viscous: 2.0}]\n";

}  // namespace

// Models at the acceleration level keep the integrator's order, those at the velocity level have
// order one.
TEST_CASE("a comparison measures the order of each pair and leaves every run's folder") {
  const Folder folder;
  folder.write("ball.yaml", kSlidingBall);
  const Finished finished =
      pequod(folder, {"compare", "ball.yaml", "--integrators", "symplectic-euler,rk4", "--models",
                      "viscous,stewart-trinkle", "--steps", "0.02,0.01,0.005", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 12);
  int orders = 0;
  for (const ComparedRow& row : rows) {
    CHECK(row.at("status") == "finished");
    CHECK(row.at("solver") == (row.at("model") == "stewart-trinkle" ? "auto" : "dual"));
    if (row.at("step").substr(0, 5) != "0.005" && row.at("step").substr(0, 5) != "0.0050") continue;
    ++orders;
    const bool fourth = row.at("integrator") == "rk4" && row.at("model") == "viscous";
    INFO(row.at("integrator") << " x " << row.at("model"));
    CHECK(std::abs(std::stod(row.at("order")) - (fourth ? 4.0 : 1.0)) < 0.3);
  }
  CHECK(orders == 4);
  CHECK(fs::exists(folder.path() / "out/rk4-viscous-0.01/state.csv"));
  CHECK(finished.out.find("comparison.csv") != std::string::npos);
}

// One metre a second ahead, a quarter to the left of where it looks.
TEST_CASE("drift is what goes across the heading of the start") {
  const Folder folder;
  const double yaw = 0.5, ahead = 1.0, left = 0.25;
  const double vx = std::cos(yaw) * ahead - std::sin(yaw) * left,
               vy = std::sin(yaw) * ahead + std::cos(yaw) * left;
  folder.write("ball.yaml",
               "gravity: [0, 0, 0]\nduration: 0.4\nbodies:\n"
               "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [3, 1, 5],\n"
               "    orientation: {rpy: [0, 0, 0.5]}, velocity: [" +
                   std::to_string(vx) + ", " + std::to_string(vy) + ", 0]}\n");
  const Finished finished = pequod(folder, {"compare", "ball.yaml", "--integrators", "rk4",
                                            "--models", "frictionless", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 1);
  CHECK(std::stod(rows[0].at("drift_m")) == doctest::Approx(0.4 * left).epsilon(1e-5));
}

TEST_CASE("a pair that cannot run is a row with its reason, and exit code 1") {
  const Folder folder;
  std::string scene = kSlidingBall;
  scene.replace(scene.find("{model: viscous}"), 16, "{model: no-slip, scheme: time-stepping}");
  folder.write("ball.yaml", scene);
  const Finished finished =
      pequod(folder, {"compare", "ball.yaml", "--models", "no-slip,viscous", "--output", "out"});
  CHECK(finished.code == 1);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 2);
  CHECK(row_of(rows, "no-slip").at("status") == "finished");
  CHECK(row_of(rows, "viscous").at("status") == "refused");
  CHECK(row_of(rows, "viscous").at("reason").find("contact.scheme") != std::string::npos);
}

TEST_CASE("a comparison with an unknown name or a bad step is refused with what was meant") {
  const Folder folder;
  folder.write("ball.yaml", kSlidingBall);
  const Finished name = pequod(folder, {"compare", "ball.yaml", "--models", "viscos"});
  CHECK(name.code == 2);
  CHECK(name.err.find("did you mean \"viscous\"?") != std::string::npos);
  CHECK(pequod(folder, {"compare", "ball.yaml", "--steps", "0"}).code == 2);
  CHECK(pequod(folder, {"compare"}).code == 2);
}

TEST_CASE("rows that would cut steps are moved, so that a comparison measures the order") {
  const Folder folder;
  std::string scene = kSlidingBall;
  scene.replace(scene.find("every: 0.1"), 10, "every: 0.01");  // would cut 4 ms into 4 + 4 + 2
  folder.write("ball.yaml", scene);
  const Finished finished = pequod(folder, {"compare", "ball.yaml", "--duration", "0.24", "--steps",
                                            "0.004,0.002,0.001", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 3);
  CHECK(std::abs(std::stod(rows[2].at("order")) - 1.0) < 0.05);
  CHECK(std::stod(rows[0].at("effective_step")) == doctest::Approx(0.004));
  CHECK(rows[0].at("steps") == "60");
  CHECK(finished.out.find("note: rows every 0.012 s in place of 0.01 s") != std::string::npos);
}

TEST_CASE("steps that rows must cut have no order") {
  const Folder folder;
  folder.write("ball.yaml", kSlidingBall);
  const Finished finished = pequod(folder, {"compare", "ball.yaml", "--steps",
                                            "0.03,0.0173205080756888,0.01", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  for (const ComparedRow& row : read_comparison(folder.path() / "out/comparison.csv"))
    CHECK((row.count("order") == 0 || row.at("order").empty()));
  CHECK(finished.out.find("note: steps of 0.03 s are cut to 0.025 s in the mean by rows every 0.1 "
                          "s") != std::string::npos);
}

TEST_CASE("a comparison of what is exact at any step says so") {
  const Folder folder;
  folder.write("ball.yaml",
               "duration: 0.4\n"
               "bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}, velocity: [1, 0, 5]}}\n");
  const Finished finished = pequod(folder, {"compare", "ball.yaml", "--integrators", "rk4",
                                            "--steps", "0.04,0.02,0.01", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 3);
  CHECK(rows[2].at("order") == "exact");
  CHECK(finished.out.find(" exact ") != std::string::npos);
}

TEST_CASE("steps that a controller's ticks cut are told as what they are") {
  const Folder folder;
  const std::string scene = fs::absolute("examples/quadruped/trot.yaml").string();
  const Finished finished = pequod(folder, {"compare", scene, "--duration", "0.024", "--steps",
                                            "0.004,0.002,0.001", "--output", "out"});
  CHECK_MESSAGE(finished.code == 0, finished.err);
  const std::vector<ComparedRow> rows = read_comparison(folder.path() / "out/comparison.csv");
  REQUIRE(rows.size() == 3);
  for (const ComparedRow& row : rows)
    CHECK(std::stod(row.at("effective_step")) == doctest::Approx(0.001));
  CHECK((rows[2].count("order") == 0 || rows[2].at("order").empty()));
  CHECK(finished.out.find("note: steps of 0.004 s are cut to 0.001 s by ticks of mara.trot every "
                          "0.001 s") != std::string::npos);
  CHECK(read_file(folder.path() / "out/symplectic-euler-no-slip-0.004/summary.json")
            .find("\"effective_step\": 0.001") != std::string::npos);
}

}  // namespace pequod::test
