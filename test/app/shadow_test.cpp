// pequod run --shadow and pequod compare --shadow.
#include <fstream>
#include <nlohmann/json.hpp>

#include "test/app/run_columns.h"

namespace pequod::test {
namespace {

// It slides, so that friction is what its model says: m = 1 kg, μ = 0.3.
constexpr const char* kSlider =
    "duration: 0.1\n"
    "contact: {model: coulomb}\n"
    "bodies:\n"
    "  ground: {fixed: true, shape: {plane: {}}}\n"
    "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [3, 0, "
    "0]}\n"
    "surfaces: [{between: ['*', '*'], friction: 0.3}]\n";
constexpr double kWeight = 9.81, kSliderFriction = 0.3, kTime = 0.1;  // N, 1, s

}  // namespace

TEST_CASE("run --shadow writes a row a problem and model, and sums them up") {
  const Folder folder;
  folder.write("slider.yaml", kSlider);
  const Finished finished =
      pequod(folder, {"run", "slider.yaml", "--shadow", "frictionless", "--output", "out"});
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  const fs::path log = folder.path() / "out/shadow.csv";
  const std::vector<double> impulse = number_column(log, "impulse"),
                            difference = number_column(log, "difference");
  REQUIRE(impulse.size() == 200);
  double sum = 0.0, apart = 0.0;  // N·s: of frictionless
  for (std::size_t i = 1; i < impulse.size(); i += 2) {
    sum += impulse[i];
    apart += difference[i];
  }
  CHECK(sum == doctest::Approx(kWeight * kTime).epsilon(1e-9));
  CHECK(apart == doctest::Approx(kSliderFriction * kWeight * kTime).epsilon(1e-9));
  const std::size_t line = finished.out.find("frictionless");
  REQUIRE(line != std::string::npos);
  CHECK(finished.out.find("ball on ground", line) != std::string::npos);
}

TEST_CASE("what a shadow says goes with its run") {
  const Folder folder;
  folder.write("slider.yaml", kSlider);
  REQUIRE(pequod(folder, {"run", "slider.yaml", "--shadow", "no-slip", "--output", "out"}).code ==
          0);
  const std::string shadowed = read_file(folder.path() / "out/state.csv");
  REQUIRE(pequod(folder, {"run", "slider.yaml", "--output", "out"}).code == 0);
  CHECK_FALSE(fs::exists(folder.path() / "out/shadow.csv"));
  CHECK(read_file(folder.path() / "out/state.csv") == shadowed);
  const Finished unknown = pequod(folder, {"run", "slider.yaml", "--shadow", "colomb"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("coulomb") != std::string::npos);
  const Finished resumed =
      pequod(folder, {"run", "slider.yaml", "--shadow", "no-slip", "--resume", "--output", "out"});
  CHECK(resumed.code == 2);
  CHECK(resumed.err.find("--resume and --shadow") != std::string::npos);
}

TEST_CASE("compare --shadow tells where and by how much models differ") {
  const Folder folder;
  folder.write("slider.yaml", kSlider);
  const Finished finished =
      pequod(folder, {"compare", "slider.yaml", "--models", "coulomb,frictionless,no-slip",
                      "--shadow", "--output", "out"});
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  std::ifstream file(folder.path() / "out/comparison.json");
  const nlohmann::json shadows = nlohmann::json::parse(file).at("shadows");
  const nlohmann::json& models = shadows.at("models");
  REQUIRE(models.size() == 3);
  CHECK(models[0].at("model") == "coulomb");
  CHECK(models[0].at("difference_Ns") == 0.0);
  CHECK(models[1].at("difference_Ns").get<double>() ==
        doctest::Approx(kSliderFriction * kWeight * kTime).epsilon(1e-9));
  CHECK(models[1].at("differing") == 100);
  // What friction took: the ball's kinetic energy, v = 3 − μ g t and ω r = 5/2 μ g t.
  const double lost = kSliderFriction * kWeight * kTime, v = 3.0 - lost, turn = 2.5 * lost;
  CHECK(models[0].at("loss_J").get<double>() ==
        doctest::Approx(0.5 * (9.0 - v * v) - 0.2 * turn * turn).epsilon(1e-9));
  const std::string page = read_file(folder.path() / "out/report.html");
  CHECK(page.find("<figure id=\"models\">") != std::string::npos);
  CHECK(page.find("ball on ground") != std::string::npos);
  CHECK(finished.out.find("frictionless") != std::string::npos);
}

}  // namespace pequod::test
