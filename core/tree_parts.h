// Loops over the trees of a model, whose bodies share nothing.
#pragma once

#include <span>

#include "core/model.h"
#include "core/parallel.h"

namespace pequod {

/// Links that a thread takes at a time: some 5 µs of kinematics, a few times what it costs to give
/// work to another thread, and less than its nearest cache.
inline constexpr std::size_t kLinksOfPart = 64;

/// So many trees have about kLinksOfPart links.
[[nodiscard]] inline std::size_t trees_of_part(const Model& model) {
  return 1 + kLinksOfPart * model.trees.size() / (model.links.size() + 1);
}

/// body(trees, thread) for parts of the trees of a model: see for_each_part().
template <typename Body>
void for_each_trees(const Team* team, const Model& model, const Body& body) {
  const std::span<const Tree> trees = model.trees;
  for_each_part(team, trees.size(), trees_of_part(model),
                [&](std::size_t first, std::size_t last, std::size_t thread) {
                  body(trees.subspan(first, last - first), thread);
                });
}

}  // namespace pequod
