#include "simulation/evaluate.h"

#include <algorithm>
#include <utility>

#include "contact/solvers/poison.h"
#include "simulation/errors.h"

namespace pequod {

Evaluator::Evaluator(const Model& model)
    : model_(&model),
      X_WS_(model.shapes.size()),
      placed_(model.shapes.size(), 0),
      speeds_(model.shapes.size()),
      timed_(model.shapes.size(), 0) {}

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
  std::ranges::fill(placed_, 0);
  std::ranges::fill(timed_, 0);
  poison(X_WS_, speeds_);
}

const std::vector<Pose>& Evaluator::shapes(std::span<const int> wanted) const {
  for (const int index : wanted) {
    const auto i = static_cast<std::size_t>(index);
    if (std::exchange(placed_[i], 1)) continue;
    const Shape& shape = model_->shapes[i];
    X_WS_[i] = shape.link < 0 ? shape.X_LS
                              : kin_.links[static_cast<std::size_t>(shape.link)].X_WL * shape.X_LS;
  }
  return X_WS_;
}

const std::vector<ShapeSpeed>& Evaluator::speeds(std::span<const int> wanted) const {
  const std::vector<Pose>& X_WS = shapes(wanted);
  for (const int index : wanted) {
    const auto i = static_cast<std::size_t>(index);
    if (std::exchange(timed_[i], 1)) continue;
    const int link = model_->shapes[i].link;
    speeds_[i] = {};
    if (link < 0) continue;
    speeds_[i] = {point_velocity(*model_, kin_, link, X_WS[i].p).norm(),
                  kin_.links[static_cast<std::size_t>(link)].w.norm()};
  }
  return speeds_;
}

void Evaluator::at(const VectorXd& q, const VectorXd& v) {
  at_position(q);
  if (fresh_ && are_equal(v_, v)) return;
  fresh_ = true;
  std::ranges::fill(timed_, 0);
  v_ = v;
  compute_velocities(*model_, v, kin_);
  bias_force(*model_, kin_, bias_);
}

double total_energy(const Model& model, const Kinematics& kin, const VectorXd& v) {
  return kinetic_energy(model, kin, v) + potential_energy(model, kin);
}

}  // namespace pequod
