#include "core/branches.h"

#include <span>
#include <vector>

namespace pequod {
namespace {

// Numbers the ancestors of every coordinate, as stretches without a gap.
void find_ancestors(Model& model) {
  model.runs.clear();
  model.first_run.assign(1, 0);
  std::vector<int> branch;
  for (int dof = 0; dof < model.nv; ++dof) {
    const auto link = static_cast<std::size_t>(nth(model.dof_link, dof));
    const int first_v = nth(model.trees, model.links[link].tree).first_v;
    branch.clear();
    for (int i = nth(model.dof_parent, dof); i >= 0; i = nth(model.dof_parent, i))
      branch.push_back(i - first_v);
    const auto first = model.runs.size();
    for (auto i = branch.rbegin(); i != branch.rend(); ++i) {
      if (model.runs.size() == first || model.runs.back().end != *i) model.runs.push_back({*i, *i});
      ++model.runs.back().end;
    }
    model.first_run.push_back(static_cast<int>(model.runs.size()));
  }
}

// Of coordinates whose ancestors are those of a free base, and behind these the ones just before
// it.
void find_limbs(Model& model) {
  constexpr Run base{0, 6};
  model.along_limb.assign(static_cast<std::size_t>(model.nv), -1);
  for (const Tree& tree : model.trees) {
    const Link& root = nth(model.links, tree.first_link);
    if (root.joint.type != JointType::free) continue;
    for (int i = base.end; i < tree.nv; ++i) {
      const std::span<const Run> runs = model.ancestors(tree.first_v + i);
      int& along = nth(model.along_limb, tree.first_v + i);
      if (runs.size() == 1)  // the first limb goes on where the base ends
        along = runs[0].end == base.end || runs[0].end == i ? runs[0].end - base.end : -1;
      else if (runs.size() == 2 && runs[0].end == base.end && runs[1].end == i)
        along = i - runs[1].begin;
    }
  }
}

}  // namespace

void find_branches(Model& model) {
  find_ancestors(model);
  find_limbs(model);
}

}  // namespace pequod
