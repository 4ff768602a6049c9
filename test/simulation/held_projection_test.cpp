// What projections make of positions and velocities along what is held.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "simulation/held/project.h"
#include "test/simulation/held_stage.h"
#include "test/support/random.h"

namespace pequod::held_test {

// The least change of a free ball in the M metric is a displacement along the normal.
TEST_CASE("a projection moves a ball straight to the ground, and takes its velocity along it") {
  for (const double gap : {-1e-4, 1e-4}) {
    Stage stage = ball(kRadius + gap);
    stage.state.v << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;
    stage.hold(StageFriction::none, {}, HeldTangents::without);
    VectorXd expected = stage.state.q;
    expected[2] = kRadius;
    const double left = project_position(stage.model, stage.here.factor(), stage.here.kinematics(),
                                         stage.held, {}, stage.state.q, *stage.workspace)
                            .widest;
    CHECK(left <= kGapNoise);
    CHECK((stage.state.q - expected).norm() <= kGapNoise);
    stage.factor(HeldTangents::without);
    VectorXd v = stage.state.v;
    project_velocity(stage.here, stage.held, {}, v, *stage.workspace);
    stage.state.v[5] = 0.0;
    CHECK((v - stage.state.v).norm() <= kRounding);
  }
}

// A ball in the angle of two planes that lean by this much either way, in rad.
Stage ball_between(double lean) {
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  const auto leaning = [](double angle) {
    Pose pose;
    pose.R = Eigen::AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix();
    return pose;
  };
  builder.add_fixed_body("ground", {}, {{Plane{}, leaning(lean)}, {Plane{}, leaning(-lean)}});
  builder.add_free_body("ball", {kMass, Vector3d::Zero(), 0.008 * Matrix3d::Identity()},
                        {{Sphere{kRadius}, {}}});
  return Stage(builder.build({{"*", "*", {}}}), kRadius);
}

// A ball on two planes that lean by 1e-5 … 1e-2 against each other has speeds of as much along
// their normals where it moves across at 1 m/s. Held along both it would stop, and no contact does
// that: it goes on, sinks into neither plane and loses what an inelastic impact takes at most.
// Planes that are all but one are first one, which turns the motion by lean, then the other is met
// at 2 lean, and x is left by lean: cos²(lean) cos(2 lean) = 1 - 3 lean².
TEST_CASE("what is held opens rather than stop a motion across two facets") {
  for (const bool brief : {false, true})
    for (const double lean : {1e-5, 1e-4, 1e-3, 1e-2}) {
      Stage stage = ball_between(lean);
      stage.hold(StageFriction::none, {}, HeldTangents::without);
      stage.set.brief = brief;
      stage.held.hold(stage.set);
      stage.factor(HeldTangents::without);
      REQUIRE(stage.held.set().touching.size() == 2);
      VectorXd v = VectorXd::Unit(6, 3);
      INFO("lean ", lean, ", brief ", brief);
      const Projected done = project_velocity(stage.here, stage.held, {}, v, *stage.workspace);
      CHECK(done.suspect == 0.0);
      CHECK(std::abs(v[3] - 1.0) <= 3.01 * lean * lean + 1e-12);
      for (const Contact& contact : stage.held.set().touching.contacts)
        CHECK(contact.n_W.dot(v.tail<3>()) >= -1e-9);
    }
}

// Of what falls onto both, both take all, with an explanation.
TEST_CASE("two facets stop what falls onto them, and nobody wonders") {
  Stage stage = ball_between(1e-5);
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  VectorXd falling = -VectorXd::Unit(6, 5);
  const Projected done = project_velocity(stage.here, stage.held, {}, falling, *stage.workspace);
  CHECK(done.suspect == 0.0);
  CHECK_FALSE(done.opened);
  CHECK(falling.norm() <= 1e-9);
}

// A wedge of 1e-5 rad that a ball slides into stops it, by forces of 1e5 times their share of its
// momentum: whether it should have come so far, the run is to say, with its energy of 1 J.
TEST_CASE("what stops a motion and cannot be told otherwise is suspect") {
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  constexpr double kLean = 1e-5;
  Pose above;
  above.R = Eigen::AngleAxisd(M_PI + kLean, Vector3d::UnitY()).toRotationMatrix();
  above.p = Vector3d(0.0, 0.0, 2.0 * kRadius);
  builder.add_fixed_body("jaws", {}, {{Plane{}, {}}, {Plane{}, above}});
  builder.add_free_body("ball", {kMass, Vector3d::Zero(), 0.008 * Matrix3d::Identity()},
                        {{Sphere{kRadius}, {}}});
  Stage stage(builder.build({{"*", "*", {}}}), kRadius);
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  REQUIRE(stage.held.set().touching.size() == 2);
  const double way = stage.held.set().touching.contacts[1].n_W.x() < 0.0 ? 1.0 : -1.0;
  VectorXd v = way * VectorXd::Unit(6, 3);
  const Projected done = project_velocity(stage.here, stage.held, {}, v, *stage.workspace);
  CHECK(done.suspect == doctest::Approx(0.5 * kMass).epsilon(1e-9));
  CHECK(v.norm() <= 1e-9);
}

// 1 cm aside of the edge between planes that lean by 1e-5 a ball is 1e-7 m over one and below the
// other. Both gaps are closed over the edge; to lift it by 1e-7 m is all that is needed.
TEST_CASE("a projection closes no gaps by a motion along them") {
  Stage stage = ball_between(1e-5);
  stage.state.q[0] = 0.01;
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  REQUIRE(stage.held.set().touching.size() == 2);
  project_position(stage.model, stage.here.factor(), stage.here.kinematics(), stage.held, {},
                   stage.state.q, *stage.workspace);
  CHECK(std::abs(stage.state.q[0] - 0.01) <= 1e-6);
  for (const Contact& contact : stage.held.set().touching.contacts) CHECK(contact.gap >= -1e-12);
}

// Balls under a body: three of them 1 cm apart, two 0.4 m away. To close the gaps of the three
// would tilt it, and open those by forty times as much.
TEST_CASE("gaps that contradict each other move a body no more than they are") {
  Random random(65);
  for (int i = 0; i < 20; ++i) {
    ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
    builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
    std::vector<CollisionShape> balls;
    for (const auto& [x, y] :
         {std::pair{0.0, 0.0}, {0.01, 0.0}, {0.0, 0.01}, {0.4, 0.0}, {0.0, 0.4}})
      balls.push_back({Sphere{0.01}, Pose{Matrix3d::Identity(),
                                          Vector3d(x, y, 5e-10 * random.uniform(-1.0, 1.0))}});
    builder.add_free_body("body", {kMass, Vector3d::Zero(), 0.03 * Matrix3d::Identity()}, balls);
    Stage stage(builder.build({{"*", "*", {}}}), 0.01);
    stage.hold(StageFriction::none, {}, HeldTangents::without);
    REQUIRE(stage.set.touching.size() == 5);
    const LeftGaps left =
        project_position(stage.model, stage.here.factor(), stage.here.kinematics(), stage.held, {},
                         stage.state.q, *stage.workspace);
    const double widest = widest_gap(stage.held.set().touching.contacts);
    CHECK(widest <= 3.0 * widest_gap(stage.set.touching.contacts));
    CHECK(left.widest == widest);
    // Some stay open, none below zero.
    CHECK(widest > kGapNoise);
    CHECK(left.to_close <= kStillTouches);
    for (const Contact& contact : stage.held.set().touching.contacts)
      CHECK(contact.gap >= -left.to_close);
  }
}

}  // namespace pequod::held_test
