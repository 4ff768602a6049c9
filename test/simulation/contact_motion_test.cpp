// What gaps and slips do with the bodies: the short ways against those for any pair of features.
#include "simulation/contact_motion.h"

#include <doctest/doctest.h>

#include "test/support/random_tree.h"
#include "test/support/worst.h"

namespace pequod::test {
namespace {

// A body of this shape near a plane that leans, the plane before it or behind it.
Model over_plane(Random& random, const Geometry& geometry, bool plane_first) {
  ModelBuilder builder;
  Pose leans;
  leans.R = Eigen::AngleAxisd(random.uniform(-1.0, 1.0), random.unit()).toRotationMatrix();
  leans.p = random.vector(0.2);
  const auto add_plane = [&] { builder.add_fixed_body("ground", leans, {{Plane{}, {}}}); };
  if (plane_first) add_plane();
  Pose placed;
  placed.R = Eigen::AngleAxisd(random.uniform(-1.0, 1.0), random.unit()).toRotationMatrix();
  placed.p = random.vector(0.3);
  builder.add_free_body("body", {1.0, Vector3d::Zero(), Matrix3d::Identity()},
                        {{geometry, placed}});
  if (!plane_first) add_plane();
  return builder.build();
}

Touching all_within_reach(const Model& model, const Evaluator& here) {
  Touching touching;
  TouchingWorkspace workspace;
  find_touching(model, Collision(model), here, 10.0, workspace, touching);
  return touching;
}

}  // namespace

TEST_CASE("balls and corners on a plane turn and slip as any pair of features does") {
  Random random(711);
  Worst gap, slip;
  int contacts = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const bool first = trial % 2 == 0;
    const Model model = trial % 4 < 2
                            ? over_plane(random, Sphere{0.1 + random.uniform(0.0, 0.2)}, first)
                            : over_plane(random, Box{Vector3d(0.2, 0.3, 0.4)}, first);
    const State state = random_state(random, model);
    Evaluator here(model);
    here.at(state.q, state.v);
    const Touching touching = all_within_reach(model, here);
    for (const ContactPoint& point : touching.points) {
      ++contacts;
      const Kinematics& kin = here.kinematics();
      const BodyMotion A = shape_motion(model, kin, point.key.shape_a),
                       B = shape_motion(model, kin, point.key.shape_b);
      const double scale = 1.0 + state.v.squaredNorm();
      gap.see(std::abs(gap_bias(model, kin, point) - gap_acceleration(point, A, B)) / scale);
      slip.see((slip_bias(model, kin, point) - slip_acceleration(point, A, B)).norm() / scale);
    }
  }
  CHECK(contacts > 500);
  CHECK(gap.value() < 1e-13);
  CHECK(slip.value() < 1e-13);
}

// A ball whose centre is its body's origin, which no motion turns about its contact.
TEST_CASE(
    "a ball over a plane that keeps its rows has no bias, one off its body's origin keeps none") {
  Random random(712);
  Worst bias;
  for (int trial = 0; trial < 200; ++trial) {
    const bool centred = trial % 2 == 0;
    Pose placed;
    if (!centred) placed.p = Vector3d(0.0, 0.0, 0.01);
    ModelBuilder builder;
    builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
    builder.add_free_body("ball", {1.0, Vector3d::Zero(), Matrix3d::Identity()},
                          {{Sphere{0.1}, placed}});
    const Model model = builder.build();
    const State state = random_state(random, model);
    Evaluator here(model);
    here.at(state.q, state.v);
    const Touching touching = all_within_reach(model, here);
    REQUIRE(touching.points.size() == 1);
    const ContactPoint& point = touching.points[0];
    CHECK(keeps_rows(model, point) == centred);
    if (!centred) continue;
    const Kinematics& kin = here.kinematics();
    bias.see(std::abs(gap_bias(model, kin, point)) / (1.0 + state.v.squaredNorm()));
    bias.see(slip_bias(model, kin, point).norm() / (1.0 + state.v.squaredNorm()));
  }
  CHECK(bias.value() < 1e-14);
}

}  // namespace pequod::test
