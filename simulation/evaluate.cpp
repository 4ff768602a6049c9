#include "simulation/evaluate.h"

#include "simulation/errors.h"

namespace pequod {

Evaluator::Evaluator(const Model& model) : model_(&model), places_(model) {}

void Evaluator::at_position(const VectorXd& q) {
  if (is_at(q)) return;
  if (!q.allFinite()) throw DivergenceError("the dynamics gave a position that is not finite");
  compute_positions(*model_, q, kin_);
  factor_at(q);
}

void Evaluator::at_position(const VectorXd& q, const VectorXd& placed_q, const Kinematics& placed) {
  if (!are_equal(placed_q, q)) return at_position(q);
  if (is_at(q)) return;
  kin_ = placed;
  factor_at(q);
}

// What follows from the places of the links.
void Evaluator::factor_at(const VectorXd& q) {
  q_ = q;
  compute_mass_matrix(*model_, kin_, mass_);
  factor_mass_matrix(*model_, mass_, factor_);
  fresh_ = false;
  places_.forget();
}

void Evaluator::at(const VectorXd& q, const VectorXd& v) {
  at_position(q);
  if (fresh_ && are_equal(v_, v)) return;
  fresh_ = true;
  places_.forget_speeds();
  v_ = v;
  compute_velocities(*model_, v, kin_);
  bias_force(*model_, kin_, bias_);
}

}  // namespace pequod
