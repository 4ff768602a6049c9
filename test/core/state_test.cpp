// Configurations: the rotation group under q ⊕ d.
#include "core/state.h"

#include <doctest/doctest.h>

#include "test/support/differences.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// Two free bodies and a robot with all joints.
Model mixed_model(Random& random) {
  ModelBuilder builder;
  const RobotLink body = random_link(random, "body");
  const Inertia inertia{body.mass, body.com, body.inertia};
  builder.add_free_body("a", inertia, {});
  builder.add_robot("r", random_robot(random, {.links = 20}), false, Pose{}, false);
  builder.add_free_body("b", inertia, {});
  return builder.build();
}

double worst_length(const Model& model, const VectorXd& q) {
  double worst = 0.0;
  for (const Link& link : model.links) {
    const int i = link.joint.q_index;
    if (link.joint.type == JointType::free)
      worst = std::max(worst, std::abs(q.segment<4>(i + 3).norm() - 1.0));
    if (link.joint.type == JointType::spherical)
      worst = std::max(worst, std::abs(q.segment<4>(i).norm() - 1.0));
  }
  return worst;
}

double distance(const Model& model, const VectorXd& q, const VectorXd& p) {
  std::vector<Pose> A, B;
  compute_poses(model, q, A);
  compute_poses(model, p, B);
  double worst = 0.0;
  for (std::size_t i = 0; i < A.size(); ++i)
    worst = std::max({worst, (A[i].R - B[i].R).cwiseAbs().maxCoeff(), (A[i].p - B[i].p).norm()});
  return worst;
}

}  // namespace

TEST_CASE("quaternion_exp turns by |a| about a, from the smallest angle to many turns") {
  Random random(41);
  Worst worst, length;
  for (const double angle : {0.0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-5, 1.9e-4, 2.1e-4, 1e-2, 1.0, 3.0,
                             3.14159265358979, 6.2831853071795864, 100.0}) {
    const Vector3d axis = random.unit();
    const Quaterniond q = quaternion_exp(angle * axis);
    length.see(std::abs(q.norm() - 1.0));
    const long double half = 0.5L * static_cast<long double>(angle);
    // Relative to the angle itself, where it is small: sin(a/2) axis must keep its digits.
    const Vector3d expected = static_cast<double>(std::sin(half)) * axis;
    const double scale = std::min(1.0, std::max(0.5 * angle, 1e-300));
    worst.see((q.vec() - expected).norm() / scale / std::max(1.0, angle));
    worst.see(std::abs(q.w() - static_cast<double>(std::cos(half))) / std::max(1.0, angle));
  }
  MESSAGE("quaternion_exp " << worst.value() << ", length " << length.value());
  // ε, and the argument's own rounding ε|a|. Below 1e-154 the norm of a underflows; the direction
  // is right all the same.
  CHECK(worst.value() < 1e-15);
  CHECK(length.value() < 1e-15);
  CHECK(quaternion_exp(Vector3d::Zero()).coeffs() == Quaterniond::Identity().coeffs());
  const Matrix3d turn = rotation_exp({0.0, 0.0, std::acos(-1.0) / 2.0});
  CHECK((turn * Vector3d::UnitX() - Vector3d::UnitY()).norm() < 1e-15);
}

TEST_CASE("one displacement equals its thousand small parts, at unit length") {
  Random random(42);
  Worst length, path;
  for (int trial = 0; trial < 5; ++trial) {
    const Model model = mixed_model(random);
    const State state = random_state(random, model);
    const VectorXd d = 3.0 * state.v;
    VectorXd q = state.q;
    for (int i = 0; i < 1000; ++i) {
      integrate_position(model, q, d / 1000.0, q);
      length.see(worst_length(model, q));
    }
    path.see(distance(model, q, moved(model, state.q, d)));
  }
  MESSAGE("unit length " << length.value() << ", path " << path.value());
  CHECK(length.value() < 5e-16);  // normalised every time: rounding of one square root
  CHECK(path.value() < 1e-12);    // 1000 roundings
}

TEST_CASE("q̇ is the derivative of q ⊕ v t and keeps unit length") {
  Random random(43);
  Worst rate, length;
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = mixed_model(random);
    const State state = random_state(random, model);
    VectorXd qdot(model.nq);
    position_rate(model, state.q, state.v, qdot);
    const VectorXd expected =
        derivative([&](double t) { return moved(model, state.q, t * state.v); });
    rate.see((qdot - expected).cwiseAbs().maxCoeff());
    for (const Link& link : model.links) {
      const int i = link.joint.q_index + (link.joint.type == JointType::free ? 3 : 0);
      if (position_count(link.joint.type) >= 4)
        length.see(std::abs(qdot.segment<4>(i).dot(state.q.segment<4>(i))));
    }
  }
  MESSAGE("q' " << rate.value() << ", along q " << length.value());
  CHECK(rate.value() < 1e-11);  // rounding of the differences
  CHECK(length.value() < 1e-15);
}

TEST_CASE("a free base turns in world axes, a spherical joint in the axes of its link") {
  Robot robot;
  Random random(44);
  robot.links = {random_link(random, "0"), random_link(random, "1")};
  robot.joints.resize(1);
  robot.joints[0].name = "j1";
  robot.joints[0].type = RobotJointType::spherical;
  robot.joints[0].parent = "0";
  robot.joints[0].child = "1";
  ModelBuilder builder;
  builder.add_robot("r", robot, false, Pose{}, false);
  const Model model = builder.build();
  const State state = random_state(random, model);
  const double quarter = std::acos(-1.0) / 2.0;
  std::vector<Pose> before, after;
  compute_poses(model, state.q, before);
  compute_poses(model, moved(model, state.q, quarter * VectorXd::Unit(model.nv, 2)), after);
  const Matrix3d Rz = Eigen::AngleAxisd(quarter, Vector3d::UnitZ()).toRotationMatrix();
  CHECK((after[0].R - Rz * before[0].R).norm() < 1e-15);
  CHECK((after[0].p - before[0].p).norm() == 0.0);
  compute_poses(model, moved(model, state.q, quarter * VectorXd::Unit(model.nv, 8)), after);
  CHECK((after[1].R - before[1].R * Rz).norm() < 2e-15);
}

TEST_CASE("normalising leaves unit quaternions and touches nothing else") {
  Random random(45);
  const Model model = mixed_model(random);
  const State state = random_state(random, model);
  VectorXd q = state.q;
  for (const Link& link : model.links) {
    const int i = link.joint.q_index;
    if (link.joint.type == JointType::free) q.segment<4>(i + 3) *= 1.7;
    if (link.joint.type == JointType::spherical) q.segment<4>(i) *= 0.3;
  }
  normalise_quaternions(model, q);
  CHECK((q - state.q).cwiseAbs().maxCoeff() < 5e-16);
}

TEST_CASE("the state of no motion has identity rotations and its modes are found by key") {
  Random random(46);
  const Model model = mixed_model(random);
  State state = make_state(model);
  CHECK(worst_length(model, state.q) == 0.0);
  CHECK(state.q.sum() == doctest::Approx(std::ranges::count_if(model.links, [](const Link& link) {
          return position_count(link.joint.type) >= 4;
        })));
  CHECK(find_mode(state, {1, 2, 3}) == nullptr);
  for (const ContactKey& key : {joint_limit_key(4, false), joint_limit_key(4, true),
                                ContactKey{1, 2, 0}, ContactKey{1, 2, 7}}) {
    state.mode.emplace_back();
    state.mode.back().key = key;
  }
  CHECK(find_mode(state, {1, 2, 7}) == &state.mode[3]);
  CHECK(find_mode(state, joint_limit_key(4, true)) == &state.mode[1]);
  CHECK(find_mode(state, {1, 2, 3}) == nullptr);
  ModeFinder finder(state);  // in order, out of order, what is not there, the same again
  for (const ContactKey& key : {state.mode[0].key, state.mode[1].key, ContactKey{1, 2, 3},
                                state.mode[2].key, state.mode[3].key, ContactKey{1, 2, 9},
                                state.mode[1].key, state.mode[1].key, state.mode[0].key})
    CHECK(finder.find(key) == find_mode(state, key));
}

// Against a look at every mode.
TEST_CASE("the modes of some shapes, in the order of their keys") {
  Random random(7);
  const auto below = [&](int n) { return static_cast<int>(random.uniform(0.0, n)); };
  for (int trial = 0; trial < 200; ++trial) {
    State state;
    for (std::uint64_t i = 0; i < 40; ++i) {
      const int a = below(10) - 1;
      state.mode.emplace_back();
      state.mode.back().key = {a, a + 1 + below(8), i};
    }
    sort_modes(state);
    const int first = below(12), last = first + below(4);
    const auto is_own = [&](int shape) { return first <= shape && shape < last; };
    std::vector<ContactKey> own, told;
    for (const ContactMode& mode : state.mode)
      if (!is_joint_limit(mode.key) && (is_own(mode.key.shape_a) || is_own(mode.key.shape_b)))
        own.push_back(mode.key);
    visit_modes(state, first, last, [&](const ContactMode& mode) { told.push_back(mode.key); });
    CHECK(told == own);
  }
}
