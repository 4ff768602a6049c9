// Observed orders of pequod compare: those of the integrators, in scenes of many kinds.
#include <cmath>
#include <cstdio>

#include "test/app/comparison_rows.h"
#include "test/app/order_scenes.h"

namespace pequod::test {
namespace {

constexpr double kOrderOff = 0.3;  // what is asked of all

// Rows of the shortest of three steps, which have an order.
std::vector<ComparedRow> rows_with_order(const std::string& text, const std::string& steps,
                                         std::vector<std::string> words) {
  const Folder folder;
  folder.write("scene.yaml", text);
  words.insert(words.begin(),
               {"compare", "scene.yaml", "--steps", steps, "--output", "out", "--quiet"});
  const Finished finished = pequod(folder, words);
  CHECK_MESSAGE(finished.code == 0, finished.err);
  std::vector<ComparedRow> rows;
  for (const ComparedRow& row : read_comparison(folder.path() / "out/comparison.csv"))
    if (!row.at("order").empty()) rows.push_back(row);
  return rows;
}

double observed_order(const std::string& text, const char* integrator, const char* steps) {
  const auto rows = rows_with_order(text, steps, {"--integrators", integrator});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].at("order") != "parted");
  CHECK(rows[0].at("order") != "exact");
  return std::atof(rows[0].at("order").c_str());
}

void check_orders(const std::vector<OrderScene>& scenes) {
  for (const OrderScene& scene : scenes) {
    CAPTURE(scene.name);
    const double euler = observed_order(scene.text, "symplectic-euler", scene.steps[0]),
                 rk4 = observed_order(scene.text, "rk4", scene.steps[1]),
                 dopri5 = observed_order(scene.text, "dopri5", scene.steps[2]);
    std::printf("order of %-30s symplectic-euler %.2f, rk4 %.2f, dopri5 %.2f\n", scene.name.c_str(),
                euler, rk4, dopri5);
    CHECK(std::abs(euler - 1.0) < kOrderOff);
    CHECK(std::abs(rk4 - 4.0) < kOrderOff);
    CHECK(std::abs(dopri5 - 5.0) < kOrderOff);
  }
}

std::string at_velocity_level(std::string text) {
  const std::size_t from = text.find("contact: "), to = text.find('\n', from);
  return text.replace(from, to - from, "contact: {model: coulomb, level: velocity}");
}

}  // namespace

TEST_CASE("observed orders are 1, 4 and 5 of smooth motions") { check_orders(smooth_scenes()); }

TEST_CASE("observed orders are 1, 4 and 5 with contact at the acceleration level" *
          doctest::test_suite("heavy")) {
  check_orders(contact_scenes());
}

TEST_CASE("observed orders are 1 with contact at the velocity level, under any integrator" *
          doctest::test_suite("heavy")) {
  struct NamedScene {
    const char *name, *text;
    const char* steps = "0.001,0.0005,0.00025";
  };
  // Of the ladder errors of orders one and two, 0.04 µm, all but cancel at 1 ms.
  const NamedScene scenes[] = {{"ball that slides", kLopsidedBall},
                               {"coin on its rim", kCoin},
                               {"ball that rolls", kRollingBall},
                               {"hopper that falls", kHopper},
                               {"ladder on a wall", kLadder, "0.00025,0.000125,0.0000625"}};
  for (const NamedScene& scene : scenes) {
    INFO(scene.name);
    const auto rows = rows_with_order(at_velocity_level(scene.text), scene.steps,
                                      {"--integrators", "symplectic-euler,rk4", "--models",
                                       "coulomb,no-slip,stewart-trinkle,anitescu-potra"});
    CHECK(rows.size() == 8);
    for (const ComparedRow& row : rows) {
      std::printf("order of %-18s %-16s %-16s %s\n", scene.name, row.at("integrator").c_str(),
                  row.at("model").c_str(), row.at("order").substr(0, 5).c_str());
      CHECK(std::abs(std::atof(row.at("order").c_str()) - 1.0) < kOrderOff);
    }
  }
}

// A quaternion that turns about a fixed axis obeys q' = i φ/h q, φ = ω h / 2, and a step multiplies
// it by R(iφ), R the stability function. That of dopri5 is exp but for z⁶/600 in place of z⁶/720
// and the end of the series, so that R(iφ) exp(−iφ) = 1 − φ⁶/3600 + i φ⁷/2100 + …: the error of
// order five is one of the norm, which is put back, and the angle is off by 2 φ⁷/2100 a step, T ω⁷
// h⁶ / 134400 after a time T. With RK4 it is off by 2 φ⁵/120 a step, T ω⁵ h⁴ / 1920.
TEST_CASE("dopri5 gains an order about a fixed axis, as its stability function says") {
  constexpr const char* kSpin = R"(
gravity: [0, 0, 0]
duration: 1
record: {every: 0.1}
contact: {model: frictionless}
bodies:
  brick: {mass: 1, shape: {box: {size: [0.3, 0.2, 0.1]}}, angular_velocity: [0, 0, 20]}
)";
  CHECK(std::abs(observed_order(kSpin, "dopri5", "0.02,0.01,0.005") - 6.0) < 0.05);
  CHECK(std::abs(observed_order(kSpin, "rk4", "0.02,0.01,0.005") - 4.0) < 0.05);
  const Folder folder;
  folder.write("spin.yaml", kSpin);
  for (const auto& [integrator, truth] :
       {std::pair{"dopri5", std::pow(20.0, 7) * std::pow(0.01, 6) / 134400},
        std::pair{"rk4", std::pow(20.0, 5) * std::pow(0.01, 4) / 1920}}) {
    const Finished finished =
        pequod(folder, {"compare", "spin.yaml", "--integrators", integrator, "--steps",
                        "0.01,0.001", "--output", integrator, "--quiet"});
    REQUIRE_MESSAGE(finished.code == 0, finished.err);
    for (const ComparedRow& row : read_comparison(folder.path() / integrator / "comparison.csv"))
      if (row.at("reference") == "0")
        // What comes after is φ² of it: one per cent.
        CHECK(std::stod(row.at("difference_m")) == doctest::Approx(truth).epsilon(0.02));
  }
}

}  // namespace pequod::test
