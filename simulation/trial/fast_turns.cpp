#include "simulation/trial/fast_turns.h"

#include <algorithm>
#include <functional>

#include "simulation/spin_limit.h"
#include "simulation/trial/free_bodies.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// Whether a link turns by more than is left to forces of the start.
bool turns_fast(const Model& model, const Tree& tree, std::span<const char> touched,
                const VectorXd& v, double tau) {
  const auto first = static_cast<std::size_t>(tree.first_link);
  const auto links = static_cast<std::size_t>(tree.links);
  const bool flies = std::ranges::all_of(touched.subspan(first, links), std::logical_not<>());
  const double far = flies ? kTurnInFlight : kTurnInContact;
  return std::ranges::any_of(std::span(model.links).subspan(first, links),
                             [&](const Link& link) { return tau * spin_of(link.joint, v) > far; });
}

}  // namespace

bool find_middle(const Model& model, std::span<const char> touched, const VectorXd& v0,
                 const VectorXd& v1, double tau, VectorXd& middle) {
  bool any = false;
  for (const Tree& tree : model.trees) {
    if (is_free_body(model, tree) || !turns_fast(model, tree, touched, v0, tau)) continue;
    if (!any) middle = v0;
    any = true;
    middle.segment(tree.first_v, tree.nv) =
        0.5 * (v0.segment(tree.first_v, tree.nv) + v1.segment(tree.first_v, tree.nv));
  }
  return any;
}

}  // namespace pequod
