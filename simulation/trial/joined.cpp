// Bodies that move as one, the last resort of a fallback step.
#include <Eigen/Dense>
#include <algorithm>

#include "contact/solvers/linear/decompositions.h"
#include "simulation/trial/impulses.h"
#include "simulation/trial/tolerances.h"

namespace pequod {

// v⁺ = v − M⁻¹Jᵀ (J M⁻¹Jᵀ)⁺ J v for the relative motion J v of the two links of each pair. At the
// given pose it takes ½ (J v)ᵀ (J M⁻¹Jᵀ)⁺ J v away, and nothing of what the pairs do not have
// within themselves.
double move_as_one(const Model& model, const Evaluator& start, const std::vector<ShapePair>& pairs,
                   VectorXd& v) {
  const Kinematics& kin = start.kinematics();
  const auto rows = static_cast<Eigen::Index>(6 * pairs.size());
  MatrixXd J(rows, model.nv), of_a, of_b;
  Eigen::Index row = 0;
  for (const ShapePair& pair : pairs) {
    const auto [a, b] = links_of(model, ContactKey{pair.a, pair.b});
    const Vector3d p = nth(kin.links, std::max(a, b)).X_WL.p;
    frame_jacobian(model, kin, a, p, of_a);
    frame_jacobian(model, kin, b, p, of_b);
    J.middleRows<6>(row) = of_b - of_a;
    row += 6;
  }
  MatrixXd moved(model.nv, rows);  // M⁻¹Jᵀ
  VectorXd column;
  for (Eigen::Index i = 0; i < rows; ++i) {
    column = J.row(i);
    start.factor().solve(model, column);
    moved.col(i) = column;
  }
  const VectorXd relative = J * v,
                 impulse = LeastNormFactor(J * moved, kJoinedRank).solve(relative);
  v -= moved * impulse;
  return 0.5 * impulse.dot(relative);
}

}  // namespace pequod
