// pequod quasistatic and pequod fit as their users meet them.
#include <cmath>
#include <nlohmann/json.hpp>

#include "test/app/process.h"

namespace pequod::test {
namespace {

std::string example(const char* name) {
  return (fs::absolute("examples/quasistatic") / name).string();
}

const std::string kMatrices = R"(P: [[0, 1, 0], [-1, 0, 1]]
J: [[0], [1]]
mu: [0.5]
joint_velocity: [0.1]
d: [0, 0, -1, 0]
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("the published data set jams, and the program says that it is proved") {
  const Folder folder;
  const Finished finished = pequod(folder, {"quasistatic", example("pang_4.yaml"), "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json answer = nlohmann::json::parse(finished.out);
  CHECK(answer["status"] == "no-solution");
  CHECK(answer["method"] == "modes");
}

TEST_CASE("all solutions of a data set, and a drawing of one") {
  const Folder folder;
  const Finished finished = pequod(
      folder, {"quasistatic", example("pang_1.yaml"), "--all", "--json", "--plot", "one.svg"});
  CHECK(finished.code == 0);
  const nlohmann::json answer = nlohmann::json::parse(finished.out);
  REQUIRE(answer["solutions"].size() == 3);
  CHECK(answer["complete"] == true);
  CHECK(answer["solutions"][0]["modes"][1] == "slides-left");
  for (const nlohmann::json& one : answer["solutions"]) CHECK(one["unique_in_modes"] == true);
  CHECK(fs::file_size(folder.path() / "one.svg") > 1000);
}

// Coulomb's law on the floor and balance of the forces along both axes, to rounding of 10 N.
TEST_CASE("a pushed box slides with its finger, which bears the friction of the floor") {
  const Folder folder;
  const Finished finished = pequod(folder, {"quasistatic", example("pushed_box.yaml"), "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json one = nlohmann::json::parse(finished.out)["solutions"][0];
  CHECK(std::abs(one["object_velocity"][0].get<double>() - 0.01) < 1e-15);
  const double floor = one["c_n"][0].get<double>() + one["c_n"][1].get<double>();
  CHECK(std::abs(one["c_n"][2].get<double>() - 0.3 * floor) < 1e-13);
  CHECK(std::abs(floor + one["c_t"][2].get<double>() - 9.81) < 1e-13);
}

// Closed form in the scene file. The switch from rolling to sliding is seen where slip exceeds the
// 1e-9 of the linear programs, some 1e-6 s late, which RK4 does not mend: 1e-8 rad.
TEST_CASE("a lever turns about its corner as the finger under it rises") {
  const Folder folder;
  const Finished finished = pequod(folder, {"quasistatic", example("lever.yaml"), "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json motion = nlohmann::json::parse(finished.out)["motion"];
  const nlohmann::json last = motion["records"].back();
  CHECK(last["t"] == 3.0);
  const double angle = -last["configuration"][2].get<double>(), y = -0.005 + 0.02 * 3.0;
  CHECK(std::abs(0.38 * std::sin(angle) - y * std::cos(angle) - 0.005) < 1e-8);
  CHECK(motion["events"].back()["kind"] == "slides-right");
}

TEST_CASE("two fingers carry a box between them, the one that yields bearing its effort") {
  const Folder folder;
  const Finished finished = pequod(folder, {"quasistatic", example("two_fingers.yaml"), "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json last = nlohmann::json::parse(finished.out)["motion"]["records"].back();
  CHECK(std::abs(last["configuration"][0].get<double>() - 0.1) < 1e-12);
  CHECK(std::abs(last["c_n"][3].get<double>() - 1.0) < 1e-12);
}

TEST_CASE("what is wrong in a quasistatic file is told with its place") {
  const Folder folder;
  const auto said = [&](const std::string& text) {
    folder.write("p.yaml", text);
    const Finished finished = pequod(folder, {"quasistatic", "p.yaml"});
    CHECK(finished.code == 2);
    return finished.err;
  };
  CHECK(said(replaced(kMatrices, "mu:", "nu:")).find("p.yaml:3:1: error: unknown key \"nu\"") !=
        std::string::npos);
  CHECK(said(replaced(kMatrices, "[0, 0, -1, 0]", "[1, 0, -1, 0]"))
            .find("p.yaml:5:5: error: d: its first 1 numbers") != std::string::npos);
  CHECK(said(replaced(kMatrices, "[[0], [1]]", "[[0], [1], [2]]"))
            .find("p.yaml:2:4: error: J: 3 rows, but 1 contacts need 2") != std::string::npos);
  CHECK(said("object: {shape: {disk: {radius: 1}}}\n").find("nothing touches the object") !=
        std::string::npos);
}

// It stands on the corner where both fingers meet and is let down by a third: it turns about that
// corner, and no step is cut short. Four feet on edges would be found there, two of them by
// rounding.
TEST_CASE("a corner in the concave corner of two fingers has a contact with each, and stays") {
  const Folder folder;
  folder.write("corner.yaml",
               "object:\n"
               "  shape: {polygon: {points: [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]]}}\n"
               "  position: [0, 0]\n"
               "  angle: 0.6\n"
               "  force: [0, -5]\n"
               "  torque: -0.5\n"
               "fingers:\n"
               "  left:\n"
               "    shape: {polygon: {points: [[-1, -0.1], [0, -0.1], [0, 0], [-1, 0.2]]}}\n"
               "    friction: 0.9\n"
               "  right:\n"
               "    shape: {polygon: {points: [[0, -0.1], [1, -0.1], [1, 0.3], [0, 0]]}}\n"
               "    friction: 0.8\n"
               "  support:\n"
               // Its centre is 0.002 below the bottom edge, 0.15 from the corner.
               "    shape: {disk: {radius: 0.002}}\n"
               "    position: [0.12492962718324181, 0.08304569977943595]\n"
               "    friction: 0.1\n"
               "    joints: [{prismatic: [0, -1], velocity: 0.02}]\n"
               "motion: {duration: 1, step: 0.02}\n");
  const Finished finished = pequod(folder, {"quasistatic", "corner.yaml", "--json"});
  INFO(finished.err);
  REQUIRE(finished.code == 0);
  const nlohmann::json motion = nlohmann::json::parse(finished.out)["motion"];
  CHECK(motion["ended"] == "");
  CHECK(motion["records"].size() == 51);
  CHECK(motion["records"][0]["modes"].size() == 3);
  const nlohmann::json last = motion["records"].back()["configuration"];
  CHECK(std::hypot(last[0].get<double>(), last[1].get<double>()) < 1e-13);
  // The support stays at x and touches the edge: x sin(angle) − y cos(angle) = radius.
  const double angle = last[2].get<double>(), y = 0.08304569977943595 - 0.02;
  CHECK(std::abs(0.12492962718324181 * std::sin(angle) - y * std::cos(angle) - 0.002) < 1e-10);
}

TEST_CASE("rows of a contact LCP are learnt from a file of samples") {
  const Folder folder;
  std::string text = "x,lambda\n";
  for (int i = -10; i <= 10; ++i) {
    const double x = 0.1 * i;
    text += std::to_string(x) + "," + std::to_string(std::max(0.0, -2.0 * x)) + "\n";
  }
  folder.write("samples.csv", text);
  const Finished finished = pequod(folder, {"fit", "samples.csv", "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json row = nlohmann::json::parse(finished.out)["rows"][0];
  // w = x + λ/2, six digits printed.
  CHECK(std::abs(row["M"][0].get<double>() / row["W"][0].get<double>() - 0.5) < 1e-6);
  CHECK(row["undetermined"] == 0);
  folder.write("bad.csv", "x,lambda\n1,2\n1,nan\n");
  const Finished bad = pequod(folder, {"fit", "bad.csv"});
  CHECK(bad.code == 2);
  CHECK(bad.err.find("bad.csv:3") != std::string::npos);
}

TEST_CASE("rows of a contact LCP are learnt without its forces, and what is missing is said") {
  const Folder folder;
  std::string text = "x,next_x\n";
  for (int i = -20; i <= 20; ++i)
    text += std::to_string(0.1 * i) + "," + std::to_string(std::max(0.0, 0.1 * i - 0.5)) + "\n";
  folder.write("samples.csv", text);
  const Finished finished = pequod(folder, {"fit", "samples.csv", "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json law = nlohmann::json::parse(finished.out);
  // λ = next_x: 0 ≤ λ ⊥ λ − x + 0.5 ≥ 0, six digits printed.
  CHECK(std::abs(law["H"][0][0].get<double>() + 1.0) < 1e-5);
  CHECK(std::abs(law["H"][0][1].get<double>() - 0.5) < 1e-5);
  CHECK(law["undetermined"] == 0);
  folder.write("neither.csv", "x,y\n1,2\n");
  const Finished neither = pequod(folder, {"fit", "neither.csv"});
  CHECK(neither.code == 2);
  CHECK(neither.err.find("neither.csv:1:1: error: no column is called lambda") !=
        std::string::npos);
  const Finished many = pequod(folder, {"fit", "samples.csv", "--forces", "7"});
  CHECK(many.code == 2);
  CHECK(many.err.find("--forces: \"7\" is not a whole number from 1 to 6") != std::string::npos);
}

// The block slides half of the time; its logged forces have Coulomb's ratio to rounding.
TEST_CASE("the friction of a block is identified from its run folder") {
  const Folder folder;
  REQUIRE(pequod(folder, {"run", fs::absolute("examples/analytic/slide_to_rest.yaml").string(),
                          "--output", "slide", "--quiet"})
              .code == 0);
  const Finished finished = pequod(folder, {"fit", "slide", "--json"});
  CHECK(finished.code == 0);
  const nlohmann::json pair = nlohmann::json::parse(finished.out)["pairs"][0];
  CHECK(std::abs(pair["mu"].get<double>() - 0.4) < 1e-12);
  CHECK(pair["sliding"].get<int>() >= 100);
}

}  // namespace pequod::test
