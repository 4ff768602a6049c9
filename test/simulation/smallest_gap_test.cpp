// What acceptance measures, against poses that are made.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "test/events/mesh_shapes.h"

namespace pequod {
namespace {

// Balls of several sizes on and above a plane, enough of them to be sorted by boxes.
Model many_balls() {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (int i = 0; i < 60; ++i)
    builder.add_free_body("ball" + std::to_string(i),
                          {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()},
                          {{Sphere{0.05 + 0.001 * i}, {}}});
  return builder.build();
}

}  // namespace

// Pairs are remembered while nothing has gone far: asked again and again along slow and fast ways,
// for more and less than before, they are those that are found anew.
TEST_CASE("pairs of many balls that move are told as if they were sorted at each place") {
  const Model model = many_balls();
  const Collision kept(model);
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> chance(-1.0, 1.0);
  State state = make_state(model);
  Evaluator here(model);
  std::vector<double> travel(model.shapes.size());
  std::vector<ShapePair> near, anew;
  std::size_t most = 0;
  for (int step = 0; step < 300; ++step) {
    const double way = step % 50 == 0 ? 1.0 : step % 7 == 0 ? 0.02 : 0.002;
    for (int ball = 0; ball < 60; ++ball)
      for (int k = 0; k < 3; ++k) {
        double& x = state.q[7 * ball + k];
        x = std::clamp(x + way * chance(random), k == 2 ? 0.04 : -0.4, 0.4);
      }
    here.at_position(state.q);
    for (double& own : travel) own = 0.01 * std::abs(chance(random));
    travel[0] = 0.0;
    const double range = step % 3 == 0 ? 0.03 : 1e-3;
    const Collision fresh(model);
    const std::vector<Pose>& X_WS = here.shapes(kept.near().all().shapes);
    kept.near().find(kept.near().select(here, 1.0), X_WS, travel, range, near);
    fresh.near().find(fresh.near().select(here, 1.0), X_WS, travel, range, anew);
    CHECK(near == anew);
    CHECK(kept.smallest_gap(here, range) == Collision(model).smallest_gap(here, range));
    most = std::max(most, near.size());
  }
  CHECK(most > 60);
}

// The pairs are looked at in turn, with what was found before as the range for the next: below zero
// no finder of contacts knows what to do with it.
TEST_CASE("the deepest pair is measured behind one that touches a rounding deep") {
  const std::vector<Geometry> bodies = {
      Sphere{0.1},        Box{Vector3d::Constant(0.2)}, test::box_mesh(Vector3d::Constant(0.2)),
      Cylinder{0.1, 0.2}, Capsule{0.05, 0.1},           Cone{0.1, 0.2}};
  for (const Geometry& ground : {Geometry(Plane{}), Geometry(test::level_field(5, 0.5))})
    for (const Geometry& body : bodies) {
      ModelBuilder builder;
      builder.add_fixed_body("ground", {}, {{ground, {}}});
      const Inertia inertia{1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()};
      builder.add_free_body("ball", inertia, {{Sphere{0.1}, {}}});
      builder.add_free_body("body", inertia, {{body, {}}});
      const Model model = builder.build();
      const Collision collision(model);
      constexpr double kRounding = 5e-14, kDepth = 1e-5;
      State state = make_state(model);
      state.q.head<3>() << -0.5, 0.0, 0.1 - kRounding;
      state.q.segment<3>(7) << 0.4, 0.1, 0.1 - kDepth;
      Evaluator here(model);
      here.at_position(state.q);
      CAPTURE(ground.index());
      CAPTURE(body.index());
      CHECK(collision.smallest_gap(here, 1e-3) == doctest::Approx(-kDepth).epsilon(1e-9));
    }
}

}  // namespace pequod
