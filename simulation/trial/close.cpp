#include "simulation/trial/close.h"

#include <cmath>

#include "core/tree_parts.h"
#include "simulation/contact_motion.h"
#include "simulation/held/project.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// M and its factor at q, for the projection that follows; q is often where the step ended without.
void place_end(const StepTask& task, const VectorXd& q, Trial& trial) {
  const auto dynamics_time = task.world.clock->during(StepPart::dynamics);
  trial.terms.at_position(q, trial.raw.q, trial.raw.kin);
}

// Whether closing gaps moves what is held much farther than the step did, as where two points of a
// rim run into one, whose rows then tell nothing: no one would find it where it came from.
// @param moved  m, rad
bool goes_too_far(const StepTask& task, const Trial& trial, double moved) {
  const State& start = task.start.state;
  const double fastest =
      std::max(start.v.lpNorm<Eigen::Infinity>(), trial.raw.v.lpNorm<Eigen::Infinity>());
  const double way = (trial.state.t - start.t) * fastest;
  return moved > kFarther * (way + task.world.tolerance.gap());
}

// Moves q to where the gaps of what is held and of what was raised are zero, with rows at at_q.
void lift(const StepTask& task, const Kinematics& at_q, const MassFactor& mass, Trial& trial,
          VectorXd& q) {
  EndBuffers& buffers = task.workspace.end;
  const auto contact_time = task.world.clock->during(StepPart::contact);
  buffers.lift.hold(buffers.kept_and_raised, trial.held.set().joints);
  buffers.lift.factor(task.model(), at_q, mass, q, HeldTangents::without);
  buffers.before = q;
  const LeftGaps left = project_position(task.model(), mass, at_q, buffers.lift,
                                         task.world.tolerance, q, task.workspace.held);
  if (goes_too_far(task, trial, left.moved)) q = buffers.before;
}

// Contacts that open, as at the end at_q, and are below zero at q, where X_WL has the links: they
// are raised too. @return whether there are any that were not yet
bool add_leaving(const StepTask& task, const Kinematics& at_q, const VectorXd& q, Trial& trial) {
  EndBuffers& buffers = task.workspace.end;
  const Touching& touching = task.start.touching;
  follow_touching(task.model(), buffers.X_WL, q, buffers.moved, task.world.team());
  const std::size_t before = trial.raised.size();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = buffers.moved.contacts[i];
    if (contact.gap >= 0.0 || trial.holds(contact.key) || !task.matters(i) ||
        normal_velocity(task.model(), at_q, contact, trial.state.v) <= 0.0)
      continue;
    trial.raised.add(touching, i);
    buffers.kept_and_raised.add(touching, i);
  }
  return trial.raised.size() > before;
}

// A contact that opens from rest, N v̇ + Ṅ v > 0, has the gap h² (N v̇ + ½ Ṅ v) after a step that
// moves with the velocity of its end: below zero where it opens by the turn of its body more than
// by forces. Its velocity is right, its position is brought to zero; no force holds it. What this
// moves onto another one that opens is raised with it.
// @return whether any was raised
bool raise_leaving(const StepTask& task, Trial& trial) {
  const Model& model = task.model();
  trial.raised.clear();
  if (!task.method.symplectic || task.start.held.touching.size() == task.start.touching.size())
    return false;
  EndBuffers& buffers = task.workspace.end;
  State& out = trial.state;
  if (trial.held.set().empty()) {
    place_raw_end(task, trial);
    time_raw_end(task, trial);
  } else {
    trial.terms.at(out.q, out.v);  // whose velocities tell what opens
  }
  const Kinematics& at_q = trial.held.set().empty() ? trial.raw.kin : trial.terms.kinematics();
  buffers.moved = task.start.touching;
  buffers.kept_and_raised = trial.held.set().touching;
  buffers.q = out.q;
  copy_poses(at_q, buffers.X_WL, task.world.team());
  while (add_leaving(task, at_q, out.q, trial)) {
    out.q = buffers.q;
    lift(task, at_q, task.start.terms.factor(), trial, out.q);
    compute_poses(model, out.q, buffers.X_WL, task.world.team());
  }
  return trial.raised.size() > 0;
}

}  // namespace

void place_raw_end(const StepTask& task, Trial& trial) {
  trial.raw.taken = false;
  if (are_equal(trial.raw.q, trial.state.q)) return;  // of what stands
  trial.raw.q = trial.state.q;
  make_room(task.model(), trial.raw.kin);
  for_each_trees(task.world.team(), task.model(), [&](std::span<const Tree> trees, std::size_t) {
    compute_positions(task.model(), trees, trial.raw.q, trial.raw.kin);
  });
}

void time_raw_end(const StepTask& task, Trial& trial) {
  for_each_trees(task.world.team(), task.model(), [&](std::span<const Tree> trees, std::size_t) {
    compute_velocities(task.model(), trees, trial.raw.v, trial.raw.kin);
  });
}

void take_raw_end(const StepTask& task, Trial& trial) {
  const auto dynamics_time = task.world.clock->during(StepPart::dynamics);
  RawEnd& raw = trial.raw;
  raw.taken = trial.terms.take_place(trial.state.q, raw.q, raw.kin) || raw.taken;
}

void hold_velocity(const StepTask& task, HeldTangents tangents, Trial& trial) {
  const auto contact_time = task.world.clock->during(StepPart::contact);
  State& out = trial.state;
  if (task.method.velocity_level() && !task.method.in_bodies)
    take_raw_end(task, trial);
  else
    place_end(task, out.q, trial);
  trial.held.factor(trial.terms, tangents, &task.rates.repeated);
  trial.projected =
      project_velocity(trial.terms, trial.held, task.world.tolerance, out.v, task.workspace.held);
}

void close_gaps(const StepTask& task, const Evaluator& start, Trial& trial) {
  const SceneTolerances& tolerance = task.world.tolerance;
  const Model& model = task.model();
  HeldWorkspace& workspace = task.workspace.held;
  VectorXd& q = trial.state.q;
  VectorXd& tried = task.workspace.end.q;
  tried = q;
  // Its end is where the next thing that is asked for are the links.
  const LeftGaps first = project_position(model, start.factor(), trial.raw.kin, trial.held,
                                          tolerance, q, workspace, kProjections, &trial.terms);
  double least = first.widest, moved = first.moved;
  if (goes_too_far(task, trial, moved)) q = tried;
  if (!(least <= kNewtonReach * tolerance.length)) return;
  int in_vain = 0;
  for (int round = 0; round < kNewtonRounds && !(least <= tolerance.still()); ++round) {
    place_end(task, tried, trial);
    const Evaluator& terms = trial.terms;
    trial.held.factor(terms, task.method.stage_tangents(), &task.rates.repeated);
    const LeftGaps left = project_position(model, terms.factor(), terms.kinematics(), trial.held,
                                           tolerance, tried, workspace, 1);
    moved += left.moved;
    if (!std::isfinite(left.widest) || goes_too_far(task, trial, moved)) return;
    const bool helps = left.widest < least;
    in_vain = !helps && left.to_close <= tolerance.still() ? in_vain + 1 : 0;
    if (in_vain == kInVain) return;
    if (!helps) continue;
    least = left.widest;
    q = tried;
  }
}

void close_step(const StepTask& task, const Evaluator& last, Trial& trial) {
  const Model& model = task.model();
  const HeldTangents tangents = task.method.stage_tangents();
  const HeldSet& set = trial.held.set();
  State& out = trial.state;
  trial.raw.v = out.v;
  if (!set.empty()) {
    place_raw_end(task, trial);
    time_raw_end(task, trial);
    const auto contact_time = task.world.clock->during(StepPart::contact);
    if (task.method.symplectic && set.loops)
      trial.held.factor(model, trial.raw.kin, last.factor(), out.q, tangents, &task.rates.repeated);
    else if (!task.method.symplectic)  // what stands still has no stage but its start
      trial.held.factor(last, tangents, &task.rates.repeated);
    close_gaps(task, last, trial);
    hold_velocity(task, tangents, trial);
  }
  if (raise_leaving(task, trial) && !set.empty()) {
    out.v = trial.raw.v;
    hold_velocity(task, tangents, trial);
  }
}

void raise_sunk_contacts(const StepTask& task, const Touching& found, Trial& trial) {
  EndBuffers& buffers = task.workspace.end;
  // The lowest point of a rim may be another than the one of that name that was moved to zero.
  for (std::size_t i = 0; i < found.size(); ++i)
    if (const Contact& contact = found.contacts[i];
        contact.gap < (trial.holds(contact.key) ? -task.world.tolerance.gap() : 0.0))
      trial.raised.add(found, i);
  buffers.kept_and_raised = trial.held.set().touching;
  for (std::size_t i = 0; i < trial.raised.size(); ++i)
    buffers.kept_and_raised.add(trial.raised, i);
  if (trial.raw.taken) place_raw_end(task, trial);
  lift(task, trial.terms.kinematics(), trial.terms.factor(), trial, trial.state.q);
  time_raw_end(task, trial);
  trial.terms.at(trial.state.q, trial.state.v);
}

}  // namespace pequod
