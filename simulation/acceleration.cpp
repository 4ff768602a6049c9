#include "simulation/acceleration.h"

#include <algorithm>

#include "core/springs.h"
#include "core/tree_parts.h"
#include "simulation/friction.h"
#include "simulation/joint_friction.h"
#include "simulation/loop/instant.h"

namespace pequod {

namespace {

void compute_applied_force(const Scenario& scenario, const State& state, const Kinematics& kin,
                           const VectorXd& v, const Team* team, AppliedForce& force) {
  const Model& model = scenario.model;
  force.total = state.tau;
  force.external.setZero(model.nv);
  force.damping.setZero(model.nv);
  const double now = state.t + instant(scenario, state.t);
  for (const ExternalForce& wrench : scenario.forces) {
    // The window is closed to the left: a step that starts at `from` feels it, one at `to` does
    // not.
    if (now < wrench.from || now >= wrench.to) continue;
    const int index = nth(model.frames, wrench.frame).link;
    if (index < 0) continue;
    const Link& link = nth(model.links, index);
    const Vector3d com = nth(kin.links, index).X_WL * link.inertia.com;
    add_point_row(model, kin, index, com, wrench.force, 1.0, force.external);
    for (int i = link.joint.v_index + velocity_count(link.joint.type) - 1; i >= 0;
         i = nth(model.dof_parent, i))
      force.external[i] += kin.S.col(i).head<3>().dot(wrench.torque);
  }
  for_each_index(team, model.links.size(), 4 * kLinksOfPart, [&](std::size_t k, std::size_t) {
    const Joint& joint = model.links[k].joint;
    if (joint.damping == 0.0) return;
    const int i = joint.v_index, n = velocity_count(joint.type);
    force.damping.segment(i, n) = joint.damping * v.segment(i, n);
  });
  add_damper_forces(model, kin, v, force.damping);
  add_spring_forces(model, kin, force.total);
  force.total += force.external;
  force.total -= force.damping;
}

}  // namespace

double lighter_mass(const Model& model, int link_a, int link_b) {
  double least = kInfinity;
  for (const int link : {link_a, link_b})
    if (link >= 0) least = std::min(least, nth(model.trees, tree_of(model, link)).mass);
  return least;
}

double force_scale(const Model& model, const ContactKey& key) {
  const auto [a, b] = links_of(model, key);
  return lighter_mass(model, a, b) * std::max(1.0, model.gravity.norm());
}

double force_scale(const Model& model) {
  return total_mass(model) * std::max(1.0, model.gravity.norm());
}

void compute_free_force(const Scenario& scenario, const Evaluator& evaluator, const State& state,
                        const VectorXd& v, const Touching& closed, bool viscous,
                        FreeAcceleration& out, std::span<const JointMode> sliding,
                        std::span<const HeldLaw> laws) {
  const Model& model = scenario.model;
  const Kinematics& kin = evaluator.kinematics();
  compute_applied_force(scenario, state, kin, v, evaluator.team(), out.applied);
  out.friction.setZero(model.nv);
  if (viscous) add_viscous_friction(model, kin, closed, laws, out.friction);
  for (const JointMode& joint : sliding)
    out.friction[joint.coordinate] -= joint.slide * joint_friction(model, joint.coordinate);
  out.force = out.applied.total + out.friction - evaluator.bias();
}

void compute_free_acceleration(const Scenario& scenario, const Evaluator& evaluator,
                               const State& state, const VectorXd& v, const Touching& closed,
                               bool viscous, FreeAcceleration& out,
                               std::span<const JointMode> sliding, std::span<const HeldLaw> laws) {
  compute_free_force(scenario, evaluator, state, v, closed, viscous, out, sliding, laws);
  out.vdot = out.force;
  evaluator.factor().solve(scenario.model, out.vdot, evaluator.team());
}

}  // namespace pequod
