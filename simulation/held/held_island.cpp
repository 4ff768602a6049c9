#include "simulation/held/held_island.h"

#include <algorithm>
#include <cmath>

#include "contact/loop_rows.h"
#include "simulation/held/tolerances.h"

namespace pequod {

bool HeldIsland::factor_columns() {
  thread_local std::vector<char> all;  // workspace only
  all.assign(island.contacts.size(), 1);
  gram.set(columns);
  return gram.factorise(all);
}

Eigen::Index HeldIsland::row_count() const {
  if (in_limbs) return problem.basis_rows();
  return sparse ? columns.columns() : static_cast<Eigen::Index>(rows.accepted().size());
}

bool HeldIsland::repeats() const {
  return !sparse && rows.rank() < static_cast<Eigen::Index>(rows.accepted().size());
}

void HeldIsland::solve(const VectorXd& e, VectorXd& y, VectorXd& f) const {
  if (sparse)
    gram.solve(columns, e, y, f);
  else if (in_limbs)
    problem.limbs.solve(e, y, f);
  else
    rows.solve(e, y, f);
}

void HeldIsland::project(VectorXd& y) const {
  if (!in_limbs) return rows.project(y);
  thread_local VectorXd zero, f;  // workspace only
  zero.setZero(row_count());
  problem.limbs.solve(zero, y, f);
}

void HeldIsland::keep_loops(const VectorXd& loop_e, VectorXd& y, VectorXd& e,
                            VectorXd& rest) const {
  rest.setZero(problem.joints.columns());
  hold_loops(loop_e, problem, y, e, rest);  // the normals come first in e
  // Behind the contacts and, in a projection of velocities, their tangents.
  Eigen::Index row = e.size();
  for (std::size_t j = joints.size(); j-- > 0;) e[--row] = rest[joints[j]];
}

double HeldIsland::share_left(double left, double asked) const {
  if (left == 0.0) return 0.0;
  double longest = 0.0;  // of the rows, squared, 1/kg
  for (int i = 0; i < problem.n; ++i) longest = std::max(longest, problem.normals.squared_norm(i));
  const double barely = longest > 0.0 ? kBarelyAsked / std::sqrt(longest) : 0.0;
  return left / std::max(asked, barely);
}

// The joint rows are the last of all; a rejected one is held by contacts, as exactly as they are.
void HeldIsland::rest_joints(double noise, VectorXd& x) const {
  std::size_t row = rows.accepted().size();
  for (std::size_t j = joints.size(); j-- > 0;) {
    double& joint = x[nth(island.joints, joints[j])];
    if (rows.accepted()[--row] || std::abs(joint) <= noise) joint = 0.0;
  }
}

bool slides_in(const HeldSet& set, const Island& island) {
  return set.rubs() && std::ranges::any_of(island.contacts, [&](int i) {
           return set.slides(static_cast<std::size_t>(i));
         });
}

}  // namespace pequod
