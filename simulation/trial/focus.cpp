#include "simulation/trial/focus.h"

#include <algorithm>
#include <utility>

namespace pequod {
namespace {

void label_trees(const Model& model, const StepMethod& method, const StepStart& start,
                 TreeGroups& groups) {
  if (std::exchange(groups.known, true)) return;
  if (!method.velocity_level())
    find_islands(model, start.held.touching.contacts, groups.islands, groups.offsets,
                 start.held.joints);
  const std::vector<Island>& islands =
      method.velocity_level() ? start.impulses.islands : groups.islands;
  groups.label.assign(model.trees.size(), -1);
  for (std::size_t k = 0; k < islands.size(); ++k)
    for (const int tree : islands[k].trees) nth(groups.label, tree) = static_cast<int>(k);
}

}  // namespace

void focus_on(const Model& model, const StepMethod& method, const StepStart& start,
              std::span<const ContactKey> keys, TreeGroups& groups, Focus& focus) {
  focus.all = true;
  if (model.trees.size() < 2 || start.touching.size() == 0) return;
  label_trees(model, method, start, groups);
  const auto label_of = [&](int link) {
    if (link < 0) return -1;
    return nth(groups.label, tree_of(model, link));
  };
  focus.groups.assign(model.trees.size(), 0);
  const auto want = [&](int link) {
    if (const int label = label_of(link); label >= 0) nth(focus.groups, label) = 1;
  };
  for (const ContactKey& key : keys)
    for (const int link : links_of(model, key)) want(link);
  focus.contacts.assign(start.touching.size(), 0);
  for (std::size_t i = 0; i < start.touching.size(); ++i) {
    const Contact& contact = start.touching.contacts[i];
    const int label = std::max(label_of(contact.link_a), label_of(contact.link_b));
    focus.contacts[i] = label >= 0 ? nth(focus.groups, label) : 0;
    const bool held = method.velocity_level() || start.held.touching.has(contact.key);
    focus.all = focus.all && (focus.contacts[i] || !held);
  }
}

}  // namespace pequod
