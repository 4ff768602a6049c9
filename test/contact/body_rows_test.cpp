// Rows of contacts between free bodies without their zeros, judged by columns of all coordinates.
#include <doctest/doctest.h>

#include <array>

#include "test/contact/scenes.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// Free bodies of unlike inertias, any way up, in contact with the ground and with each other.
Scene loose_bodies(int bodies) {
  Random random{23};
  ModelBuilder builder;
  for (int i = 0; i < bodies; ++i)
    builder.add_free_body("body" + std::to_string(i), random_inertia(random), {});
  Scene scene;
  scene.model = builder.build();
  scene.state = random_state(random, scene.model);
  int index = 0;
  for (int b = 0; b < bodies; ++b)
    for (const int a : {-1, (b + 1) % bodies}) {
      scene.contacts.push_back(touch(a, b, random.unit(), random.unit(), index++));
      scene.contacts.back().surface.friction = 0.1 * index;
    }
  pose(scene);
  return scene;
}

}  // namespace

TEST_CASE("rows of bodies are the columns of all coordinates without their zeros") {
  const Scene scene = loose_bodies(5);
  REQUIRE(scene.islands.size() == 1);
  const Island& island = scene.islands.front();
  const ContactProblem& columns = scene.problems.front();
  REQUIRE(has_free_bodies(scene.model, scene.contacts, island));
  ContactProblem rows;
  assemble_body_rows(scene.model, scene.kin, scene.factor, scene.contacts, island,
                     scene.tree_offset, rows);
  REQUIRE(rows.in_bodies());
  CHECK(rows.m == columns.m);
  CHECK(rows.friction == columns.friction);
  const double size = columns.normals.matrix().cwiseAbs().maxCoeff();
  for (int i = 0; i < columns.n; ++i) {
    CHECK(rows.squared_normal(i) == doctest::Approx(columns.squared_normal(i)).epsilon(1e-13));
    for (int j = 0; j < rows.m; ++j) {
      const VectorXd unit = VectorXd::Unit(rows.m, j);
      CHECK(std::abs(rows.normal_speed(i, unit) - columns.normal_speed(i, unit)) < 1e-13 * size);
      for (int k = 2 * i; k < 2 * i + 2; ++k)
        CHECK(std::abs(rows.tangent_speed(k, unit) - columns.tangent_speed(k, unit)) <
              1e-13 * size);
    }
    const std::array<double, 3> impulse = {1.0, -0.3, 0.2};
    VectorXd by_rows = columns.y, by_columns = columns.y;
    rows.add_impulse(i, impulse.data(), by_rows);
    columns.add_impulse(i, impulse.data(), by_columns);
    CHECK((by_rows - by_columns).norm() < 1e-13 * size);
  }
}

TEST_CASE("an island with a robot or a joint limit is none of free bodies") {
  Random random{3};
  Scene scene;
  ModelBuilder builder;
  builder.add_robot("robot", quadruped(random), false, Pose{}, false);
  scene.model = builder.build();
  scene.state = make_state(scene.model);
  scene.contacts = {touch(-1, shank(0), random.unit(), Vector3d::UnitZ(), 0)};
  pose(scene);
  CHECK_FALSE(has_free_bodies(scene.model, scene.contacts, scene.islands.front()));
  scene = loose_bodies(2);
  scene.contacts.push_back(at_limit(0, true));
  Island island = scene.islands.front();
  island.contacts.push_back(4);
  CHECK_FALSE(has_free_bodies(scene.model, scene.contacts, island));
}
