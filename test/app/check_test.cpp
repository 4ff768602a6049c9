// What `pequod check` tells of a scene that is right, against what is known by hand.
#include <nlohmann/json.hpp>

#include "test/app/process.h"

namespace pequod::test {
namespace {

// A crate on the ground, a ball 0.3 m above it, two walls, and an arm of two links.
constexpr const char* kKnownScene = R"(duration: 2
integrator: {method: symplectic-euler, step: 0.002}
contact: {model: viscous}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  wall: {fixed: true, shape: {plane: {normal: [1, 0, 0], offset: -3}}}
  crate: {mass: 2, shape: {box: {size: [0.4, 0.4, 0.2]}}, position: [0, 0, 0.1]}
  ball: {mass: 0.5, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.6]}
robots:
  arm:
    base: {fixed: true, position: [2, 0, 1]}
    links:
      mount: {shape: {sphere: {radius: 0.05}}}
      upper: {mass: 1, shape: {sphere: {radius: 0.05}}, joint: {parent: mount, type: revolute, axis: [0, 1, 0], position: [0.3, 0, 0], damping: 0.5}}
      lower: {mass: 1, shape: {sphere: {radius: 0.05}}, joint: {parent: upper, type: prismatic, axis: [1, 0, 0], position: [0.3, 0, 0]}}
    controller: {type: pd, kp: 400, kd: 4, period: 0.004}
surfaces: [{between: ["*", "*"], viscous: 50}]
)";

nlohmann::json checked(const Folder& folder, const std::string& scene) {
  const Finished finished = pequod(folder, {"check", scene, "--json"});
  REQUIRE(finished.code == 0);
  return nlohmann::json::parse(finished.out);
}

}  // namespace

TEST_CASE("check tells what moves and what may touch") {
  const Folder folder;
  folder.write("known.yaml", kKnownScene);
  const nlohmann::json said = checked(folder, "known.yaml");
  const nlohmann::json& meaning = said["meaning"];
  CHECK(said["errors"] == 0);
  CHECK(meaning["bodies"]["fixed"] == nlohmann::json({"ground", "wall"}));
  CHECK(meaning["bodies"]["free"] == nlohmann::json({"crate", "ball"}));
  CHECK(meaning["robots"][0]["degrees_of_freedom"] == 2);
  CHECK(meaning["joints"]["degrees_of_freedom"] == 14);
  CHECK(meaning["joints"]["revolute"] == 1);
  CHECK(meaning["joints"]["prismatic"] == 1);
  CHECK(meaning["mass"]["total_kg"].get<double>() == doctest::Approx(4.5));
  CHECK(meaning["contact"]["level"] == "acceleration");
  // Seven shapes, 21 pairs: ground, wall and mount are fixed (3), upper and lower are one robot's
  // with mount (3), the other 15 may touch.
  CHECK(meaning["pairs"]["both_fixed"] == 3);
  CHECK(meaning["pairs"]["inside_one_robot"] == 3);
  CHECK(meaning["pairs"]["may_touch"] == 15);
}

// A chain of links a, b, c, d on a fixed mount with self-collision, d tied to b by a loop, and c to
// pass through the post. Of 15 pairs: post and mount are fixed; neighbours are mount-a, a-b, b-c
// and c-d; post-c is ruled out; b-d is joined by the loop.
TEST_CASE("check tells why pairs may not touch") {
  const Folder folder;
  std::string links, above = "mount";
  for (const char* name : {"a", "b", "c", "d"}) {
    links += std::string("      ") + name +
             ": {mass: 1, shape: {sphere: {radius: 0.05}}, joint: {parent: " + above +
             ", type: revolute, axis: [0, 1, 0], position: [0.3, 0, 0]}}\n";
    above = name;
  }
  folder.write(
      "chain.yaml",
      "bodies: {post: {fixed: true, shape: {sphere: {radius: 0.1}}, position: [0, 9, 0]}}\n"
      "robots:\n  r:\n    base: {fixed: true}\n    self_collision: true\n    links:\n"
      "      mount: {shape: {sphere: {radius: 0.05}}}\n" +
          links +
          "collide: [[post, r/c, false]]\n"
          "loops: [{between: [r/b, r/d], type: spherical, points: [[0.6, 0, 0], [0, 0, 0]]}]\n");
  const nlohmann::json pairs = checked(folder, "chain.yaml")["meaning"]["pairs"];
  CHECK(pairs["both_fixed"] == 1);
  CHECK(pairs["joined_by_joint"] == 4);
  CHECK(pairs["ruled_out"] == 1);
  CHECK(pairs["joined_by_loop"] == 1);
  CHECK(pairs["may_touch"] == 15 - 7);
}

TEST_CASE("check tells gaps at the start, smallest first") {
  const Folder folder;
  folder.write("known.yaml", kKnownScene);
  const nlohmann::json start = checked(folder, "known.yaml")["meaning"]["start"];
  REQUIRE(start["touching"].size() == 1);
  CHECK(start["touching"][0]["a"] == "ground");
  CHECK(start["touching"][0]["b"] == "crate");
  // The ball is 0.3 m over the crate, 0.5 m over the ground; the arm 0.95 m over the ground.
  const std::vector<std::pair<std::string, double>> expected{{"crate – ball", 0.3},
                                                             {"ground – ball", 0.5},
                                                             {"ground – arm/upper", 0.95},
                                                             {"ground – arm/lower", 0.95}};
  REQUIRE(start["open"].size() == expected.size());
  for (std::size_t i = 0; i < 2; ++i) {
    const nlohmann::json& gap = start["open"][i];
    CHECK(gap["a"].get<std::string>() + " – " + gap["b"].get<std::string>() == expected[i].first);
    CHECK(gap["gap_m"].get<double>() == doctest::Approx(expected[i].second).epsilon(1e-9));
  }
  for (std::size_t i = 2; i < expected.size(); ++i)
    CHECK(start["open"][i]["gap_m"].get<double>() == doctest::Approx(0.95).epsilon(1e-9));
}

// Four corners of a crate of 2 kg, μv = 50: λ = 4 · 50 / 2 along the ground, and about its own
// vertical axis 4 · 50 · r²/I with r² = 2 · 0.2² and I = 2 (0.4² + 0.4²)/12: three times that.
TEST_CASE("check tells how long a step may be") {
  const Folder folder;
  folder.write("known.yaml", kKnownScene);
  const nlohmann::json meaning = checked(folder, "known.yaml")["meaning"];
  const double rate = 300.0;
  CHECK(meaning["friction"]["rate_per_s"].get<double>() == doctest::Approx(rate).epsilon(1e-9));
  CHECK(meaning["friction"]["longest_stable_step_s"].get<double>() ==
        doctest::Approx(2.0 / rate).epsilon(1e-9));
  // Upper and lower, spheres of 1 kg at 0 and 0.3 m from the joint.
  const double inertia = 2.0 * 0.4 * 0.05 * 0.05 + 0.3 * 0.3;
  CHECK(meaning["damping"]["rate_per_s"].get<double>() ==
        doctest::Approx(0.5 / inertia).epsilon(1e-9));
  // The slider of 1 kg has no damping of its own: two steps a period, (1 − c) T kp < kd with
  // c = 3/4, T < 4 kd/kp.
  CHECK(meaning["gains"][0]["longest_stable_period_s"].get<double>() > 0.01);
}

TEST_CASE("check reads at a glance") {
  const Folder folder;
  folder.write("known.yaml", kKnownScene);
  const std::string text = pequod(folder, {"check", "known.yaml"}).out;
  for (const char* line :
       {"\n  bodies      2 fixed (ground, wall), 2 free (crate, ball)\n",
        "\n  robots      arm: 3 links, 2 moving, fixed base, 2 degrees of freedom; arm.pd every "
        "0.004 s\n",
        "\n  joints      1 prismatic, 1 revolute; 14 degrees of freedom in all\n",
        "\n  mass        4.5 kg that moves: crate 2, ball 0.5, arm 2\n",
        "\n  pairs       15 of 21 pairs of shapes may touch; others: 3 both fixed, 3 inside one "
        "robot\n",
        "\n  start       1 pair touches: ground – crate\n",
        "\n  friction    viscous, decays at 300 1/s at the start; symplectic-euler (h λ ≤ 2) is "
        "stable with steps up to 0.006667 s\n"})
    CHECK_MESSAGE(("\n" + text).find(line) != std::string::npos, text);
  CHECK(text.ends_with("known.yaml: 0 errors, 0 warnings\n"));
}

TEST_CASE("check of a scene that is wrong tells its errors and no meaning, as JSON too") {
  const Folder folder;
  folder.write("bad.yaml", "durration: 1\nbodies:\n  crate: {mas: 2}\n");
  const Finished finished = pequod(folder, {"check", "bad.yaml", "--json"});
  CHECK(finished.code == 2);
  const nlohmann::json said = nlohmann::json::parse(finished.out);
  CHECK(said["errors"].get<int>() >= 2);
  CHECK(said["diagnostics"][0]["line"] == 1);
  CHECK(said["diagnostics"][0]["severity"] == "error");
  CHECK(said["meaning"].empty());
}

TEST_CASE("check tells what every example means") {
  const Folder folder;
  for (const fs::path& scene : example_scenes()) {
    const Finished finished = pequod(folder, {"check", fs::absolute(scene).string()});
    CHECK_MESSAGE(finished.code == 0, scene.string());
    CHECK_MESSAGE(finished.out.find("\n  pairs ") != std::string::npos, scene.string());
  }
}

}  // namespace pequod::test
