// Bodies that rest: islands in which nothing moves, which steps leave out until something touches
// them.
#pragma once

#include <span>
#include <vector>

#include "contact/solvers/linear/poison.h"
#include "core/model.h"
#include "core/state.h"
#include "simulation/near_pairs.h"

namespace pequod {

struct Scenario;
struct Touching;
struct World;

/// Of each tree, whether it may ever rest by itself: not what a controller drives, nor what has
/// friction of joints, loops or springs, which act without contact.
[[nodiscard]] std::vector<char> trees_that_may_rest(const Scenario& scenario);

/// Buffers of what follows.
struct RestingWorkspace {
  std::vector<char> still;  // of each tree
  std::vector<int> joined;  // the same

  void poison() { pequod::poison(still, joined); }
};

/// Fills after.loop.resting from a step that no event ended: of islands in which nothing moved
/// before it nor after it and no coordinate or contact force changed by a bit, and on which no
/// force that begins or ends may act. Their next step would end where it begins, and the impulses
/// of this one are those of all. @param before, after  the ends of the step
void find_resting(const World& world, const State& before, State& after,
                  RestingWorkspace& workspace);

/// Wakes what is touched by what does not rest, with all that it touches in turn.
/// @param touching  of the state
/// @return whether anything woke, whose contacts are to be found too
bool wake_touched(const Model& model, const Touching& touching, State& state,
                  RestingWorkspace& workspace);

/// Whether the tree that carries a link rests. The world is no tree.
[[nodiscard]] inline bool rests(const Model& model, std::span<const char> resting, int link) {
  if (resting.empty() || link < 0) return false;
  return nth(resting, tree_of(model, link)) != 0;
}

/// Whether two shapes move only with trees that rest, if at all.
[[nodiscard]] bool rests(const Model& model, std::span<const char> resting, const ShapePair& pair);

/// Whether a contact or joint limit is one of trees that rest.
[[nodiscard]] bool rests(const Model& model, std::span<const char> resting, const ContactKey& key);

}  // namespace pequod
