#include "simulation/resting.h"

#include <algorithm>

#include "core/joined_sets.h"
#include "simulation/loop/sleep.h"
#include "simulation/touching.h"
#include "simulation/trial/rest.h"
#include "simulation/world.h"

namespace pequod {
namespace {

JoinedSets join_trees(const Model& model, const State& state, std::vector<int>& storage) {
  JoinedSets joined(model.trees.size(), storage);
  for (const ContactMode& mode : state.mode) {
    const auto [a, b] = links_of(model, mode.key);
    if (a >= 0 && b >= 0) joined.join(tree_of(model, a), tree_of(model, b));
  }
  return joined;
}

// A flag of the set of a tree, in the place of its first.
char& flag_of(const JoinedSets& joined, std::size_t tree, std::vector<char>& flags) {
  return nth(flags, joined.first(static_cast<int>(tree)));
}

bool are_equal_in(const VectorXd& a, const VectorXd& b, int first, int count) {
  return a.segment(first, count) == b.segment(first, count);
}

bool stands(const Model& model, const Tree& tree, const State& before, const State& after) {
  if (!is_at_rest(tree, before.v) || !is_at_rest(tree, after.v)) return false;
  const Joint& first = nth(model.links, tree.first_link).joint;
  const Joint& last = nth(model.links, tree.first_link + tree.links - 1).joint;
  return are_equal_in(before.q, after.q, first.q_index,
                      last.q_index + position_count(last.type) - first.q_index) &&
         are_equal_in(before.tau, after.tau, tree.first_v, tree.nv);
}

// Takes the tree that carries a link off those that are told. @param link  −1: the world
void rule_out(const Model& model, int link, std::vector<char>& of_tree) {
  if (link >= 0) nth(of_tree, tree_of(model, link)) = 0;
}

}  // namespace

bool rests(const Model& model, std::span<const char> resting, const ShapePair& pair) {
  const auto [a, b] = links_of(model, ContactKey{pair.a, pair.b});
  return (a < 0 || rests(model, resting, a)) && (b < 0 || rests(model, resting, b));
}

bool rests(const Model& model, std::span<const char> resting, const ContactKey& key) {
  const auto [a, b] = links_of(model, key);
  return rests(model, resting, a) || rests(model, resting, b);
}

std::vector<char> trees_that_may_rest(const Scenario& scenario) {
  const Model& model = scenario.model;
  std::vector<char> may(model.trees.size(), 1);
  for (const Link& link : model.links)
    if (link.joint.friction > 0.0) nth(may, link.tree) = 0;
  for (const Loop& loop : model.loops)
    for (const int link : {loop.link_a, loop.link_b}) rule_out(model, link, may);
  for (const Spring& spring : model.springs)
    for (const int link : {spring.link_a, spring.link_b}) rule_out(model, link, may);
  for (const Controller& controller : scenario.controllers) {
    if (controller.entity < 0) return std::vector<char>(may.size(), 0);
    const Entity& driven = nth(model.entities, controller.entity);
    for (int i = driven.first_link; i < driven.first_link + driven.links; ++i)
      rule_out(model, i, may);
  }
  return may;
}

void find_resting(const World& world, const State& before, State& after,
                  RestingWorkspace& workspace) {
  const Model& model = world.model();
  std::vector<char>& resting = after.loop.resting;
  resting.clear();
  if (!may_sleep(world) || !after.loop.ends.empty()) return;
  std::vector<char>& still = workspace.still;
  still = world.may_rest;
  for (std::size_t t = 0; t < still.size(); ++t)
    still[t] = still[t] != 0 && stands(model, model.trees[t], before, after) ? 1 : 0;
  for (const ExternalForce& force : world.scenario->forces)
    if (!is_settled(force, before.t)) rule_out(model, nth(model.frames, force.frame).link, still);
  if (std::ranges::find(still, 1) == still.end()) return;
  for (const ContactMode& mode : after.mode) {
    if (presses_as_before(before, mode)) continue;
    const auto [a, b] = links_of(model, mode.key);
    rule_out(model, a, still);
    rule_out(model, b, still);
  }
  if (std::ranges::find(still, 1) == still.end()) return;
  const JoinedSets joined = join_trees(model, after, workspace.joined);
  resting.assign(still.size(), 1);
  for (std::size_t t = 0; t < still.size(); ++t)
    if (!still[t]) flag_of(joined, t, resting) = 0;
  for (std::size_t t = 0; t < still.size(); ++t) resting[t] = flag_of(joined, t, resting);
}

bool wake_touched(const Model& model, const Touching& touching, State& state,
                  RestingWorkspace& workspace) {
  std::vector<char>& resting = state.loop.resting;
  const auto is_touched = [&](const Contact& contact) {
    return rests(model, resting, contact.link_a) || rests(model, resting, contact.link_b);
  };
  if (resting.empty() || std::ranges::none_of(touching.contacts, is_touched)) return false;
  const JoinedSets joined = join_trees(model, state, workspace.joined);
  std::vector<char>& still = workspace.still;  // by the first of those that are joined
  still.assign(resting.size(), 1);
  for (const Contact& contact : touching.contacts)
    for (const int link : {contact.link_a, contact.link_b})
      if (rests(model, resting, link))
        flag_of(joined, static_cast<std::size_t>(tree_of(model, link)), still) = 0;
  for (std::size_t t = 0; t < resting.size(); ++t)
    if (!flag_of(joined, t, still)) resting[t] = 0;
  return true;
}

}  // namespace pequod
