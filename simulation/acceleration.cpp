#include "simulation/acceleration.h"

#include <algorithm>

#include "simulation/friction.h"
#include "simulation/joint_friction.h"

namespace pequod {

double force_scale(const Model& model) {
  double mass = 0.0;
  for (const Link& link : model.links) mass += link.inertia.mass;
  return mass * std::max(1.0, model.gravity.norm());
}

void compute_free_acceleration(const Scenario& scenario, const Evaluator& evaluator,
                               const State& state, const VectorXd& v, const Touching& closed,
                               bool viscous, FreeAcceleration& out,
                               std::span<const JointMode> sliding, std::span<const HeldLaw> laws) {
  const Model& model = scenario.model;
  const Kinematics& kin = evaluator.kinematics();
  compute_applied_force(scenario, state, kin, v, out.applied);
  out.friction.setZero(model.nv);
  if (viscous) add_viscous_friction(model, kin, closed, laws, out.friction);
  for (const JointMode& joint : sliding)
    out.friction[joint.coordinate] -= joint.slide * joint_friction(model, joint.coordinate);
  out.vdot = out.applied.total + out.friction - evaluator.bias();
  evaluator.factor().solve(model, out.vdot);
}

}  // namespace pequod
