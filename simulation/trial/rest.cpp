#include "simulation/trial/rest.h"

#include <algorithm>

#include "simulation/trial/tolerances.h"

namespace pequod {

bool leaves_at_rest(const Model& model, const Island& island, const VectorXd& y,
                    const VectorXd& y_free) {
  int offset = 0;
  for (const int tree : island.trees) {
    const int n = nth(model.trees, tree).nv;
    const double free = y_free.segment(offset, n).norm();
    if (!(y.segment(offset, n).norm() <= kRounding * free)) return false;
    offset += n;
  }
  return true;
}

bool is_at_rest(const Tree& tree, const VectorXd& v) {
  return v.segment(tree.first_v, tree.nv).isZero(0.0);
}

bool is_at_rest(const Model& model, const Island& island, const VectorXd& v) {
  return std::ranges::all_of(island.trees,
                             [&](int t) { return is_at_rest(nth(model.trees, t), v); });
}

}  // namespace pequod
