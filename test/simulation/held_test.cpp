// What is held, on small problems whose answers are in the comments.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "simulation/evaluate.h"
#include "simulation/held/friction.h"
#include "simulation/held/project.h"
#include "simulation/held/viscous.h"
#include "simulation/held/workspace.h"
#include "test/events/mesh_shapes.h"
#include "test/support/random.h"

namespace pequod::held_test {
namespace {

constexpr double kGravity = 9.81;  // m/s²
constexpr double kMass = 2.0;      // kg
constexpr double kRadius = 0.1;    // m, of the ball
constexpr double kRounding = 1e-13;

// A model at a state, with what is held there.
struct Stage {
  Model model;
  State state;
  Evaluator here;
  HeldSet set;
  HeldFactor held;
  HeldMotion motion;
  std::unique_ptr<HeldWorkspace> workspace = std::make_unique<HeldWorkspace>();

  explicit Stage(Model built)
      : model(std::move(built)), state(make_state(model)), here(model), set(model), held(model) {}
  // The first body stands at this height.
  Stage(Model built, double height) : Stage(std::move(built)) { state.q[2] = height; }

  // Holds what is within 1 mm, all under one law.
  void hold(StageFriction friction, const HeldLaw& law, HeldTangents tangents) {
    here.at(state.q, state.v);
    TouchingWorkspace finding;
    Touching touching;
    find_touching(model, Collision(model), here, 1e-3, finding, touching);
    REQUIRE(touching.size() > 0);
    set.touching = touching;
    set.laws.assign(touching.size(), law);
    set.friction = friction;
    held.hold(set);
    factor(tangents);
  }
  void factor(HeldTangents tangents, RepeatedNormals* repeated = nullptr) {
    here.at(state.q, state.v);
    held.factor(here, tangents, repeated);
  }
  // v̇ with what is held.
  VectorXd accelerate() {
    VectorXd vdot;
    pequod::accelerate(here, held, -here.bias(), vdot, motion, *workspace);
    return vdot;
  }
};

// Bodies over the plane z = 0, gravity with this slope along x.
Model build(const Geometry& geometry, double inertia, const Surface& surface, double slope,
            int count = 1) {
  ModelBuilder builder(kGravity * Vector3d(std::sin(slope), 0.0, -std::cos(slope)));
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (int i = 0; i < count; ++i)
    builder.add_free_body("body" + std::to_string(i),
                          {kMass, Vector3d::Zero(), inertia * Matrix3d::Identity()},
                          {{geometry, {}}});
  return builder.build({{"*", "*", surface}});
}

Stage ball(double height, const Surface& surface = {}) {
  return {build(Sphere{kRadius}, 0.4 * kMass * kRadius * kRadius, surface, 0.0), height};
}

// A cube of edge 0.2 m that lies on the plane with four corners.
Stage cube(const Surface& surface = {}, double slope = 0.0) {
  return {build(Box{Vector3d(0.2, 0.2, 0.2)}, kMass * 0.2 * 0.2 / 6.0, surface, slope), 0.1};
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Surface with_friction(double mu) {
  Surface surface;
  surface.friction = mu;
  return surface;
}

Surface with_viscosity(double mu) {
  Surface surface;
  surface.viscous = mu;
  return surface;
}

}  // namespace

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
  RepeatedNormals repeated;
  for (int stages = 0; stages < 2; ++stages) {
    stage.held.outdate();
    stage.factor(HeldTangents::without, &repeated);
    CHECK(repeated.known);
    REQUIRE(repeated.keys.size() == 1);
    CHECK(repeated.keys[0] == stage.set.touching.contacts[3].key);
    CHECK(stage.held.islands()[0].rows.rank() == 3);
  }
}

// On a slope of angle a with μ > tan a: Σ normal forces m g cos a, Σ friction m g sin a uphill.
TEST_CASE("a cube sticks on a slope by m g cos a and m g sin a") {
  const double slope = 0.3;  // rad
  Stage stage = cube(with_friction(0.5), slope);
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
  Stage stage = cube(with_friction(0.2), 0.3);
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
  Stage stage = ball(kRadius, with_friction(mu));
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
  Stage other = cube(with_friction(0.4)), fresh = ball(kRadius, with_friction(0.3)),
        used = ball(kRadius, with_friction(0.3));
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

// A square box of 0.4 m over facets of 12 mm whose corners are off by 1e-12 m.
Stage box_on_facets(Random& random) {
  const auto height = [&](double, double) { return 1e-12 * random.uniform(-1.0, 1.0); };
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  builder.add_fixed_body("ground", {}, {{test::sheet(64, 0.8, height), {}}});
  builder.add_free_body("box", {kMass, Vector3d::Zero(), 0.03 * Matrix3d::Identity()},
                        {{Box{Vector3d(0.4, 0.4, 0.1)}, {}}});
  return {builder.build({{"*", "*", {}}}), 0.05};
}

double widest_gap(const Touching& touching) {
  double widest = 0.0;
  for (const Contact& contact : touching.contacts) widest = std::max(widest, std::abs(contact.gap));
  return widest;
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
    const double widest = widest_gap(stage.held.set().touching);
    CHECK(widest <= 3.0 * widest_gap(stage.set.touching));
    CHECK(left.widest == widest);
    // Some stay open, none below zero.
    CHECK(widest > kGapNoise);
    CHECK(left.to_close <= kStillTouches);
    for (const Contact& contact : stage.held.set().touching.contacts)
      CHECK(contact.gap >= -left.to_close);
  }
}

// The largest triangle in a square is half of it; its corners' contacts are among those held.
TEST_CASE("of dozens of contacts of a body that rubs three far apart are held first") {
  Random random(66);
  Stage stage = box_on_facets(random);
  stage.hold(StageFriction::coulomb, {}, HeldTangents::without);
  const HeldIsland& part = stage.held.islands().front();
  const auto place = [&](std::size_t i) {
    const int contact = part.island.contacts[i];
    return stage.set.touching.contacts[static_cast<std::size_t>(contact)].p_W;
  };
  for (std::size_t i = 0; i < 3; ++i) CHECK(part.rows.accepted()[i] == 1);
  const double doubled = (place(1) - place(0)).cross(place(2) - place(0)).norm();
  CHECK(doubled >= 0.95 * 0.4 * 0.4);
}

// Friction at the lowest point of a ball moves it and turns it: u̇ = −μv u (1/m + R²/I) = −3.5 μv
// u/m. Over a step h backward Euler gives u⁺ = u / (1 + 3.5 μv h/m), and the force −μv u⁺.
TEST_CASE("viscous friction at one point of a ball decays at 3.5 mu/m") {
  const double mu = 40.0, h = 0.1, u = 2.0;  // N·s/m, s, m/s
  Stage stage = ball(kRadius, with_viscosity(mu));
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
  Robot robot;
  robot.name = "pendulum";
  for (const char* name : {"base", "bob"}) {
    RobotLink& link = robot.links.emplace_back();
    link.name = name;
    link.mass = kMass;
    link.inertia = 0.01 * Matrix3d::Identity();
  }
  robot.links[1].com = {0.0, 0.0, -l};
  RobotJoint& joint = robot.joints.emplace_back();
  joint.name = "pivot";
  joint.type = RobotJointType::revolute;
  joint.parent = "base";
  joint.child = "bob";
  joint.axis = Vector3d::UnitY();
  joint.friction = 20.0;
  ModelBuilder builder(Vector3d(0.0, 0.0, -kGravity));
  builder.add_robot("pendulum", robot, true, {}, false);
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
