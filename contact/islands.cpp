#include "contact/islands.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/joined_sets.h"

namespace pequod {
namespace {

// A moving link's tree: every contact and every loop has at least one.
template <typename Joined>
int any_tree(const Model& model, const Joined& joined) {
  const int b = tree_of(model, joined.link_b);
  return b >= 0 ? b : tree_of(model, joined.link_a);
}

template <typename Operation>
void for_each_tree(const Model& model, const Island& island, VectorXd& x, const Operation& apply) {
  int offset = 0;
  for (const int tree : island.trees) {
    const int nv = nth(model.trees, tree).nv;
    apply(tree, std::span<double>(x.data() + offset, static_cast<std::size_t>(nv)));
    offset += nv;
  }
}

void add_island(std::vector<Island>& islands, std::vector<Island>& spare) {
  if (spare.empty()) {
    islands.emplace_back();
    return;
  }
  islands.push_back(std::move(spare.back()));
  spare.pop_back();
  islands.back().trees.clear();
  islands.back().contacts.clear();
  islands.back().joints.clear();
  islands.back().loops.clear();
  islands.back().m = 0;
}

// Of a model of one tree, to which all belongs.
void fill_only_island(const Model& model, std::size_t contacts, std::span<const int> joints,
                      Island& island) {
  island.m = model.trees[0].nv;
  island.trees.assign(1, 0);
  island.contacts.resize(contacts);
  std::iota(island.contacts.begin(), island.contacts.end(), 0);
  island.joints.assign(joints.begin(), joints.end());
  island.loops.resize(model.loops.size());
  std::iota(island.loops.begin(), island.loops.end(), 0);
}

}  // namespace

void find_islands(const Model& model, std::span<const Contact> contacts,
                  std::vector<Island>& islands, std::vector<int>& tree_offset,
                  std::span<const int> joints) {
  // Workspaces only: written before they are read. `spare` keeps the storage of former islands.
  thread_local std::vector<int> storage, island_of;
  thread_local std::vector<char> touched;
  thread_local std::vector<Island> spare;
  for (Island& island : islands) spare.push_back(std::move(island));
  islands.clear();
  tree_offset.assign(model.trees.size(), -1);
  if (contacts.empty() && joints.empty() && model.loops.empty()) return;
  if (model.trees.size() == 1) {
    tree_offset[0] = 0;
    add_island(islands, spare);
    return fill_only_island(model, contacts.size(), joints, islands[0]);
  }
  JoinedSets joined(model.trees.size(), storage);
  island_of.assign(model.trees.size(), -1);
  touched.assign(model.trees.size(), 0);
  const auto join = [&](int link_a, int link_b) {
    const int a = tree_of(model, link_a), b = tree_of(model, link_b);
    for (const int tree : {a, b})
      if (tree >= 0) nth(touched, tree) = 1;
    if (a >= 0 && b >= 0) joined.join(a, b);
  };
  for (const Contact& contact : contacts) join(contact.link_a, contact.link_b);
  for (const Loop& loop : model.loops) join(loop.link_a, loop.link_b);
  const auto joint_tree = [&](int joint) { return tree_of(model, nth(model.dof_link, joint)); };
  for (const int joint : joints) nth(touched, joint_tree(joint)) = 1;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    if (!touched[t]) continue;
    const auto root = static_cast<std::size_t>(joined.first(static_cast<int>(t)));
    if (island_of[root] < 0) {
      island_of[root] = static_cast<int>(islands.size());
      add_island(islands, spare);
    }
    Island& island = nth(islands, island_of[root]);
    tree_offset[t] = island.m;
    island.trees.push_back(static_cast<int>(t));
    island.m += model.trees[t].nv;
  }
  const auto island_with = [&](int tree) -> Island& {
    const auto root = static_cast<std::size_t>(joined.first(tree));
    return nth(islands, island_of[root]);
  };
  for (std::size_t i = 0; i < contacts.size(); ++i)
    island_with(any_tree(model, contacts[i])).contacts.push_back(static_cast<int>(i));
  for (const int joint : joints) island_with(joint_tree(joint)).joints.push_back(joint);
  for (std::size_t i = 0; i < model.loops.size(); ++i)
    island_with(any_tree(model, model.loops[i])).loops.push_back(static_cast<int>(i));
}

void gather(const Model& model, const Island& island, const VectorXd& all, VectorXd& part) {
  part.resize(island.m);
  for_each_tree(model, island, part, [&](int tree, std::span<double> x) {
    const double* from = all.data() + nth(model.trees, tree).first_v;
    std::copy(from, from + x.size(), x.begin());
  });
}

void scatter(const Model& model, const Island& island, const VectorXd& part, VectorXd& all) {
  int offset = 0;
  for (const int tree : island.trees) {
    const Tree& t = nth(model.trees, tree);
    std::copy_n(part.data() + offset, t.nv, all.data() + t.first_v);
    offset += t.nv;
  }
}

void island_apply_L(const Model& model, const MassFactor& factor, const Island& island,
                    VectorXd& x) {
  for_each_tree(model, island, x,
                [&](int tree, std::span<double> part) { factor.apply_L(model, tree, part); });
}

void island_apply_L_transposed(const Model& model, const MassFactor& factor, const Island& island,
                               VectorXd& x) {
  for_each_tree(model, island, x, [&](int tree, std::span<double> part) {
    factor.apply_L_transposed(model, tree, part);
  });
}

void island_solve_L(const Model& model, const MassFactor& factor, const Island& island,
                    VectorXd& x) {
  for_each_tree(model, island, x,
                [&](int tree, std::span<double> part) { factor.solve_L(model, tree, part); });
}

void island_solve_L_transposed(const Model& model, const MassFactor& factor, const Island& island,
                               VectorXd& x) {
  for_each_tree(model, island, x, [&](int tree, std::span<double> part) {
    factor.solve_L_transposed(model, tree, part);
  });
}

void gather_metric(const Model& model, const MassFactor& factor, const Island& island,
                   const VectorXd& all, VectorXd& y) {
  gather(model, island, all, y);
  island_apply_L(model, factor, island, y);
}

void scatter_metric(const Model& model, const MassFactor& factor, const Island& island, VectorXd& y,
                    VectorXd& all) {
  island_solve_L(model, factor, island, y);
  scatter(model, island, y, all);
}

}  // namespace pequod
