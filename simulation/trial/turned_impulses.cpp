#include "simulation/trial/turned_impulses.h"

#include <Eigen/Geometry>

#include "simulation/contact_motion.h"
#include "simulation/trial/tolerances.h"
#include "simulation/trial/workspace.h"

namespace pequod {
namespace {

// An impulse of a contact as it was found, and what turns of it.
// @param before, after  the contact where the step starts and ends
void add_turn(const StepTask& task, const Trial& trial, const Contact& before, const Contact& after,
              const Vector3d& impulse, TurnedPart& part) {
  const Model& model = task.model();
  const Kinematics& start = task.start.terms.kinematics();
  const auto turn = Eigen::Quaterniond::FromTwoVectors(before.n_W, after.n_W);
  add_contact_row(model, start, before, impulse, 1.0, part.found);
  add_contact_row(model, trial.raw.kin, after, turn * impulse, 0.5, part.change);
}

// Shorter steps than this turn nothing that counts.
bool turns_enough(const StepTask& task, double tau) {
  return task.start.joined.empty() && kMostTurned * tau > kStraight * task.start.impulses.turn_time;
}

}  // namespace

const VectorXd& turn_impulses(const StepTask& task, double tau,
                              std::span<const ContactImpulse> contacts, Trial& trial) {
  if (!turns_enough(task, tau)) return trial.v_plus;
  const Model& model = task.model();
  const StepStart& start = task.start;
  auto& [ended, normal, friction, dv, mean] = task.workspace.turned;
  ended.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].turns && !contacts[i].rests && !contacts[i].impulse.isZero(0.0))
      ended.add(start.touching, i);
  if (ended.size() == 0) return trial.v_plus;
  const Team* team = task.world.team();
  follow_touching(model, trial.raw.kin, trial.raw.q, ended, team);
  for (VectorXd* sum : {&normal.found, &normal.change, &friction.found, &friction.change})
    sum->setZero(model.nv);
  std::size_t j = 0;
  for (std::size_t i = 0; j < ended.size(); ++i) {
    const Contact& before = start.touching.contacts[i];
    if (before.key != ended.contacts[j].key) continue;
    const Vector3d along = before.n_W.dot(contacts[i].impulse) * before.n_W;
    add_turn(task, trial, before, ended.contacts[j], along, normal);
    add_turn(task, trial, before, ended.contacts[j++], contacts[i].impulse - along, friction);
  }
  // Of the impulses of the start, half is taken back.
  for (TurnedPart* part : {&normal, &friction}) part->change -= 0.5 * part->found;
  dv = normal.change + friction.change;
  start.terms.factor().solve(model, dv, team);
  mean = 0.5 * (start.state.v + trial.v_plus + dv);
  trial.work.impulse_normal -= normal.change.dot(mean) + 0.5 * normal.found.dot(dv);
  trial.work.impulse_friction -= friction.change.dot(mean) + 0.5 * friction.found.dot(dv);
  trial.state.v += dv;
  dv += trial.v_plus;
  return dv;
}

}  // namespace pequod
