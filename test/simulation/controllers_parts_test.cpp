// The parts of the controllers, each against its definition.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "simulation/controllers/foot_ball.h"
#include "simulation/controllers/foot_spline.h"
#include "simulation/controllers/force_distribution.h"
#include "simulation/controllers/leg_geometry.h"
#include "simulation/controllers/pd.h"
#include "simulation/controllers/torque.h"
#include "simulation/controllers/trot.h"
#include "test/simulation/quadruped.h"
#include "test/support/random.h"

using namespace pequod;

namespace {

VectorXd call(const Controller& controller, const Model& model, const State& state,
              std::vector<double>& memory) {
  Kinematics kin;
  compute_kinematics(model, state.q, state.v, kin);
  MassMatrix mass;
  compute_mass_matrix(model, kin, mass);
  VectorXd bias;
  bias_force(model, kin, bias);
  const ControlInput input{model, state, kin, mass, bias};
  if (memory.empty()) {
    memory.resize(static_cast<std::size_t>(controller.memory_size));
    if (controller.initialise) controller.initialise(input, memory);
  }
  VectorXd tau = VectorXd::Zero(model.nv);
  controller.update(input, memory, tau);
  return tau;
}

}  // namespace

TEST_CASE("pd pulls every joint to where it started, or to its target") {
  const Model model = test::dog_on_plane(test::dog_robot());
  State state = make_state(model);
  state.q.tail<12>().setLinSpaced(-0.5, 0.5);
  PdOptions options;
  std::vector<double> memory;
  const Controller holds = make_pd(model, 1, options);
  CHECK(call(holds, model, state, memory).isZero());
  state.q[7] += 0.1;
  state.v[7] = 0.3;
  const VectorXd tau = call(holds, model, state, memory);
  CHECK(tau[6] == doctest::Approx(-100.0 * 0.1));
  CHECK(tau[7] == doctest::Approx(-2.0 * 0.3));

  options.target = VectorXd::Constant(12, 0.2);
  std::vector<double> fresh;
  CHECK(call(make_pd(model, 1, options), model, state, fresh)[6] ==
        doctest::Approx(100.0 * (0.2 - state.q[7])));
  options.target.resize(3);
  CHECK_THROWS_AS((void)make_pd(model, 1, options), std::invalid_argument);
}

TEST_CASE("a torque table is held from row to row and silent before the first") {
  const Model model = test::dog_on_plane(test::dog_robot());
  const int link = model.joints[4].link;
  const int v = nth(model.links, link).joint.v_index;
  const TorqueTable table{0.1, {0.1, 0.3}, {link}, {2.0, -1.0}};
  const Controller controller = make_torque(model, 1, table);
  State state = make_state(model);
  std::vector<double> memory;
  const std::vector<double> expected{0.0, 2.0, 2.0, -1.0, -1.0};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    state.t = static_cast<double>(k) * 0.1;  // 3 · 0.1 ≠ 0.3 in binary
    CHECK(call(controller, model, state, memory)[v] == expected[k]);
  }
}

TEST_CASE("the force on a frame sums its contacts, whichever side it is on") {
  const Model model = test::dog_on_plane(test::dog_robot());
  State state = make_state(model);
  const Shape& foot = model.shapes[2];
  REQUIRE(foot.link >= 0);
  ContactMode mode;
  mode.force_W = {1.0, 2.0, 3.0};
  mode.key = {0, 2, 0};
  state.mode.push_back(mode);
  mode.key = {2, 3, 0};
  state.mode.push_back(mode);
  mode.key = joint_limit_key(2, true);
  state.mode.push_back(mode);
  sort_modes(state);
  CHECK(contact_force_on(model, state, foot.frame).isZero());
  CHECK(contact_force_on(model, state, model.shapes[0].frame) == Vector3d(-1.0, -2.0, -3.0));
}

// A projection p of f is optimal iff f − p is normal to p and makes an obtuse angle with the cone.
TEST_CASE("the projection onto a friction cone is the nearest point") {
  Random random(7);
  for (int k = 0; k < 1000; ++k) {
    const Vector3d f = random.vector(1.0), other = random.vector(1.0);
    const Vector3d p = project_onto_cone(f, 0.6);
    CHECK(p.head<2>().norm() <= 0.6 * p.z() + 1e-15);
    CHECK(std::abs(p.dot(f - p)) < 1e-15);
    CHECK(project_onto_cone(other, 0.6).dot(f - p) < 1e-15);
  }
}

TEST_CASE("four feet give the wrench that is asked for; cones are kept where they bind") {
  Random random(3);
  double worst = 0.0;
  for (int k = 0; k < 200; ++k) {
    std::vector<Vector3d> arms;
    for (const double x : {0.7, -0.7})
      for (const double y : {0.5, -0.5})
        arms.emplace_back(Vector3d(x, y, -1.0) + 0.1 * random.vector(1.0));
    WrenchShare share;
    share.arms = arms;
    share.force = Vector3d(0.0, 0.0, 1.0) + 0.1 * random.vector(1.0);
    share.moment = 0.05 * random.vector(1.0);
    std::vector<Vector3d> forces(4);
    distribute_wrench(share, forces);
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      force += forces[i];
      moment += arms[i].cross(forces[i]);
    }
    worst = std::max({worst, (force - share.force).norm(), (moment - share.moment).norm()});

    share.force.head<2>() *= 20.0;  // more than the cones can give
    distribute_wrench(share, forces);
    for (const Vector3d& f : forces) CHECK(f.head<2>().norm() <= 0.6 * f.z() + 1e-12);
  }
  CHECK(worst < 2e-3);  // the regularisation of 1e-3
}

TEST_CASE("a foot's spline passes its points, rests at the ends and is smooth") {
  FootSpline spline{2.0, 0.3, 4, {}};
  Random random(5);
  for (int points = 2; points <= 4; ++points) {
    spline.points = points;
    for (Vector3d& p : spline.point) p = random.vector(1.0);
    for (int i = 0; i < points; ++i) {
      const FootMotion at = evaluate(spline, 2.0 + 0.3 * i / (points - 1));
      CHECK((at.p - nth(spline.point, i)).norm() < 1e-12);
      if (i > 0 && i < points - 1) continue;
      CHECK(at.v.norm() < 1e-9);
      CHECK(at.a.norm() < 1e-6);  // at the extra knots it is of the order 1e4
    }
    // p, v and a agree with each other: central differences, error of second order.
    for (const double t : {2.02, 2.13, 2.21, 2.28}) {
      const double h = 1e-6;
      const FootMotion before = evaluate(spline, t - h), after = evaluate(spline, t + h);
      const FootMotion at = evaluate(spline, t);
      CHECK(((after.p - before.p) / (2.0 * h) - at.v).norm() < 1e-5 * (1.0 + at.v.norm()));
      CHECK(((after.v - before.v) / (2.0 * h) - at.a).norm() < 1e-5 * (1.0 + at.a.norm()));
    }
  }
}

TEST_CASE("legs are found by geometry, in any order, beside an arm") {
  test::DogOptions options;
  for (const bool arm : {false, true}) {
    options.arm = arm;
    const Model model = test::dog_on_plane(test::dog_robot(options));
    const auto legs = find_legs(model, 1);
    const std::vector<std::string> names{"dog/c_foot", "dog/b_foot", "dog/a_foot", "dog/d_foot"};
    for (std::size_t i = 0; i < kLegs; ++i) {
      CHECK(nth(model.frames, legs[i].frame).name == names[i]);
      CHECK(legs[i].radius == 0.02);
      CHECK(legs[i].foot == Vector3d(0.0, 0.0, -0.2));
    }
  }
}

TEST_CASE("a robot without four legs of three joints is refused with what was found") {
  test::DogOptions options;
  options.joints = 2;
  const Model model = test::dog_on_plane(test::dog_robot(options));
  CHECK_THROWS_WITH_AS((void)find_legs(model, 1),
                       "dog needs four legs, each a chain of three revolute joints from the base "
                       "to a foot; chains of three or more that were found: none",
                       std::invalid_argument);
}

// The leg's Jacobian against differences of its kinematics.
TEST_CASE("the foot's Jacobian in the base frame is the derivative of its place") {
  const Model model = test::dog_on_plane(test::dog_robot());
  const Leg leg = find_legs(model, 1)[kRightHind];
  const Vector3d q(0.2, 0.7, -1.3);
  const LegPose pose = leg_pose(model, leg, q);
  for (int k = 0; k < 3; ++k) {
    const Vector3d d = 1e-6 * Vector3d::Unit(k);
    const Vector3d slope =
        (leg_pose(model, leg, q + d).foot - leg_pose(model, leg, q - d).foot) / 2e-6;
    CHECK((slope - pose.jacobian.col(k)).norm() < 1e-9);
  }
}

// Equal thigh and shank: cos q = 0.70 gives 0.795 and −1.59, the stance that makers publish.
TEST_CASE("the default stance bends equal legs by 0.795 rad, knees behind") {
  const Model model = test::dog_on_plane(test::dog_robot());
  const VectorXd q = default_stance(model, 1, make_state(model).q);
  for (const Leg& leg : find_legs(model, 1)) {
    CHECK(std::abs(q[leg.q[0]]) < 1e-7);
    CHECK(q[leg.q[1]] == doctest::Approx(std::acos(0.70)).epsilon(1e-6));
    CHECK(q[leg.q[2]] == doctest::Approx(-2.0 * std::acos(0.70)).epsilon(1e-6));
  }
}

// Unbounded, the swing of a stretched leg that spins asks for a thousand times m g z0.
TEST_CASE("a trot asks no joint for more than m g z0") {
  const Model model = test::dog_on_plane(test::dog_robot());
  State state = make_state(model);
  const VectorXd stance = default_stance(model, 1, state.q);
  state.q = stance;
  TrotReport report;
  const Controller trot = make_trot(model, 1, stance, {}, &report);
  std::vector<double> memory;
  const double limit = report.mass * model.gravity.norm() * report.z0;
  CHECK(call(trot, model, state, memory).cwiseAbs().maxCoeff() < 0.5 * limit);  // it stands
  double largest = 0.0;
  for (state.t = 0.0; state.t < 4.0; state.t += 0.05) {
    state.q.tail<12>().setZero();
    state.v.tail<12>().setConstant(60.0);
    largest = std::max(largest, call(trot, model, state, memory).cwiseAbs().maxCoeff());
  }
  CHECK(largest == doctest::Approx(limit).epsilon(1e-12));
}

// A foot printed as a half-disc of 16 mm: its lowest point moves like a ball's.
TEST_CASE("a half-disc foot is taken for the ball of its rim") {
  Robot robot = test::dog_robot();
  Convex disc;
  for (int i = 0; i <= 60; ++i) {
    const double angle = 3.14159265358979 * i / 60.0;
    for (const double y : {-0.005, 0.005})
      disc.vertices.emplace_back(0.016 * std::cos(angle), y, -0.016 * std::sin(angle));
  }
  for (RobotLink& link : robot.links)
    if (link.name == "b_foot") link.collisions = {{disc, {}}};
  const Model model = test::dog_on_plane(robot);
  const Leg leg = find_legs(model, 1)[kRightFront];
  CHECK(leg.radius == doctest::Approx(0.016).epsilon(2e-3));  // the chords lie within 5e-6 m
  CHECK((leg.foot - Vector3d(0.0, 0.0, -0.2)).norm() < 2e-5);
}
