#include "simulation/trial/fast_turns.h"

#include <algorithm>

#include "simulation/spin_limit.h"
#include "simulation/trial/free_bodies.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

bool turns_fast(const Model& model, const Tree& tree, const VectorXd& v, double tau) {
  for (int k = tree.first_link; k < tree.first_link + tree.links; ++k)
    if (tau * spin_of(model.links[static_cast<std::size_t>(k)].joint, v) > kFastTurn) return true;
  return false;
}

}  // namespace

bool find_middle(const Model& model, const VectorXd& v0, const VectorXd& v1, double tau,
                 VectorXd& middle) {
  bool any = false;
  for (const Tree& tree : model.trees) {
    if (is_free_body(model, tree) || !turns_fast(model, tree, v0, tau)) continue;
    if (!any) middle = v0;
    any = true;
    middle.segment(tree.first_v, tree.nv) =
        0.5 * (v0.segment(tree.first_v, tree.nv) + v1.segment(tree.first_v, tree.nv));
  }
  return any;
}

}  // namespace pequod
