// Rows of loops and their rate terms.
#include "core/loop.h"

#include <doctest/doctest.h>

#include "test/core/textbook.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

constexpr std::array kTypes{LoopType::spherical, LoopType::revolute, LoopType::prismatic,
                            LoopType::fixed};

/// A random tree in motion, and a loop between two of its links or to the world.
struct Ring {
  RandomTree tree;
  State state;
  Loop loop;
  [[nodiscard]] std::vector<Pose> poses(double t) const {
    std::vector<Pose> X_WL;
    compute_poses(tree.model, moved(tree.model, state.q, t * state.v), X_WL);
    return X_WL;
  }
  [[nodiscard]] Kinematics kinematics(double t) const {
    return kinematics_of(tree.model, moved(tree.model, state.q, t * state.v), state.v);
  }
};

/// @param closed  whether the loop is closed in the state
template <typename Visit>
void for_rings(std::uint64_t seed, bool closed, const Visit& visit) {
  Random random(seed);
  for (int trial = 0; trial < 80; ++trial) {
    Ring ring;
    ring.tree = random_tree(random, {.links = 3 + trial % 12, .fixed_base = trial % 2 == 0});
    ring.state = random_state(random, ring.tree.model);
    const int links = static_cast<int>(ring.tree.model.links.size());
    ring.loop.type = nth(kTypes, trial % 4);
    ring.loop.link_b = links - 1;
    ring.loop.link_a = static_cast<int>(random.uniform(0.0, links - 1e-9)) - 1;
    ring.loop.X_AK = random.pose(0.3);
    const std::vector<Pose> X_WL = ring.poses(0.0);
    const Pose X_WA = ring.loop.link_a < 0 ? Pose{} : nth(X_WL, ring.loop.link_a);
    ring.loop.X_BK =
        closed ? nth(X_WL, links - 1).inverse() * X_WA * ring.loop.X_AK : random.pose(0.3);
    visit(ring);
  }
}

/// J v of the directions that are held, the others zero.
Vector6d rate(const Ring& ring, double t) {
  const Kinematics kin = ring.kinematics(t);
  const std::array<bool, kLoopDirections> held = held_directions(ring.loop.type);
  Vector6d out = Vector6d::Zero();
  for (int i = 0; i < kLoopDirections; ++i) {
    VectorXd row = VectorXd::Zero(ring.tree.model.nv);
    add_loop_row(ring.tree.model, kin, ring.loop, i, row);
    if (nth(held, i)) out[i] = row.dot(ring.state.v);
  }
  return out;
}

}  // namespace

TEST_CASE("a loop that is closed has no gap, and its rows give the rate of the gap") {
  Worst open, apart, distance;
  for_rings(91, true, [&](const Ring& ring) {
    const LoopOpening opening = loop_opening(ring.loop, ring.poses(0.0));
    open.see(loop_gap(ring.loop, ring.poses(0.0)).norm() + opening.distance + opening.angle);
    const Vector6d by_gap =
        derivative([&](double t) -> Vector6d { return loop_gap(ring.loop, ring.poses(t)); });
    apart.see((by_gap - rate(ring, 0.0)).norm() / (1.0 + by_gap.norm()));
  });
  MESSAGE("open " << open.value() << ", rate apart " << apart.value());
  CHECK(open.value() < 1e-13);
  CHECK(apart.value() < 1e-8);  // of the difference quotient
}

TEST_CASE("the rate term of a loop is the derivative of J v at constant v, open or closed") {
  Worst apart;
  for_rings(92, false, [&](const Ring& ring) {
    const Vector6d by_rows = derivative([&](double t) -> Vector6d { return rate(ring, t); });
    Vector6d bias = loop_bias(ring.tree.model, ring.kinematics(0.0), ring.loop);
    const std::array<bool, kLoopDirections> held = held_directions(ring.loop.type);
    for (int i = 0; i < kLoopDirections; ++i)
      if (!nth(held, i)) bias[i] = 0.0;
    apart.see((by_rows - bias).norm() / (1.0 + by_rows.norm()));
  });
  MESSAGE("apart " << apart.value());
  CHECK(apart.value() < 1e-8);  // of the difference quotient
}
