#include "simulation/friction.h"

namespace pequod {

Vector3d viscous_friction(const Model& model, const Kinematics& kin, const Contact& contact) {
  const Vector3d slip = relative_velocity(model, kin, contact);
  return -contact.surface.viscous * (slip - contact.n_W.dot(slip) * contact.n_W);
}

void add_viscous_friction(const Model& model, const Kinematics& kin, const Contact& contact,
                          double share, VectorXd& force) {
  if (contact.surface.viscous == 0.0) return;
  const Vector3d f = viscous_friction(model, kin, contact);
  add_contact_row(model, kin, contact, f, share, force);
}

void add_viscous_friction(const Model& model, const Kinematics& kin, const Touching& touching,
                          std::span<const HeldLaw> laws, VectorXd& force) {
  for (std::size_t i = 0; i < touching.points.size(); ++i)
    if (laws.empty() || !laws[i].floats)
      add_viscous_friction(model, kin, touching.contacts[i], 1.0, force);
}

void find_viscous_pull(const Evaluator& here, const Island& island, const ContactProblem& problem,
                       const Contact& contact, VectorXd& pull, VectorXd& generalised) {
  generalised.setZero(here.model().nv);
  add_viscous_friction(here.model(), here.kinematics(), contact, 1.0, generalised);
  gather(here.model(), island, generalised, pull);
  island_solve_L_transposed(here.model(), here.factor(), island, pull);
  problem.loops.project(pull);
}

}  // namespace pequod
