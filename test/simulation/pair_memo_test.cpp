// What a memo of pairs tells, against finders that remember nothing.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "simulation/collision.h"
#include "test/support/random.h"

namespace pequod {
namespace {

Model two_boxes() {
  ModelBuilder builder;
  const Inertia inertia{1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()};
  for (const char* name : {"lower", "upper"})
    builder.add_free_body(name, inertia, {{Box{Vector3d(0.2, 0.2, 0.1)}, {}}});
  return builder.build();
}

}  // namespace

TEST_CASE("contacts that are remembered are those of a fresh search, to the last place") {
  const Model model = two_boxes();
  const Collision collision(model);
  Random random(11);
  const Geometry& box = model.shapes[0].geometry;
  std::vector<Pose> X_WS = {{}, {Matrix3d::Identity(), Vector3d(0.03, 0.01, 0.1)}};
  int moved = 0;
  for (int i = 0; i < 400; ++i) {
    if (i % 7 == 3) {  // by one place of one number
      double& x = nth(X_WS, i % 2).p[i % 3];
      x = std::nextafter(x, std::numeric_limits<double>::infinity());
      ++moved;
    } else if (i % 31 == 5) {
      X_WS[1] = {random.rotation(), random.vector(0.12)};
    }
    const double range = i % 5 == 0 ? 1e-9 : i % 3 == 0 ? 1e-3 : 1e-2;
    std::vector<ContactPoint> told, fresh;
    collision.contacts({0, 1}, X_WS, range, told);
    find_contacts(box, X_WS[0], box, X_WS[1], 0, 1, range, fresh);
    CAPTURE(i);
    REQUIRE(told.size() == fresh.size());
    for (std::size_t k = 0; k < told.size(); ++k) {
      CHECK(told[k].key == fresh[k].key);
      CHECK(told[k].gap == fresh[k].gap);
      CHECK(told[k].p_W == fresh[k].p_W);
      CHECK(told[k].n_W == fresh[k].n_W);
    }
  }
  CHECK(moved > 50);
}

TEST_CASE("the gap of a pair that has moved by one place is measured again") {
  const Model model = two_boxes();
  const Collision collision(model);
  State state = make_state(model);
  state.q[9] = 0.3;
  Evaluator here(model);
  for (int i = 0; i < 50; ++i) {
    here.at_position(state.q);
    const double gap =
        signed_distance(Box{Vector3d(0.2, 0.2, 0.1)}, {}, Box{Vector3d(0.2, 0.2, 0.1)},
                        {Matrix3d::Identity(), state.q.segment<3>(7)});
    CHECK(collision.smallest_gap(here, 1.0) == gap);
    CHECK(collision.smallest_gap(here, 1.0) == gap);
    state.q[9] = std::nextafter(state.q[9], 0.0);
  }
}

}  // namespace pequod
