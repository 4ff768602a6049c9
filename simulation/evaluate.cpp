#include "simulation/evaluate.h"

#include <utility>

#include "simulation/errors.h"

namespace pequod {

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
  fresh_ = placed_ = timed_ = false;
}

void place_shapes(const Model& model, const Kinematics& kin, std::vector<Pose>& X_WS) {
  X_WS.resize(model.shapes.size());
  for (std::size_t i = 0; i < X_WS.size(); ++i) {
    const Shape& shape = model.shapes[i];
    X_WS[i] = shape.link < 0 ? shape.X_LS
                             : kin.links[static_cast<std::size_t>(shape.link)].X_WL * shape.X_LS;
  }
}

const std::vector<Pose>& Evaluator::shapes() const {
  if (!std::exchange(placed_, true)) place_shapes(*model_, kin_, X_WS_);
  return X_WS_;
}

const std::vector<ShapeSpeed>& Evaluator::speeds() const {
  if (std::exchange(timed_, true)) return speeds_;
  const std::vector<Pose>& X_WS = shapes();
  speeds_.assign(X_WS.size(), {});
  for (std::size_t i = 0; i < X_WS.size(); ++i) {
    const int link = model_->shapes[i].link;
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
  timed_ = false;
  v_ = v;
  compute_velocities(*model_, v, kin_);
  bias_force(*model_, kin_, bias_);
}

double total_energy(const Model& model, const Kinematics& kin, const VectorXd& v) {
  return kinetic_energy(model, kin, v) + potential_energy(model, kin);
}

}  // namespace pequod
