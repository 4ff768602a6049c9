// What acceptance measures, against poses that are made.
#include <doctest/doctest.h>

#include <vector>

#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "test/events/mesh_shapes.h"

namespace pequod {
namespace {

HeightField flat_field() {
  HeightField field;
  field.nx = field.ny = 5;
  field.dx = field.dy = 0.5;
  field.origin = {-1.0, -1.0};
  field.heights.assign(25, 0.0);
  measure_heights(field);
  return field;
}

}  // namespace

// The pairs are looked at in turn, with what was found before as the range for the next: below zero
// no finder of contacts knows what to do with it.
TEST_CASE("the deepest pair is measured behind one that touches a rounding deep") {
  const std::vector<Geometry> bodies = {
      Sphere{0.1},        Box{Vector3d::Constant(0.2)}, test::box_mesh(Vector3d::Constant(0.2)),
      Cylinder{0.1, 0.2}, Capsule{0.05, 0.1},           Cone{0.1, 0.2}};
  for (const Geometry& ground : {Geometry(Plane{}), Geometry(flat_field())})
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
