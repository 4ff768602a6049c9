// Bounds on how far shapes go, against where they are, and the pairs that are left out by them.
#include "simulation/travel_bound.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "test/support/random_tree.h"

namespace pequod {
namespace {

// A ball on every link of random robots, whose sliders have limits, above a plane.
Model robots_with_balls(Random& random, int robots = 2) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (int i = 0; i < robots; ++i) {
    const bool fixed_base = i % 2 == 1;
    Robot robot = test::random_robot(random, {.links = 5, .fixed = false});
    for (RobotLink& link : robot.links)
      link.collisions = {{Sphere{random.uniform(0.02, 0.1)}, random.pose(0.1)}};
    for (RobotJoint& joint : robot.joints)
      if (joint.type == RobotJointType::prismatic) joint.lower = -1.5, joint.upper = 1.5;
    builder.add_robot("robot" + std::to_string(i), robot, fixed_base, random.pose(1.0), true);
  }
  return builder.build();
}

// m: the farthest that a point of the balls is from where it was.
double farthest(const Model& model, const Evaluator& a, const Evaluator& b,
                const Collision& collision) {
  const std::vector<int>& all = collision.near().all().shapes;
  const std::vector<Pose>&X_a = a.shapes(all), &X_b = b.shapes(all);
  double most = 0.0;
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    if (model.shapes[i].link < 0) continue;
    const double radius = bounding_radius(model.shapes[i].geometry);
    for (const int axis : {0, 1, 2}) {
      const Vector3d point = radius * Vector3d::Unit(axis);
      most = std::max(most, (X_a[i] * point - X_b[i] * point).norm());
    }
  }
  return most;
}

}  // namespace

// 300 pairs of places of random trees with joints of all kinds, near each other and far.
TEST_CASE("nothing goes farther, nor faster, than joint angles and their reach say") {
  Random random(1);
  double nearest = 0.0;  // of the ratios: a bound that is never neared would not be worth much
  for (int trial = 0; trial < 300; ++trial) {
    const Model model = robots_with_balls(random);
    const Collision collision(model);
    const TravelBound bound(model, bounding_radii(model));
    const double size = trial % 3 == 0 ? 1e-6 : trial % 3 == 1 ? 0.05 : 1.0;
    const State a = test::random_state(random, model), b = test::random_state(random, model);
    const VectorXd far = test::moved(model, a.q, size * b.v);
    Evaluator at_a(model), at_far(model);
    at_a.at(a.q, b.v);
    at_far.at_position(far);
    const double way = farthest(model, at_a, at_far, collision);
    CHECK(way <= bound.between(a.q, far) * (1.0 + 1e-9));
    CHECK(bound.between(a.q, far) == doctest::Approx(bound.between(far, a.q)));
    nearest = std::max(nearest, way / bound.between(a.q, far));
    for (std::size_t i = 0; i < model.shapes.size(); ++i) {
      if (model.shapes[i].link < 0) continue;
      const std::vector<int>& all = collision.near().all().shapes;
      const double speed = at_a.speeds(all)[i], radius = bounding_radius(model.shapes[i].geometry);
      CHECK(speed <= bound.speed(b.v) * (1.0 + 1e-12));
      const Vector3d p = at_a.shapes(all)[i] * Vector3d(0.0, radius, 0.0);
      CHECK(point_velocity(model, at_a.kinematics(), model.shapes[i].link, p).norm() <=
            speed * (1.0 + 1e-12));
    }
  }
  CHECK(nearest > 0.5);
}

// A ball of 0.1 m, 0.3 m from the origin about which its body turns by θ: its farthest point goes
// 2 sin(θ/2) 0.4 m. The bound is that over cos(θ/4), as its quaternions are 2 sin(θ/4) apart.
TEST_CASE(
    "a turn is bounded by the chord of the farthest point, whichever sign its quaternion has") {
  ModelBuilder builder;
  const Inertia inertia{1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()};
  builder.add_free_body("ball", inertia, {{Sphere{0.1}, {Matrix3d::Identity(), {0.3, 0.0, 0.0}}}});
  const Model model = builder.build();
  const TravelBound bound(model, bounding_radii(model));
  const VectorXd start = make_state(model).q;
  for (const double theta : {1e-6, 0.1, 1.0, 3.0})
    for (const double sign : {1.0, -1.0}) {
      VectorXd turned = start;
      turned.tail<4>() << sign * std::cos(0.5 * theta), 0.0, 0.0, sign * std::sin(0.5 * theta);
      const double way = 2.0 * std::sin(0.5 * theta) * 0.4;
      CHECK(bound.between(start, turned) ==
            doctest::Approx(way / std::cos(0.25 * theta)).epsilon(1e-9));
    }
}

TEST_CASE("a slider without limits behind a joint that turns may go anywhere") {
  Robot robot;
  for (const char* name : {"0", "1", "2"}) {
    RobotLink link;
    link.name = name;
    link.mass = 1.0;
    link.inertia = 0.01 * Matrix3d::Identity();
    link.collisions = {{Sphere{0.1}, {}}};
    robot.links.push_back(link);
  }
  RobotJoint turns, slides;
  turns.name = "turns", turns.type = RobotJointType::continuous;
  turns.parent = "0", turns.child = "1";
  slides.name = "slides", slides.type = RobotJointType::prismatic;
  slides.parent = "1", slides.child = "2";
  robot.joints = {turns, slides};
  ModelBuilder builder;
  builder.add_robot("arm", robot, true, {}, false);
  const Model model = builder.build();
  const TravelBound bound(model, bounding_radii(model));
  CHECK(bound.between(VectorXd::Zero(2), Eigen::Vector2d(0.0, 0.5)) == 0.5);
  CHECK(bound.between(VectorXd::Zero(2), Eigen::Vector2d(1e-9, 0.5)) == kInfinity);
}

// Balls and the ground z = 0, by their places alone.
std::vector<ShapePair> pairs_within(const Model& model, const std::vector<Pose>& X_WS,
                                    double range) {
  const auto radius = [&](int i) {
    const Geometry& geometry = nth(model.shapes, i).geometry;
    return std::get<Sphere>(geometry).radius;
  };
  const auto centre = [&](int i) -> const Vector3d& { return nth(X_WS, i).p; };
  std::vector<ShapePair> pairs;
  for (int a = 0; a < static_cast<int>(model.shapes.size()); ++a)
    for (int b = a + 1; b < static_cast<int>(model.shapes.size()); ++b) {
      const double gap = a == 0 ? centre(b).z() - radius(b)
                                : (centre(a) - centre(b)).norm() - radius(a) - radius(b);
      if (gap <= range && model.may_collide(a, b)) pairs.push_back({a, b});
    }
  return pairs;
}

// Walks in small steps, so that pairs are told again many times before they are looked for. Those
// of two robots are listed, those of twelve sorted by boxes.
TEST_CASE("pairs that are told again are those that are near") {
  Random random(2);
  for (const int robots : {2, 12}) {
    std::size_t found = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const Model model = robots_with_balls(random, robots);
      const Collision collision(model);
      State state = test::random_state(random, model);
      Evaluator here(model);
      for (int step = 0; step < 50; ++step) {
        state.q = test::moved(model, state.q, VectorXd(0.003 * state.v));
        here.at(state.q, state.v);
        constexpr double kRange = 0.02;  // m
        const std::vector<double> still(model.shapes.size(), 0.0);
        std::vector<ShapePair> near;
        const PairSelection& among = collision.near().select(here, kRange);
        collision.near().find(among, here.shapes(among.shapes), still, kRange, near);
        const std::vector<ShapePair> all =
            pairs_within(model, here.shapes(collision.near().all().shapes), kRange);
        CHECK(near == all);
        found += all.size();
      }
    }
    CHECK(found > 100);
  }
}

}  // namespace pequod
