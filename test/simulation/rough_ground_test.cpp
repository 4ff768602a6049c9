// A body that slides over facets which hardly lean goes the way that it goes on a plane.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <random>
#include <sstream>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kSlideTime = 0.3, kSpeed = 2.0;  // s, m/s
constexpr unsigned kGround = 7;                   // seed of its heights

// Heights at random, at most h, 4 cm apart.
std::string field(double h, unsigned seed) {
  constexpr int kX = 101, kY = 26;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  std::string text = fmt::format("{} {}\n", kX, kY);
  for (int i = 0; i < kX * kY; ++i) text += fmt::format("{:.17g}\n", h * share(random));
  return text;
}

// The same surface, cut along the same diagonals.
std::string mesh_of(double h, unsigned seed) {
  std::istringstream heights(field(h, seed));
  int nx = 0, ny = 0;
  heights >> nx >> ny;
  std::string text;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      double z = 0.0;
      heights >> z;
      text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", 0.04 * i - 2.0, 0.04 * j - 0.5, z);
    }
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j) {
      const int k = i * ny + j + 1;
      text += fmt::format("f {0} {1} {2}\nf {0} {2} {3}\n", k, k + ny, k + ny + 1, k + 1);
    }
  return text;
}

// A prism over a regular heptagon.
std::string heptagon() {
  std::string text = "{points: [";
  for (int k = 0; k < 14; ++k) {
    const double angle = 2.0 * M_PI * (k % 7) / 7.0;
    text += fmt::format("[{:.17g}, {:.17g}, {}], ", 0.1 * std::cos(angle), 0.1 * std::sin(angle),
                        k < 7 ? -0.05 : 0.05);
  }
  return text + "]}";
}

struct Slider {
  std::string name, shape;
  double roll = 0.0;  // rad
};

const Slider kBoxSlider{"box", "box: {size: [0.2, 0.2, 0.1]}"};
const Slider kCapsuleSlider{"capsule", "capsule: {radius: 0.05, length: 0.2}", 0.5 * M_PI};
const Slider kCylinderSlider{"cylinder", "cylinder: {radius: 0.1, length: 0.1}"};
const Slider kHullSlider{"hull", "convex: " + heptagon()};

const char* const kPlaneGround = "plane: {}";
const char* const kFieldGround = "heightfield: {file: field.dat, size: [4, 1]}";
const char* const kMeshGround = "mesh: {file: ground.obj}";

struct Slid {
  State end;
  std::int64_t fallbacks, strikes;  // steps of that kind; impulses where no mode was found
};

// @param ground  its shape, with the heights of this seed
Slid slide(const std::string& method, const Slider& slider, const std::string& ground, double h,
           unsigned seed) {
  const Folder folder;
  folder.write("field.dat", field(h, seed));
  if (ground == kMeshGround) folder.write("ground.obj", mesh_of(h, seed));
  const Scenario scenario =
      load(folder, fmt::format("duration: {}\nintegrator: {{method: {}, step: 0.001}}\n"
                               "contact: {{model: coulomb}}\nbodies:\n"
                               "  ground: {{fixed: true, shape: {{{}}}}}\n"
                               "  slider: {{mass: 1, shape: {{{}}}, position: [-0.5, 0.013, "
                               "{:.17g}], orientation: {{rpy: [{:.17g}, 0, 0]}}, velocity: [{}, 0, "
                               "0]}}\nsurfaces: [{{between: ['*', '*'], friction: 0.3}}]\n",
                               kSlideTime, method, ground, slider.shape, 0.05 + 1.00001 * h,
                               slider.roll, kSpeed));
  Simulation run(scenario);
  run.run();
  CHECK(run.statistics().max_penetration <= 1e-9);
  CHECK(run.state().ledger.suspect == 0.0);
  const RunStatistics& all = run.statistics();
  return {run.state(), all.fallbacks, all.events[static_cast<std::size_t>(EventKind::painleve)]};
}

// Facets of slope h/0.04 that are hit at 2 m/s take a little, so 1000 h beside a micrometre.
void compare(const std::string& method, const Slider& slider, const std::string& ground,
             std::initializer_list<double> heights, int fallbacks = 0) {
  const State plane = slide(method, slider, kPlaneGround, 0.0, kGround).end;
  for (const double h : heights) {
    CAPTURE(method);
    CAPTURE(slider.name);
    CAPTURE(ground);
    CAPTURE(h);
    const Slid rough = slide(method, slider, ground, h, kGround);
    CHECK(rough.fallbacks <= fallbacks);
    CHECK((rough.end.q.head<2>() - plane.q.head<2>()).norm() <= 1e-6 + 1000.0 * h);
  }
}

}  // namespace

// Held as equalities, all touching facets stopped the box within 0.07 m. Under RK4 facets within a
// nanometre were closed at once, which turned the box and opened others: a thousand fallback steps.
TEST_CASE("a box slides over facets as over a plane" * doctest::test_suite("heavy")) {
  compare("symplectic-euler", kBoxSlider, kFieldGround,
          {0.0, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5});
  compare("rk4", kBoxSlider, kFieldGround, {0.0, 1e-11});
  compare("rk4", kBoxSlider, kFieldGround, {1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}, 5);
}

// Its ends roll over borders and its side over peaks and edges. Followed about these, the contacts
// pulled it aside by millimetres on height fields and stopped it on meshes.
TEST_CASE("a capsule slides and rolls over facets as over a plane") {
  compare("symplectic-euler", kCapsuleSlider, kFieldGround,
          {0.0, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5});
  compare("symplectic-euler", kCapsuleSlider, kMeshGround, {1e-10, 1e-8, 1e-6});
  compare("rk4", kCapsuleSlider, kFieldGround, {0.0, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5},
          5);
}

// Upright it stands on three points and tips from three to others. The lowest point of its rim over
// the plane of one facet ran to where that facet is not. Under RK4 it had hundreds of fallback
// steps where it was found for inclinations above 1e-8 rad only, and lifted itself off the ground
// by a tilt where three facets side by side were held.
TEST_CASE("a cylinder slides over facets as over a plane" * doctest::test_suite("heavy")) {
  compare("symplectic-euler", kCylinderSlider, kFieldGround, {0.0, 1e-10, 1e-8});
  compare("symplectic-euler", kCylinderSlider, kMeshGround, {1e-10, 1e-8, 1e-6});
  compare("rk4", kCylinderSlider, kFieldGround, {0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-5}, 5);
  compare("rk4", kCylinderSlider, kFieldGround, {1e-8, 1e-7, 1e-6}, 15);
}

// Two faults, of 1e-12 and 1e-13 m, made impacts by the thousand: a contact that was closed left
// where others moved it by more than rounding, and the speed of one on an edge before and after
// such a move differed by more than modes are judged by.
TEST_CASE("of many grounds few need fallback steps" * doctest::test_suite("heavy")) {
  std::int64_t fallbacks = 0, strikes = 0;
  for (const Slider& slider : {kCylinderSlider, kHullSlider, kBoxSlider})
    for (const double h : {1e-10, 1e-9, 1e-8, 1e-7})
      for (const unsigned seed : {1u, 2u, 3u, 4u}) {
        const Slid rough = slide("rk4", slider, kFieldGround, h, seed);
        fallbacks += rough.fallbacks;
        strikes += rough.strikes;
      }
  CHECK(fallbacks <= 45);  // 37 of 14400 steps here; which ones, rounding decides
  CHECK(strikes <= 3);
}

// At the velocity level a rim that rocks slowly leaves the arc over a facet within a step: the turn
// of its row at the start is not one of the step.
TEST_CASE("a cylinder slides over many grounds as over a plane" * doctest::test_suite("heavy")) {
  const State plane = slide("symplectic-euler", kCylinderSlider, kPlaneGround, 0.0, kGround).end;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    CAPTURE(seed);
    const double h = 1e-7;
    const State rough = slide("symplectic-euler", kCylinderSlider, kFieldGround, h, seed).end;
    CHECK((rough.q.head<2>() - plane.q.head<2>()).norm() <= 1e-6 + 1000.0 * h);
  }
}

TEST_CASE("a hull slides over facets as over a plane" * doctest::test_suite("heavy")) {
  compare("symplectic-euler", kHullSlider, kFieldGround, {0.0, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5});
  compare("symplectic-euler", kHullSlider, kMeshGround, {1e-10, 1e-8, 1e-6});
  compare("rk4", kHullSlider, kFieldGround, {1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}, 5);
}

}  // namespace pequod::test
