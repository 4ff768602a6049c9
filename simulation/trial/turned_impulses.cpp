#include "simulation/trial/turned_impulses.h"

#include <Eigen/Geometry>

#include "simulation/contact_motion.h"
#include "simulation/trial/tolerances.h"
#include "simulation/trial/workspace.h"

namespace pequod {
namespace {

void add_impulse(const Model& model, const Kinematics& kin, const Contact& contact,
                 const Vector3d& impulse, double share, VectorXd& out) {
  add_point_row(model, kin, contact.link_b, contact.p_W, impulse, share, out);
  add_point_row(model, kin, contact.link_a, contact.p_W, impulse, -share, out);
}

// Shorter steps than this turn nothing that counts.
bool turns_enough(const StepTask& task, double tau) {
  return kMostTurned * tau > kStraight * task.start.impulses.turn_time;
}

}  // namespace

void turn_impulses(const StepTask& task, double tau, std::span<const ContactImpulse> contacts,
                   Trial& trial) {
  if (!turns_enough(task, tau)) return;
  const Model& model = task.model();
  const StepStart& start = task.start;
  auto& [ended, X_WL, found, change, dv] = task.workspace.turned;
  ended.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].turns && !contacts[i].rests && !contacts[i].impulse.isZero(0.0))
      ended.add(start.touching, i);
  if (ended.size() == 0) return;
  copy_poses(trial.raw.kin, X_WL);
  follow_touching(model, X_WL, trial.raw.q, ended);
  found.setZero(model.nv);
  change.setZero(model.nv);
  std::size_t j = 0;
  for (std::size_t i = 0; i < contacts.size() && j < ended.size(); ++i) {
    const Contact& before = start.touching.contacts[i];
    const Contact& after = ended.contacts[j];
    if (before.key != after.key) continue;
    const Vector3d& impulse = contacts[i].impulse;
    const auto turn = Eigen::Quaterniond::FromTwoVectors(before.n_W, after.n_W);
    add_impulse(model, start.terms.kinematics(), before, impulse, 1.0, found);
    add_impulse(model, start.terms.kinematics(), before, impulse, -0.5, change);
    add_impulse(model, trial.raw.kin, after, turn * impulse, 0.5, change);
    ++j;
  }
  dv = change;
  start.terms.factor().solve(model, dv);
  State& out = trial.state;
  trial.work.impulse_normal -=
      0.5 * change.dot(start.state.v + trial.v_plus + dv) + 0.5 * found.dot(dv);
  out.v += dv;
  compute_velocities(model, out.v, trial.raw.kin);
}

}  // namespace pequod
