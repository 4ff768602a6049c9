#include "simulation/trial/turned_impulses.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "core/springs.h"
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

// From a link's centre of mass to a point of it, m.
Vector3d lever(const Kinematics& kin, const Model& model, int link, const Vector3d& p_W) {
  return p_W - mass_centre(model, kin, link, 1).position;
}

// Whether a contact acts at the end on as good as the points of its bodies where it did. Where
// sides all but parallel cross, their axes are nearest to each other ever so far off, and an
// impulse there would turn what it never touched.
bool keeps_levers(const Model& model, const Kinematics& start, const Kinematics& end,
                  const Contact& before, const Contact& after) {
  return std::ranges::all_of(std::array{before.link_a, before.link_b}, [&](int link) {
    if (link < 0 || tree_of(model, link) < 0) return true;
    const Vector3d arm = lever(start, model, link, before.p_W);
    return (lever(end, model, link, after.p_W) - arm).norm() <= kMostRun * arm.norm();
  });
}

// Shorter steps than this turn nothing that counts.
bool turns_enough(const StepTask& task, double tau) {
  return task.start.joined.empty() && kMostTurned * tau > kStraight * task.start.impulses.turn_time;
}

// A spring that presses what turns turns with it, or it would spin up what contacts balance: half
// of its impulse acts along its line at the end. The books need not know: its energy tells its
// work.
// @param dv  what contacts turn, and then springs too
void turn_springs(const StepTask& task, double tau, const Trial& trial, VectorXd& dv) {
  const Model& model = task.model();
  if (model.springs.empty() || !task.method.symplectic) return;
  const Kinematics &start = task.start.terms.kinematics(), &end = trial.raw.kin;
  const auto turns = [&](int link) {
    const int tree = tree_of(model, link);
    if (tree < 0) return false;
    const Tree& own = nth(model.trees, tree);
    return !dv.segment(own.first_v, own.nv).isZero(0.0);
  };
  VectorXd& change = task.workspace.turned.springs;
  change.setZero(model.nv);
  for (const Spring& spring : model.springs) {
    if (!turns(spring.link_a) && !turns(spring.link_b)) continue;
    const SpringLine before = spring_line(spring, start), after = spring_line(spring, end);
    const double impulse = tau * spring.stiffness * (before.length - spring.rest);
    add_length_row(model, start, spring, before, 0.5 * impulse, change);
    add_length_row(model, end, spring, after, -0.5 * impulse, change);
  }
  task.start.terms.factor().solve(model, change, task.world.team());
  dv += change;
}

}  // namespace

const VectorXd& turn_impulses(const StepTask& task, double tau,
                              std::span<const ContactImpulse> contacts, Trial& trial) {
  if (!turns_enough(task, tau)) return trial.v_plus;
  const Model& model = task.model();
  const StepStart& start = task.start;
  auto& [ended, normal, friction, dv, mean, springs] = task.workspace.turned;
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
    const Contact& after = ended.contacts[j++];
    if (!keeps_levers(model, start.terms.kinematics(), trial.raw.kin, before, after)) continue;
    const Vector3d along = before.n_W.dot(contacts[i].impulse) * before.n_W;
    add_turn(task, trial, before, after, along, normal);
    add_turn(task, trial, before, after, contacts[i].impulse - along, friction);
  }
  // Of the impulses of the start, half is taken back.
  for (TurnedPart* part : {&normal, &friction}) part->change -= 0.5 * part->found;
  dv = normal.change + friction.change;
  start.terms.factor().solve(model, dv, team);
  mean = 0.5 * (start.state.v + trial.v_plus + dv);
  trial.work.impulse_normal -= normal.change.dot(mean) + 0.5 * normal.found.dot(dv);
  trial.work.impulse_friction -= friction.change.dot(mean) + 0.5 * friction.found.dot(dv);
  turn_springs(task, tau, trial, dv);
  trial.state.v += dv;
  dv += trial.v_plus;
  return dv;
}

}  // namespace pequod
