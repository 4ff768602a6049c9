// Loops over the links of a tree, with or without those that are abreast: see core/limb_fours.h.
#pragma once

#include "core/model.h"

namespace pequod {

/// Where they go on behind the base: all between are abreast.
[[nodiscard]] inline int second_link(const Model& model, const Tree& tree, bool all) {
  if (all || tree.fours == 0 || has_base_beside(tree)) return tree.first_link + 1;
  return nth(model.dof_link, tree.first_v + tree.first_beside);
}
[[nodiscard]] inline int end_of_links(const Tree& tree, bool all) {
  return all ? tree.first_link + tree.links : end_beside(tree);
}

/// visit(i) for each link after its parent. @param all  those that are abreast too
template <typename Visit>
inline void visit_links(const Model& model, const Tree& tree, bool all, const Visit& visit) {
  visit(static_cast<std::size_t>(tree.first_link));
  const auto end = static_cast<std::size_t>(end_of_links(tree, all));
  for (auto i = static_cast<std::size_t>(second_link(model, tree, all)); i < end; ++i)
    if (all || !model.links[i].abreast) visit(i);
}

/// The same, each before its parent.
template <typename Visit>
inline void visit_links_backwards(const Model& model, const Tree& tree, bool all,
                                  const Visit& visit) {
  const auto first = static_cast<std::size_t>(second_link(model, tree, all));
  for (auto i = static_cast<std::size_t>(end_of_links(tree, all)); i-- > first;)
    if (all || !model.links[i].abreast) visit(i);
  visit(static_cast<std::size_t>(tree.first_link));
}

}  // namespace pequod
