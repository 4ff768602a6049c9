// What engines are judged by in ./dev bench peers.
#include "bench/peers/measure.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace peers {
namespace {

Body make_body(const Shape& shape) {
  Body body;
  body.mass = 2.0;
  body.inertia = {0.1, 0.2, 0.3};
  body.shape = shape;
  return body;
}

Scene make_scene(const std::vector<Shape>& shapes) {
  Scene scene;
  scene.step = 1e-3;
  scene.gravity = 9.81;
  for (const Shape& shape : shapes) scene.bodies.push_back(make_body(shape));
  return scene;
}

Quaterniond about(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis));
}

}  // namespace

TEST_CASE("a box on a box is as deep in it as it was lowered") {
  const Scene scene = make_scene({Box{{0.1, 0.2, 0.3}}, Box{{0.3, 0.1, 0.2}}});
  const Quaterniond q = about(Vector3d::UnitZ(), 0.7);
  CHECK(worst_depth(scene, {{{0, 0, 0}, q}, {{0.05, 0, 0.5 - 1e-3}, q}}) ==
        doctest::Approx(1e-3).epsilon(1e-12));
  // The sums of half heights round to 1e-16 m.
  CHECK(worst_depth(scene, {{{0, 0, 0}, q}, {{0.05, 0, 0.5}, q}}) < 1e-15);
  CHECK(worst_depth(scene, {{{0, 0, 0}, q}, {{0.05, 0, 0.51}, q}}) == 0.0);
}

// Each edge stands √2/10 m above its cube's centre, and neither cube has a face that parts them.
TEST_CASE("cubes whose edges cross overlap by what the edges are past each other") {
  const Scene scene = make_scene({Box{{0.1, 0.1, 0.1}}, Box{{0.1, 0.1, 0.1}}});
  const double quarter = std::numbers::pi / 4.0, apart = 0.2 * std::numbers::sqrt2;
  const Pose low{{0, 0, 0}, about(Vector3d::UnitX(), quarter)};
  const Quaterniond across = about(Vector3d::UnitY(), quarter);
  CHECK(worst_depth(scene, {low, {{0, 0, apart - 1e-4}, across}}) ==
        doctest::Approx(1e-4).epsilon(1e-10));
  CHECK(worst_depth(scene, {low, {{0, 0, apart + 1e-4}, across}}) == 0.0);
}

TEST_CASE("a cube on its corner is as deep in a plane as the corner") {
  Scene scene = make_scene({Box{{0.1, 0.1, 0.1}}});
  scene.planes.push_back({Vector3d::UnitX(), 0.5});
  const Quaterniond q =
      Quaterniond::FromTwoVectors(Vector3d(1, 1, 1).normalized(), Vector3d::UnitX());
  const double reach = 0.1 * std::numbers::sqrt3;
  CHECK(worst_depth(scene, {{{0.5 + reach - 1e-3, 4, 5}, q}}) ==
        doctest::Approx(1e-3).epsilon(1e-12));
}

// The cells in which neighbours are looked for may not lose a pair.
TEST_CASE("the worst of many balls is the worst of all pairs") {
  std::mt19937 chance(1);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  for (int round = 0; round < 20; ++round) {
    const Scene scene = make_scene(std::vector<Shape>(100, Ball{0.07}));
    std::vector<Pose> poses(100);
    for (Pose& pose : poses) pose.p = {place(chance), place(chance), place(chance)};
    double worst = 0.0;
    for (std::size_t i = 0; i < poses.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        worst = std::max(worst, 0.14 - (poses[i].p - poses[j].p).norm());
    CHECK(worst_depth(scene, poses) == worst);
  }
}

// Symplectic Euler, v' = v − g h and z' = z + h v', keeps v²/2 + g z − g h v/2. The chord of a turn
// is shorter than its arc by (w h)²/24, 1e-6 of it.
TEST_CASE("energy stays in free fall") {
  const Scene scene = make_scene({Ball{0.1}});
  std::vector<Pose> before(1), after(1);
  before[0].p.z() = 3.0;
  double v = 2.0, first = 0.0;
  for (int k = 0; k < 1000; ++k) {
    v -= scene.gravity * scene.step;
    after[0].p.z() = before[0].p.z() + v * scene.step;
    after[0].q = about(Vector3d::UnitY(), 5.0 * scene.step * (k + 1));
    const double now = energy(scene, before, after);
    if (k == 0) first = now;
    CHECK(now ==
          doctest::Approx(first).epsilon(1e-9));  // v is a difference: 1e-16 m / h, times 10 m/s
    before = after;
  }
  const double rotation = 0.5 * 0.2 * 25.0, fall = 2.0 * (9.81 * (3.0 - 0.5e-3 * 2.0) + 2.0);
  CHECK(first == doctest::Approx(fall + rotation).epsilon(1e-6));
}

TEST_CASE("of a robot only feet creep, and along the ground") {
  Scene scene = make_scene({Shape{}, Ball{0.03}});
  const std::vector<Pose> from(2);
  const std::vector<Pose> to = {{{1, 0, 0}, Quaterniond::Identity()},
                                {{3e-3, 4e-3, -1}, Quaterniond::Identity()}};
  scene.robot = true;
  CHECK(creep(scene, from, to) == doctest::Approx(5e-3));
  scene.robot = false;
  CHECK(creep(scene, from, to) > 1.0);
}

}  // namespace peers
