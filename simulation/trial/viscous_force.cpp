#include "simulation/trial/viscous_force.h"

#include "simulation/friction.h"

namespace pequod {
namespace {

// N: at contact i, with its slip at the start.
Vector3d force_at_start(const StepTask& task, std::size_t i) {
  const StepStart& start = task.start;
  const Contact& contact = start.touching.contacts[i];
  const ContactMode* mode = start.mode(i);
  if (!mode || !mode->closed || is_joint_limit(contact.key)) return Vector3d::Zero();
  return mode->share * viscous_friction(task.model(), start.terms.kinematics(), contact);
}

// 1/(1 + rτ), r = FᵀM⁻¹F/(−Fᵀv) of the forces of an island. @param y  L v
double damping_factor(const StepTask& task, const Island& island, const VectorXd& y, double tau,
                      const std::vector<Vector3d>& forces) {
  const Model& model = task.model();
  const Evaluator& here = task.start.terms;
  VectorXd &force = task.workspace.impulses.viscous, &part = task.workspace.end.move;
  force.setZero(model.nv);
  for (const int i : island.contacts)
    add_contact_row(model, here.kinematics(), nth(task.start.touching.contacts, i), nth(forces, i),
                    1.0, force);
  gather(model, island, force, part);
  island_solve_L_transposed(model, here.factor(), island, part);
  const double power = -part.dot(y);
  return power > 0.0 ? power / (power + tau * part.squaredNorm()) : 0.0;
}

}  // namespace

void find_viscous_forces(const StepTask& task, double tau, std::vector<Vector3d>& forces) {
  forces.resize(task.start.touching.size());
  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = force_at_start(task, i);
  const ImpulseProblems& impulses = task.start.impulses;
  for (std::size_t k = 0; k < impulses.islands.size(); ++k) {
    const Island& island = impulses.islands[k];
    if (island.contacts.empty()) continue;
    const double factor = damping_factor(task, island, impulses.y[k], tau, forces);
    for (const int i : island.contacts) nth(forces, i) *= factor;
  }
}

void add_viscous_forces(const StepTask& task, const std::vector<Vector3d>& forces,
                        FreeAcceleration& free) {
  if (forces.empty()) return;
  VectorXd& added = task.workspace.impulses.viscous;
  added.setZero(task.model().nv);
  for (std::size_t i = 0; i < forces.size(); ++i)
    add_contact_row(task.model(), task.start.terms.kinematics(), task.start.touching.contacts[i],
                    forces[i], 1.0, added);
  free.friction += added;
  free.force += added;
}

}  // namespace pequod
