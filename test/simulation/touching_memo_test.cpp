// What is remembered of one place, against what is found anew.
#include "simulation/touching_memo.h"

#include <doctest/doctest.h>

#include <cmath>

#include "simulation/evaluate.h"

namespace pequod {
namespace {

Model ball_over_plane() {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_free_body("ball", {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()},
                        {{Sphere{0.1}, {}}});
  return builder.build();
}

}  // namespace

// Asked at one place again and again, for one range or another, and at the next number.
TEST_CASE("what touches where nothing has moved is what is found anew, to the bit") {
  const Model model = ball_over_plane();
  const Collision collision(model);
  TouchingMemo memo;
  TouchingWorkspace workspace;
  Evaluator here(model);
  State state = make_state(model);
  state.q[2] = 0.1 + 1e-4;
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    if (i % 10 == 9) state.q[2] = std::nextafter(state.q[2], 1.0);
    const TouchRange within = i % 4 == 3 ? 1e-5 : 1e-3;
    here.at(state.q, state.v);
    Touching told, fresh;
    const auto find = [&] {
      find_touching(model, collision, here, within, workspace, told);
      ++found;
    };
    memo.find(state.q, within, find, told);
    find_touching(model, collision, here, within, workspace, fresh);
    CAPTURE(i);
    REQUIRE(told.size() == (i % 4 == 3 ? 0 : 1));
    REQUIRE(told.size() == fresh.size());
    REQUIRE(told.points.size() == fresh.points.size());
    for (std::size_t k = 0; k < told.size(); ++k) {
      CHECK(told.contacts[k].key == fresh.contacts[k].key);
      CHECK(told.contacts[k].gap == fresh.contacts[k].gap);
      CHECK(told.contacts[k].p_W == fresh.contacts[k].p_W);
    }
  }
  CHECK(found < 60);  // the third time at one place nothing is looked for
}

// Travel and the mode of a state say more than the place.
TEST_CASE("ranges that depend on more than the place are not remembered") {
  const std::vector<double> travel(2, 0.01);
  TouchRange within = 1e-3;
  CHECK(TouchingMemo::knows_all_of(within));
  within.travel = travel;
  CHECK_FALSE(TouchingMemo::knows_all_of(within));
  within = 1e-3;
  within.asked = 1e-3;
  CHECK_FALSE(TouchingMemo::knows_all_of(within));
}

// M and its factor follow when they are asked for, and are those of an evaluator that found all at
// once.
TEST_CASE("terms of links that were placed first are those found at once") {
  const Model model = ball_over_plane();
  State state = make_state(model);
  Evaluator placed(model), whole(model);
  for (int i = 0; i < 3; ++i) {
    state.q[0] += 0.25;
    placed.place_at(state.q);
    whole.at(state.q, state.v);
    CHECK(placed.kinematics().links.back().X_WL.p == whole.kinematics().links.back().X_WL.p);
    placed.at(state.q, state.v);
    CHECK(placed.mass().blocks == whole.mass().blocks);
    CHECK(placed.factor().inverse_diagonal == whole.factor().inverse_diagonal);
    swap(placed, whole);
  }
}

}  // namespace pequod
