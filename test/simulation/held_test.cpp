// The rows of what is held and their forces, on small problems whose answers are in the comments.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "simulation/held/viscous.h"
#include "test/events/mesh_shapes.h"
#include "test/simulation/chain.h"
#include "test/simulation/held_stage.h"
#include "test/support/random.h"

namespace pequod::held_test {

TEST_CASE("a ball that rests on the ground is held by m g") {
  Stage stage = ball(kRadius);
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  const VectorXd vdot = stage.accelerate();
  CHECK(vdot.norm() <= kRounding * kGravity);
  REQUIRE(stage.motion.force.size() == 1);
  CHECK(stage.motion.force[0] == doctest::Approx(kMass * kGravity).epsilon(kRounding));
  CHECK(stage.held.unique());
}

// Four corners, three motions: one normal repeats others. All forces that only push and balance the
// weight about the centre are right.
TEST_CASE("a cube that lies flat has forces that are not unique, and some that only push") {
  Stage stage = cube();
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  CHECK(stage.accelerate().norm() <= kRounding * kGravity);
  CHECK_FALSE(stage.held.unique());
  ContactWorkspace solving;
  const double missing = push_only(least_distance_solvers().front(), stage.held, stage.motion,
                                   solving, *stage.workspace);
  CHECK(missing <= 1e-12);
  CHECK(sum(stage.motion.force) == doctest::Approx(kMass * kGravity).epsilon(1e-12));
  for (const double force : stage.motion.force) CHECK(force >= 0.0);
}

// Of four corners the first three hold the motions of a face; the step remembers the fourth.
TEST_CASE("the normal that repeats others where a step starts is remembered") {
  Stage stage = cube();
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  RepeatedRows repeated;
  for (int stages = 0; stages < 2; ++stages) {
    stage.held.outdate();
    stage.factor(HeldTangents::without, &repeated);
    CHECK(repeated.known);
    REQUIRE(repeated.keys.size() == 1);
    CHECK(repeated.keys[0] == ContactRow{stage.set.touching.contacts[3].key, 0});
    CHECK(stage.held.islands()[0].rows.rank() == 3);
  }
}

// Two balls on links that a hinge at the height of their contacts joins, midway between: along the
// line of the three no speed of the hinge tells the contacts apart, so that a tangent of one
// repeats one of the other. Bent by 1e-4 rad the hinge tells them apart by as little, which no step
// shall take for a row of its own halfway through.
TEST_CASE("a tangent that repeats another where a step starts does so in all of the step") {
  const double d = 0.3;  // m, from the hinge
  Robot robot;
  robot.name = "pair";
  for (const double side : {-1.0, 1.0}) {
    RobotLink link;
    link.name = side < 0.0 ? "left" : "right";
    link.mass = kMass;
    link.com = {side * d, 0.0, kRadius};
    link.inertia = 0.01 * Matrix3d::Identity();
    link.collisions = {{Sphere{kRadius}, {Matrix3d::Identity(), link.com}}};
    robot.links.push_back(link);
  }
  RobotJoint hinge;
  hinge.name = "hinge";
  hinge.type = RobotJointType::continuous;
  hinge.parent = "left";
  hinge.child = "right";
  hinge.axis = Vector3d::UnitY();
  robot.joints.push_back(hinge);
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_robot("pair", robot, false, {}, false);
  Stage stage(builder.build());
  stage.hold(StageFriction::no_slip, {.sticks = true}, HeldTangents::held);
  RepeatedRows repeated;
  stage.held.outdate();
  stage.factor(HeldTangents::held, &repeated);
  REQUIRE(repeated.keys.size() == 1);
  REQUIRE(stage.held.islands()[0].rows.rank() == 5);
  stage.state.q[7] = 1e-4;
  stage.factor(HeldTangents::held);
  CHECK(stage.held.islands()[0].rows.rank() == 6);
  stage.held.outdate();
  stage.factor(HeldTangents::held, &repeated);
  CHECK(stage.held.islands()[0].rows.rank() == 5);
}

// Of a contact of which nothing is asked: what rounding leaves of its row is no share.
TEST_CASE("what is left of accelerations that nobody asked for is no share of them") {
  Stage stage = ball(kRadius);
  stage.hold(StageFriction::none, {}, HeldTangents::without);
  const HeldIsland& part = stage.held.islands()[0];
  CHECK(part.share_left(0.0, 0.0) == 0.0);
  CHECK(part.share_left(1e-16, 0.0) < 1e-9);
  CHECK(part.share_left(1e-16, 1e-20) < 1e-9);
  CHECK(part.share_left(0.5, 2.0) == doctest::Approx(0.25).epsilon(1e-15));
}

// On a slope of angle a with μ > tan a: Σ normal forces m g cos a, Σ friction m g sin a uphill.
TEST_CASE("a cube sticks on a slope by m g cos a and m g sin a") {
  const double slope = 0.3;  // rad
  Stage stage = cube({.friction = 0.5}, slope);
  stage.hold(StageFriction::coulomb, {.sticks = true}, HeldTangents::held);
  CHECK(stage.accelerate().norm() <= 1e-12 * kGravity);
  FrictionForces forces;
  judge_friction(stage.here, stage.held, stage.motion, forces, *stage.workspace);
  CHECK(forces.missing <= 1e-9);
  const Vector3d friction =
      std::accumulate(forces.tangential.begin(), forces.tangential.end(), Vector3d(0, 0, 0));
  CHECK(sum(forces.normal) == doctest::Approx(kMass * kGravity * std::cos(slope)).epsilon(1e-9));
  CHECK(friction.x() == doctest::Approx(-kMass * kGravity * std::sin(slope)).epsilon(1e-9));
  CHECK(std::abs(friction.y()) <= 1e-9 * kMass * kGravity);
}

// tan 0.3 = 0.31 is more than μ = 0.2: no force in the cones holds it. The nearest is off by the
// angle between the weight and the cone, sin(0.3 − atan 0.2) = 0.10, in a metric near the plain
// one.
TEST_CASE("a cube does not stick on a slope that is steeper than its cone") {
  Stage stage = cube({.friction = 0.2}, 0.3);
  stage.hold(StageFriction::coulomb, {.sticks = true}, HeldTangents::held);
  (void)stage.accelerate();
  FrictionForces forces;
  judge_friction(stage.here, stage.held, stage.motion, forces, *stage.workspace);
  CHECK(forces.missing > 0.05);
  CHECK(forces.missing < 0.15);
}

// A ball that slides along x without turning: normal force m g, friction −μ m g, so that v̇ = −μ g,
// ω̇ = μ m g R / I about y, and friction takes μ m g v.
TEST_CASE("a ball slides with the force n - mu d") {
  const double mu = 0.3, v = 1.5;  // m/s
  Stage stage = ball(kRadius, {.friction = mu});
  stage.state.v[3] = v;
  stage.hold(StageFriction::coulomb, {.slide = {.kind = SlideMode::Kind::moving}},
             HeldTangents::held);
  const VectorXd vdot = stage.accelerate();
  VectorXd expected = VectorXd::Zero(6);
  expected[1] = mu * kGravity / (0.4 * kRadius);
  expected[3] = -mu * kGravity;
  CHECK((vdot - expected).norm() <= 1e-12 * expected.norm());
  CHECK(stage.motion.slip_power == doctest::Approx(mu * kMass * kGravity * v).epsilon(1e-12));
  CHECK(stage.motion.unmet <= 1e-12);
  FrictionForces forces;
  judge_friction(stage.here, stage.held, stage.motion, forces, *stage.workspace);
  CHECK(forces.normal[0] == doctest::Approx(kMass * kGravity).epsilon(1e-12));
  CHECK((forces.tangential[0] - Vector3d(-mu * kMass * kGravity, 0, 0)).norm() <= 1e-11);
  CHECK(forces.margin[0] == doctest::Approx(forces.normal[0]));
  CHECK_FALSE(runs_away(stage.held, stage.motion, *stage.workspace));
}

// What another problem left behind in the storage makes no difference, to the bit.
TEST_CASE("neither workspace nor motion carries anything from one problem to the next") {
  const auto slide = [](Stage& stage) {
    stage.state.v[3] = 1.5;
    stage.hold(StageFriction::coulomb, {.slide = {.kind = SlideMode::Kind::moving}},
               HeldTangents::held);
    return stage.accelerate();
  };
  Stage other = cube({.friction = 0.4}), fresh = ball(kRadius, {.friction = 0.3}),
        used = ball(kRadius, {.friction = 0.3});
  (void)slide(other);
  FrictionForces forces, again;
  judge_friction(other.here, other.held, other.motion, again, *other.workspace);
  std::swap(used.workspace, other.workspace);
  used.motion = other.motion;
  CHECK(slide(used) == slide(fresh));
  judge_friction(fresh.here, fresh.held, fresh.motion, forces, *fresh.workspace);
  judge_friction(used.here, used.held, used.motion, again, *used.workspace);
  CHECK(forces.normal == again.normal);
  CHECK(forces.tangential == again.tangential);
  CHECK(forces.margin == again.margin);
  CHECK(forces.missing == again.missing);
}

// A square box of 0.4 m over facets of 12 mm whose corners are off by 1e-12 m.
Stage box_on_facets(Random& random) {
  const auto height = [&](double, double) { return 1e-12 * random.uniform(-1.0, 1.0); };
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  builder.add_fixed_body("ground", {}, {{test::sheet(64, 0.8, height), {}}});
  builder.add_free_body("box", {kMass, Vector3d::Zero(), 0.03 * Matrix3d::Identity()},
                        {{Box{Vector3d(0.4, 0.4, 0.1)}, {}}});
  return {builder.build({{"*", "*", {}}}), 0.05};
}

// The largest triangle in a square is half of it; its corners' contacts are among those held.
TEST_CASE("of dozens of contacts of a body that rubs three far apart are held first") {
  Random random(66);
  Stage stage = box_on_facets(random);
  stage.hold(StageFriction::coulomb, {}, HeldTangents::without);
  const HeldIsland& part = stage.held.islands().front();
  const auto place = [&](std::size_t i) {
    const int contact = part.island.contacts[i];
    return nth(stage.set.touching.contacts, contact).p_W;
  };
  for (std::size_t i = 0; i < 3; ++i) CHECK(part.rows.accepted()[i] == 1);
  const double doubled = (place(1) - place(0)).cross(place(2) - place(0)).norm();
  CHECK(doubled >= 0.95 * 0.4 * 0.4);
}

// Two feet nearly meet, as where two contacts run into one corner of the ground; feet that are well
// apart are held as they come.
TEST_CASE("of a few contacts of a body that rubs three far apart are held first") {
  const std::vector<Vector3d> corner = {{0, 0, 0}, {1e-4, 0, 0}, {0.3, 0, 0}, {0.3, 0.3, 0}},
                              face = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0}, {0.3, 0.3, 0}};
  for (const std::vector<Vector3d>& feet : {corner, face}) {
    std::vector<CollisionShape> shapes;
    for (const Vector3d& foot : feet)
      shapes.push_back({Sphere{0.05}, {Matrix3d::Identity(), foot}});
    ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
    builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
    builder.add_free_body("table", {kMass, Vector3d::Zero(), 0.03 * Matrix3d::Identity()}, shapes);
    Stage stage(builder.build({{"*", "*", {}}}), 0.05);
    stage.hold(StageFriction::coulomb, {}, HeldTangents::without);
    const std::vector<int>& order = stage.held.islands().front().island.contacts;
    REQUIRE(order.size() == 4);
    const auto place = [&](std::size_t i) {
      return nth(stage.set.touching.contacts, order[i]).p_W;
    };
    const double doubled = (place(1) - place(0)).cross(place(2) - place(0)).norm();
    CHECK(doubled >= 0.99 * 0.3 * 0.3);
    if (feet == face) CHECK(order == std::vector<int>{0, 1, 2, 3});
  }
}

// Friction at the lowest point of a ball moves it and turns it: u̇ = −μv u (1/m + R²/I) = −3.5 μv
// u/m. Over a step h backward Euler gives u⁺ = u / (1 + 3.5 μv h/m), and the force −μv u⁺.
TEST_CASE("viscous friction at one point of a ball decays at 3.5 mu/m") {
  const double mu = 40.0, h = 0.1, u = 2.0;  // N·s/m, s, m/s
  Stage stage = ball(kRadius, {.viscous = mu});
  stage.state.v[3] = u;
  stage.hold(StageFriction::none, {}, HeldTangents::present);
  const double rate = 3.5 * mu / kMass;
  CHECK(viscous_rate(stage.held, *stage.workspace) == doctest::Approx(rate).epsilon(1e-9));
  VectorXd vdot, friction = VectorXd::Zero(6);
  accelerate_implicitly(stage.here, stage.held, stage.state.v, h, -stage.here.bias(), vdot,
                        friction, stage.motion, *stage.workspace);
  const double force = -mu * u / (1.0 + h * rate);
  CHECK(vdot[3] == doctest::Approx(force / kMass).epsilon(1e-12));
  CHECK(friction[3] == doctest::Approx(force).epsilon(1e-12));
  CHECK(stage.motion.force[0] == doctest::Approx(kMass * kGravity).epsilon(1e-12));
}

// Its joint bears the torque m g l sin θ of the weight, and its acceleration is zero to the bit.
TEST_CASE("a pendulum that joint friction holds") {
  const double l = 0.5, angle = 0.4;  // m, rad
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  builder.add_robot("pendulum", test::chain({{kMass, 0.01, 0.0, l, 20.0}}), true, {}, false);
  Stage stage(builder.build());
  stage.state.q[0] = angle;
  stage.set.joints = {0};
  stage.held.hold(stage.set);
  stage.factor(HeldTangents::without);
  CHECK(stage.accelerate()[0] == 0.0);
  REQUIRE(stage.motion.joint_force.size() == 1);
  CHECK(std::abs(stage.motion.joint_force[0]) ==
        doctest::Approx(kMass * kGravity * l * std::sin(angle)).epsilon(1e-12));
}

// 39 independent normals of 20 balls in a row, each on the ground and against the next: they are
// held by a sparse factor. The ground bears m g under each, the balls press not on each other; with
// tangents at hand the same rows are held by the orthogonal factor.
TEST_CASE("many contacts are held as few are") {
  constexpr int kBalls = 20;
  Stage stage(build(Sphere{kRadius}, 0.4 * kMass * kRadius * kRadius, {}, 0.0, kBalls));
  for (int i = 0; i < kBalls; ++i)
    stage.state.q.segment<3>(7 * i) = Vector3d(2.0 * kRadius * i, 0.0, kRadius);
  for (const HeldTangents tangents : {HeldTangents::without, HeldTangents::present}) {
    stage.hold(StageFriction::none, {}, tangents);
    REQUIRE(stage.set.touching.size() == 2 * kBalls - 1);
    CHECK(stage.held.islands()[0].sparse == (tangents == HeldTangents::without));
    CHECK(stage.accelerate().norm() <= 1e-12 * kGravity);
    for (std::size_t i = 0; i < stage.motion.force.size(); ++i) {
      const bool ground = stage.held.set().touching.contacts[i].link_a < 0;
      const double expected = ground ? kMass * kGravity : 0.0;
      CHECK(std::abs(stage.motion.force[i] - expected) <= 1e-11 * kMass * kGravity);
    }
  }
}

// The next step takes the rows over once; then they are gone.
TEST_CASE("rows are handed over for the place and the contacts that they belong to") {
  Stage stage = ball(kRadius);
  stage.hold(StageFriction::none, {}, HeldTangents::present);
  const std::vector<Contact> contacts = stage.held.set().touching.contacts;
  std::vector<Island> islands;
  std::vector<int> tree_offset;
  std::vector<ContactProblem> problems;
  VectorXd elsewhere = stage.state.q;
  elsewhere[0] += 1e-3;
  CHECK_FALSE(stage.held.give_rows(elsewhere, contacts, islands, tree_offset, problems));
  CHECK_FALSE(stage.held.give_rows(stage.state.q, {}, islands, tree_offset, problems));
  CHECK(stage.held.give_rows(stage.state.q, contacts, islands, tree_offset, problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].n == 1);
  REQUIRE(islands.size() == 1);
  CHECK(islands[0].contacts == std::vector<int>{0});
  CHECK(tree_offset == std::vector<int>{0});
  CHECK_FALSE(stage.held.give_rows(stage.state.q, contacts, islands, tree_offset, problems));
}

// A contact goes before the joint limits that are there, and so does its law.
TEST_CASE("laws keep to their contacts in whatever order they are added") {
  Touching from;
  ContactPoint point;
  point.key = {0, 1, 0};
  from.points.push_back(point);
  from.contacts.resize(2);
  from.contacts[0].key = point.key;
  from.contacts[1].key = joint_limit_key(0, false);
  HeldSet set{Model{}};
  set.add(from, 1, {.sticks = false});
  set.add(from, 0, {.sticks = true});
  REQUIRE(set.laws.size() == 2);
  CHECK(set.laws[0].sticks);
  CHECK(set.touching.contacts[0].key == point.key);
}

}  // namespace pequod::held_test
