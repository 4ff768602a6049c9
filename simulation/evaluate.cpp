#include "simulation/evaluate.h"

#include <utility>

#include "simulation/errors.h"
#include "simulation/loop/instant.h"

namespace pequod {

void Evaluator::at_position(const VectorXd& q) {
  if (q_.size() == q.size() && q_ == q) return;
  if (!q.allFinite()) throw DivergenceError("the dynamics gave a position that is not finite");
  q_ = q;
  compute_positions(*model_, q, kin_);
  compute_mass_matrix(*model_, kin_, mass_);
  factor_mass_matrix(*model_, mass_, factor_);
  fresh_ = placed_ = false;
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

void Evaluator::at(const VectorXd& q, const VectorXd& v) {
  at_position(q);
  if (fresh_ && v_.size() == v.size() && v_ == v) return;
  fresh_ = true;
  v_ = v;
  compute_velocities(*model_, v, kin_);
  bias_force(*model_, kin_, bias_);
}

void compute_applied_force(const Scenario& scenario, const State& state, const Kinematics& kin,
                           const VectorXd& v, AppliedForce& force) {
  const Model& model = scenario.model;
  force.total = state.tau;
  force.external.setZero(model.nv);
  force.damping.setZero(model.nv);
  const double now = state.t + instant(scenario, state.t);
  for (const ExternalForce& wrench : scenario.forces) {
    // The window is closed to the left: a step that starts at `from` feels it, one at `to` does
    // not.
    if (now < wrench.from || now >= wrench.to) continue;
    const int index = model.frames[static_cast<std::size_t>(wrench.frame)].link;
    if (index < 0) continue;
    const Link& link = model.links[static_cast<std::size_t>(index)];
    const Vector3d com = kin.links[static_cast<std::size_t>(index)].X_WL * link.inertia.com;
    add_point_row(model, kin, index, com, wrench.force, 1.0, force.external);
    for (int i = link.joint.v_index + velocity_count(link.joint.type) - 1; i >= 0;
         i = model.dof_parent[static_cast<std::size_t>(i)])
      force.external[i] += kin.S.col(i).head<3>().dot(wrench.torque);
  }
  for (const Link& link : model.links) {
    if (link.joint.damping == 0.0) continue;
    const int i = link.joint.v_index, n = velocity_count(link.joint.type);
    force.damping.segment(i, n) = link.joint.damping * v.segment(i, n);
  }
  force.total += force.external;
  force.total -= force.damping;
}

double total_energy(const Model& model, const Kinematics& kin, const VectorXd& v) {
  return kinetic_energy(model, kin, v) + potential_energy(model, kin);
}

}  // namespace pequod
