#include "simulation/evaluate.h"

#include <utility>

#include "core/tree_parts.h"
#include "simulation/errors.h"

namespace pequod {

Evaluator::Evaluator(const Model& model, const Team* team)
    : model_(&model), team_(team), places_(model) {}

// Member by member: as a whole it would be moved three times.
void swap(Evaluator& a, Evaluator& b) noexcept {
  std::swap(a.model_, b.model_);
  std::swap(a.team_, b.team_);
  a.q_.swap(b.q_);
  a.v_.swap(b.v_);
  swap(a.kin_, b.kin_);
  std::swap(a.mass_.blocks, b.mass_.blocks);
  std::swap(a.factor_.blocks, b.factor_.blocks);
  std::swap(a.factor_.spatial, b.factor_.spatial);
  std::swap(a.factor_.inverse_diagonal, b.factor_.inverse_diagonal);
  std::swap(a.factor_.limbs, b.factor_.limbs);
  a.bias_.swap(b.bias_);
  std::swap(a.factored_, b.factored_);
  std::swap(a.fresh_, b.fresh_);
  swap(a.places_, b.places_);
}

void Evaluator::go_to(const VectorXd& q) {
  if (!are_finite(q)) throw DivergenceError("the dynamics gave a position that is not finite");
  const bool placed = is_at(q);
  if (!placed) begin_at(q);
  for_each_trees(team_, *model_, [&](std::span<const Tree> trees, std::size_t) {
    if (!placed) compute_positions(*model_, trees, q, kin_);
    factor(trees);
  });
  factored_ = true;
}

void Evaluator::place_at(const VectorXd& q) {
  if (is_at(q)) return;
  begin_at(q);
  for_each_trees(team_, *model_, [&](std::span<const Tree> trees, std::size_t) {
    compute_positions(*model_, trees, q, kin_);
  });
}

void Evaluator::at_position(const VectorXd& q, const VectorXd& placed_q, const Kinematics& placed) {
  if (is_at(q) || !are_equal(placed_q, q)) return at_position(q);
  begin_at(q);
  for_each_trees(team_, *model_, [&](std::span<const Tree> trees, std::size_t) {
    copy(*model_, trees, placed, kin_);
    factor(trees);
  });
  factored_ = true;
}

bool Evaluator::take_place(const VectorXd& q, VectorXd& placed_q, Kinematics& placed) {
  if (is_at(q) || !are_equal(placed_q, q)) {
    at_position(q);
    return false;
  }
  swap(kin_, placed);
  q_.swap(placed_q);
  begin_at(q);
  for_each_trees(team_, *model_, [&](std::span<const Tree> trees, std::size_t) { factor(trees); });
  factored_ = true;
  return true;
}

void Evaluator::begin_at(const VectorXd& q) {
  q_ = q;
  make_room(*model_, kin_);
  make_room(*model_, mass_);
  make_room(*model_, factor_);
  factored_ = fresh_ = false;
  places_.forget();
}

void Evaluator::factor(std::span<const Tree> trees) {
  compute_mass_matrix(*model_, trees, kin_, mass_);
  factor_mass_matrix(*model_, trees, kin_, mass_, factor_);
}

void Evaluator::go_to_velocity(const VectorXd& v) {
  fresh_ = true;
  places_.forget_speeds();
  v_ = v;
  bias_.resize(model_->nv);
  for_each_trees(team_, *model_, [&](std::span<const Tree> trees, std::size_t) {
    compute_velocities(*model_, trees, v, kin_);
    bias_force(*model_, trees, kin_, bias_);
  });
}

}  // namespace pequod
