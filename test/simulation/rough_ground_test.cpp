// A body that slides over facets which hardly lean goes the way that it goes on a plane.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
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
constexpr double kRubs = 0.3, kWeight = 9.81;     // μ, N of 1 kg
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

// @param ground     its shape, with the heights of this seed
// @param direction  rad, from x
// @param contact    the scene's, but its restitution
// @param side       m, y where it starts
Slid slide(const std::string& method, const Slider& slider, const std::string& ground, double h,
           unsigned seed, double direction = 0.0, const std::string& contact = "model: coulomb",
           double side = 0.013) {
  const Folder folder;
  folder.write("field.dat", field(h, seed));
  if (ground == kMeshGround) folder.write("ground.obj", mesh_of(h, seed));
  const Scenario scenario =
      load(folder, fmt::format("duration: {}\nintegrator: {{method: {}, step: 0.001}}\n"
                               "contact: {{{}}}\nbodies:\n"
                               "  ground: {{fixed: true, shape: {{{}}}}}\n"
                               "  slider: {{mass: 1, shape: {{{}}}, position: [-0.5, {}, "
                               "{:.17g}], orientation: {{rpy: [{:.17g}, 0, 0]}}, velocity: "
                               "[{:.17g}, {:.17g}, 0]}}\n"
                               "surfaces: [{{between: ['*', '*'], friction: {}}}]\n",
                               kSlideTime, method, contact, ground, slider.shape, side,
                               0.05 + 1.00001 * h, slider.roll, kSpeed * std::cos(direction),
                               kSpeed * std::sin(direction), kRubs));
  Simulation run(scenario);
  run.run();
  CHECK(run.statistics().max_penetration <= 1e-9);
  CHECK(run.state().ledger.suspect == 0.0);
  const RunStatistics& all = run.statistics();
  return {run.state(), all.fallbacks, nth(all.events, EventKind::painleve)};
}

// From 1 cm above, for 0.1 s.
RunStatistics drop(const Slider& slider, double h, unsigned seed, const char* model) {
  const Folder folder;
  folder.write("field.dat", field(h, seed));
  const Scenario scenario =
      load(folder, fmt::format("duration: 0.1\nintegrator: {{method: rk4, step: 0.001}}\n"
                               "contact: {{model: {}}}\nbodies:\n"
                               "  ground: {{fixed: true, shape: {{{}}}}}\n"
                               "  slider: {{mass: 1, shape: {{{}}}, position: [-0.5, 0.013, 0.07], "
                               "orientation: {{rpy: [{:.17g}, 0, 0]}}}}\n"
                               "surfaces: [{{between: ['*', '*'], viscous: 0.01}}]\n",
                               model, kFieldGround, slider.shape, slider.roll));
  Simulation run(scenario);
  run.run();
  CHECK(run.statistics().max_penetration <= 1e-9);
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().unbalanced == 0);
  return run.statistics();
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

// The solid capsule of kCapsuleSlider and 1 kg, lying on two points of a plane at these places
// along its axis: Newton and Euler with the friction of both, RK4 by a ten thousandth of the time.
// Where it slides askew friction is smaller along the axis than across it, loads are unequal, and
// it turns about the vertical, by how much depends on the places. Nothing of the simulator.
class LyingCapsule {
 public:
  LyingCapsule(double low, double high) : at_{low, high} {}

  // x, y, yaw, their rates, and the spin about the axis, of a slide in this direction.
  using Motion = Eigen::Matrix<double, 7, 1>;
  Motion end(double direction) {
    Motion s;
    s << 0.0, 0.0, 0.5 * M_PI, kSpeed * std::cos(direction), kSpeed * std::sin(direction), 0.0, 0.0;
    constexpr int kSteps = 10000;
    const double h = kSlideTime / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      const Motion a = rate(s), b = rate(s + 0.5 * h * a), c = rate(s + 0.5 * h * b),
                   d = rate(s + h * c);
      s += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return s;
  }
  [[nodiscard]] double least_load() const { return least_load_; }  // N

 private:
  Motion rate(const Motion& s) {
    using Eigen::Vector2d;
    const Vector2d e(std::cos(s[2]), std::sin(s[2])), f(-e.y(), e.x());  // along, across
    const double turn = s[5], spin = s[6];
    std::array<Vector2d, 2> rub;  // friction of a load of 1 N
    for (std::size_t k = 0; k < 2; ++k)
      rub[k] = -kRubs * (s.segment<2>(3) + (turn * at_[k] + spin * kRadius) * f).normalized();
    // Loads carry the weight, and the moments across the axis: Σ N s = −r Σ F·e − I spin turn.
    Eigen::Matrix2d A;
    A << 1.0, 1.0, at_[0] + kRadius * rub[0].dot(e), at_[1] + kRadius * rub[1].dot(e);
    const Vector2d load = A.inverse() * Vector2d(kWeight, -kAlong * spin * turn);
    least_load_ = std::min(least_load_, load.minCoeff());
    const Vector2d F = load[0] * rub[0] + load[1] * rub[1];
    const double moment = at_[0] * load[0] * rub[0].dot(f) + at_[1] * load[1] * rub[1].dot(f);
    Motion out;
    out << s.segment<2>(3), turn, F, moment / kAcross, kRadius * F.dot(f) / kAlong;
    return out;
  }

  static constexpr double kRadius = 0.05, kLength = 0.2;  // m
  // kg of the cylinder and of both halves of a ball; kg·m², along and across the axis.
  static constexpr double kBall = 4.0 * kRadius / (4.0 * kRadius + 3.0 * kLength),
                          kTube = 1.0 - kBall;
  static constexpr double kAlong = (0.5 * kTube + 0.4 * kBall) * kRadius * kRadius;
  static constexpr double kAcross =
      kTube * (kLength * kLength / 12.0 + kRadius * kRadius / 4.0) +
      kBall * (0.4 * kRadius * kRadius + kLength * kLength / 4.0 + 0.375 * kLength * kRadius);
  std::array<double, 2> at_;
  double least_load_ = kInfinity;
};

// m, by which the ways of a capsule on two points differ, wherever these are.
double spread_of_ways(double direction) {
  const Eigen::Vector2d ends = LyingCapsule(-0.1, 0.1).end(direction).head<2>();
  double spread = 0.0;
  for (const double low : {-0.1, -0.05, -0.02})
    for (const double high : {0.1, 0.05, 0.02}) {
      LyingCapsule capsule(low, high);
      const Eigen::Vector2d way = capsule.end(direction).head<2>();
      if (capsule.least_load() >= 0.0) spread = std::max(spread, (way - ends).norm());
    }
  return spread;
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

// Its edges start on lines of the field and leave them slowly, along them: of 50 contacts those
// that carry hold some others 6e-12 m below zero, in turns. Each was an event; a hundred fallback
// steps ended that.
TEST_CASE("a box slides along lines of a field") {
  constexpr double kAlong = 1.57;  // rad
  const State plane = slide("symplectic-euler", kBoxSlider, kPlaneGround, 0.0, kGround, kAlong).end;
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    const Slid rough = slide("symplectic-euler", kBoxSlider, kFieldGround, 1e-11, seed, kAlong);
    CAPTURE(seed);
    CHECK(rough.fallbacks == 0);
    CHECK((rough.end.q.head<2>() - plane.q.head<2>()).norm() <= 1e-6);
  }
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

// Facets decide which points of its side carry, and so how it turns: its way is that of one of
// these choices. Edges that all but lie in the plane have rows that turn with the body all the
// same: left out, a fortieth of the weight was carried by no contact, without friction, and the way
// was off by 9e-4 m, whatever the step.
TEST_CASE("a capsule slides askew over facets as over a plane" * doctest::test_suite("heavy")) {
  for (const double direction : {0.7, 3.9}) {
    CAPTURE(direction);
    const State rk4 = slide("rk4", kCapsuleSlider, kPlaneGround, 0.0, kGround, direction).end;
    const Eigen::Vector2d truth = LyingCapsule(-0.1, 0.1).end(direction).head<2>();
    CHECK((rk4.q.head<2>() - Eigen::Vector2d(-0.5, 0.013) - truth).norm() <= 1e-9);
    const double spread = spread_of_ways(direction);
    CHECK(spread < 5e-5);
    for (const char* method : {"symplectic-euler", "rk4"}) {
      const State plane = slide(method, kCapsuleSlider, kPlaneGround, 0.0, kGround, direction).end;
      for (const double h : {1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6}) {
        CAPTURE(method);
        CAPTURE(h);
        const Slid rough = slide(method, kCapsuleSlider, kFieldGround, h, kGround, direction);
        CHECK((rough.end.q.head<2>() - plane.q.head<2>()).norm() <= spread + 1e-6 + 1000.0 * h);
        CHECK(rough.fallbacks <= 5);
      }
    }
  }
}

// Upright it stands on three points and tips from three to others. The lowest point of its rim over
// the plane of one facet ran to where that facet is not. Under RK4 it had hundreds of fallback
// steps where it was found for inclinations above 1e-8 rad only, and lifted itself off the ground
// by a tilt where three facets side by side were held.
TEST_CASE("a cylinder slides over facets as over a plane" * doctest::test_suite("heavy")) {
  compare("symplectic-euler", kCylinderSlider, kFieldGround, {0.0, 1e-10, 1e-8});
  compare("symplectic-euler", kCylinderSlider, kMeshGround, {1e-10, 1e-8, 1e-6});
  compare("rk4", kCylinderSlider, kFieldGround,
          {0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}, 5);
}

// Two faults, of 1e-12 and 1e-13 m, made impacts by the thousand: a contact that was closed left
// where others moved it by more than rounding, and the speed of one on an edge before and after
// such a move differed by more than modes are judged by. A third ended and chose one mode nine
// times at an instant, for a force that was zero but for rounding. A fourth, two contacts that ran
// into one corner of the ground and were held, sent box, cylinder and hull 2e-6 ... 8e-6 m astray.
// A fifth: what others had moved below zero and rose from there met at once, nine times within
// 1e-11 s, or sank at once; closing it was refused. A sixth: closed hops made others approach. A
// seventh: a capsule that turned over the edge between two facets pulled for 1e-7 s, in a mode that
// was looked ahead for 1e-6 s. An eighth: where what pulls had opened others pulled.
TEST_CASE("of many grounds few need fallback steps" * doctest::test_suite("heavy")) {
  std::int64_t fallbacks = 0, strikes = 0;
  for (const Slider& slider : {kCylinderSlider, kHullSlider, kBoxSlider, kCapsuleSlider}) {
    for (const unsigned first : {1u, 5u}) {
      if (first == 5 && slider.name == "capsule") continue;  // askew it goes other ways: see above
      const double direction = first == 1 ? 0.0 : 0.7;
      const State plane = slide("rk4", slider, kPlaneGround, 0.0, kGround, direction).end;
      for (const double h : {1e-10, 1e-9, 1e-8, 1e-7, 1e-6})
        for (unsigned seed = first; seed < first + 4; ++seed) {
          CAPTURE(slider.name);
          CAPTURE(direction);
          CAPTURE(h);
          CAPTURE(seed);
          const Slid rough = slide("rk4", slider, kFieldGround, h, seed, direction);
          CHECK((rough.end.q.head<2>() - plane.q.head<2>()).norm() <= 1e-6 + 1000.0 * h);
          fallbacks += rough.fallbacks;
          strikes += rough.strikes;
        }
    }
  }
  MESSAGE(fallbacks << " fallback steps, " << strikes << " impulses for want of a mode");
  // Of 42000 steps; which ones, rounding decides.
  CHECK(fallbacks <= 3);
  CHECK(strikes <= 5);
}

// By these three alone: closed hops that make others approach; a capsule that turns over the edges
// between facets; a corner of a hull along a line of the field, where what pulls has opened others.
TEST_CASE("slides that closed hops, edges and corners along lines disturb have modes" *
          doctest::test_suite("heavy")) {
  std::int64_t hops = 0, edges = 0, corners = 0;
  hops += slide("rk4", kBoxSlider, kFieldGround, 1e-9, 24).fallbacks;
  hops += slide("rk4", kBoxSlider, kFieldGround, 1e-9, 26, 0.7).fallbacks;
  for (const unsigned seed : {11u, 12u, 13u, 19u, 21u, 22u})
    edges += slide("rk4", kCapsuleSlider, kFieldGround, 1e-6, seed).fallbacks;
  for (const unsigned seed : {11u, 16u, 34u})
    corners +=
        slide("rk4", kHullSlider, kFieldGround, 1e-6, seed, 0.5 * M_PI, "model: coulomb", -0.3)
            .fallbacks;
  CHECK(hops == 0);
  CHECK(edges == 0);
  CHECK(corners == 0);
}

// A point of a rim up to 1e-9 m above facets, where nothing touches, hid the one that met.
TEST_CASE("points of rims hide nothing that meets" * doctest::test_suite("heavy")) {
  std::int64_t fallbacks = 0;
  for (const unsigned seed : {2u, 5u})
    fallbacks += slide("rk4", kCylinderSlider, kFieldGround, 1e-10, seed).fallbacks;
  CHECK(fallbacks == 0);
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

// Gaps of 1e-10 m were closed as equalities, which no forces that only push can be: fallback steps
// by the thousand.
TEST_CASE("without friction bodies go on over facets for ever" * doctest::test_suite("heavy")) {
  const double direction = 0.7;
  std::int64_t fallbacks = 0;
  const std::string contact = "model: frictionless";
  for (const std::string method : {"rk4", "symplectic-euler"})
    for (const Slider& slider : {kBoxSlider, kCapsuleSlider, kCylinderSlider, kHullSlider})
      for (const double h : {0.0, 1e-12, 1e-10, 1e-8, 1e-5}) {
        CAPTURE(method);
        CAPTURE(slider.name);
        CAPTURE(h);
        const Slid rough = slide(method, slider, kFieldGround, h, kGround, direction, contact);
        const Eigen::Vector2d way =
            kSpeed * kSlideTime * Eigen::Vector2d(std::cos(direction), std::sin(direction));
        CHECK((rough.end.q.head<2>() - Eigen::Vector2d(-0.5, 0.013) - way).norm() <=
              1e-6 + 1000.0 * h);
        fallbacks += rough.fallbacks;
      }
  CHECK(fallbacks <= 4);  // of 12000 steps
}

// They bounce from corner to corner until some of them carry; those that carry none leave.
TEST_CASE("what falls flat onto facets without friction needs next to no fallback steps" *
          doctest::test_suite("heavy")) {
  const Slider box{"box", "box: {size: [0.11, 0.115, 0.08]}", 0.5 * M_PI};
  std::int64_t fallbacks = 0;
  for (const Slider& slider : {box, kHullSlider, kCylinderSlider})
    for (const char* model : {"frictionless", "viscous"})
      for (const double h : {1e-10, 1e-9, 1e-7})
        for (const unsigned seed : {1u, 2u}) {
          CAPTURE(slider.name);
          CAPTURE(h);
          CAPTURE(seed);
          fallbacks += drop(slider, h, seed, model).fallbacks;
        }
  CHECK(fallbacks <= 20);
}

TEST_CASE("a hull slides over facets as over a plane" * doctest::test_suite("heavy")) {
  compare("symplectic-euler", kHullSlider, kFieldGround, {0.0, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5});
  compare("symplectic-euler", kHullSlider, kMeshGround, {1e-10, 1e-8, 1e-6});
  compare("rk4", kHullSlider, kFieldGround, {1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}, 5);
}

}  // namespace pequod::test
