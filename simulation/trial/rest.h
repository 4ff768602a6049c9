// When a step of impulses leaves bodies at rest.
#pragma once

#include "contact/problem.h"
#include "core/model.h"

namespace pequod {

/// Whether what is left of an island's motion is rounding of its contact solve: in each of its
/// trees at most kRounding of the motion that it would have without contact, in the norm of its
/// energy. So a light body that creeps beside a heavy one is not taken for one at rest, and where a
/// solver ends at a tolerance, nothing is.
/// @param y       L v⁺ of the island
/// @param y_free  L v without contact
[[nodiscard]] bool leaves_at_rest(const Model& model, const Island& island, const VectorXd& y,
                                  const VectorXd& y_free);

/// Whether nothing of a tree moves at v, to the bit.
[[nodiscard]] bool is_at_rest(const Tree& tree, const VectorXd& v);
/// The same of an island.
[[nodiscard]] bool is_at_rest(const Model& model, const Island& island, const VectorXd& v);

}  // namespace pequod
