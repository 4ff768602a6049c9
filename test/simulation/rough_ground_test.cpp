// A box that slides over facets which hardly lean goes the way that it goes on a plane.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kDuration = 0.3, kSpeed = 2.0;  // s, m/s

// Heights at random, at most h, 4 cm apart.
std::string field(double h) {
  constexpr int kX = 101, kY = 26;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  std::string text = fmt::format("{} {}\n", kX, kY);
  for (int i = 0; i < kX * kY; ++i) text += fmt::format("{:.17g}\n", h * share(random));
  return text;
}

// Where the box ends. @param ground  its shape
State slide(const std::string& method, const std::string& ground, double h) {
  const Folder folder;
  folder.write("field.dat", field(h));
  const Scenario scenario = load(
      folder, fmt::format("duration: {}\nintegrator: {{method: {}, step: 0.001}}\n"
                          "contact: {{model: coulomb}}\nbodies:\n"
                          "  ground: {{fixed: true, shape: {{{}}}}}\n"
                          "  box: {{mass: 1, shape: {{box: {{size: [0.2, 0.2, 0.1]}}}}, position: "
                          "[-0.5, 0.013, {:.17g}], velocity: [{}, 0, 0]}}\n"
                          "surfaces: [{{between: ['*', '*'], friction: 0.3}}]\n",
                          kDuration, method, ground, 0.05 + 1.00001 * h, kSpeed));
  Simulation run(scenario);
  run.run();
  CHECK(run.statistics().max_penetration <= 1e-9);
  CHECK(run.statistics().fallbacks == 0);
  CHECK(run.state().ledger.suspect == 0.0);
  return run.state();
}

}  // namespace

// Facets of slope h/0.04 that are hit at 2 m/s take a little, so 1000 h beside a micrometre. Held
// as equalities, all touching facets stopped the box within 0.07 m.
TEST_CASE("a box slides over facets as over a plane") {
  const auto check = [](const std::string& method, double h) {
    CAPTURE(method);
    CAPTURE(h);
    const State plane = slide(method, "plane: {}", 0.0);
    const State rough = slide(method, "heightfield: {file: field.dat, size: [4, 1]}", h);
    CHECK((rough.q.head<2>() - plane.q.head<2>()).norm() <= 1e-6 + 1000.0 * h);
  };
  for (const double h : {0.0, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5})
    check("symplectic-euler", h);
  for (const double h : {0.0, 1e-11}) check("rk4", h);
}

}  // namespace pequod::test
