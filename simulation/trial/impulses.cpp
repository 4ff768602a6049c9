#include "simulation/trial/impulses.h"

#include <algorithm>
#include <cmath>

#include "simulation/contact_motion.h"
#include "simulation/held/project.h"
#include "simulation/joint_friction.h"
#include "simulation/resting.h"
#include "simulation/tolerances.h"
#include "simulation/trial/close.h"
#include "simulation/trial/free_bodies.h"
#include "simulation/trial/free_momentum.h"
#include "simulation/trial/move_apart.h"
#include "simulation/trial/rest.h"
#include "simulation/trial/smooth.h"
#include "simulation/trial/tolerances.h"
#include "simulation/trial/turned_impulses.h"
#include "simulation/trial/viscous_force.h"

namespace pequod {
namespace {

// Joints at rest get a velocity of exactly zero; so do those that slide by a rounding only. One
// that contacts hold already may be left with a little more, and is then not at rest.
void stop_joints(const std::vector<JointMode>& joints, VectorXd& v, std::vector<int>& stuck) {
  stuck.clear();
  for (const JointMode& joint : joints) {
    double& own = v[joint.coordinate];
    if (std::abs(own) > (joint.slide == 0 ? kSpeedTolerance : kJointRest)) continue;
    own = 0.0;
    stuck.push_back(joint.coordinate);
  }
}

// A joint that is held all along stays where it is, and so does a tree: the free step and its
// correction cancel but for the curvature of the path.
void rest_positions(const Model& model, const State& start, const VectorXd& v_plus,
                    const std::vector<int>& stuck, VectorXd& q) {
  for (const int coordinate : stuck) {
    if (start.v[coordinate] != 0.0) continue;
    const int link = nth(model.dof_link, coordinate);
    const int own = nth(model.links, link).joint.q_index;
    q[own] = start.q[own];
  }
  for (const Tree& tree : model.trees) {
    if (!is_at_rest(tree, start.v) || !is_at_rest(tree, v_plus)) continue;
    for (int k = tree.first_link; k < tree.first_link + tree.links; ++k) {
      const Joint& joint = nth(model.links, k).joint;
      const int count = position_count(joint.type);
      q.segment(joint.q_index, count) = start.q.segment(joint.q_index, count);
    }
  }
}

// Symplectic Euler moves with v⁺; a Runge–Kutta step by the mean of v_free and v⁺, as if the
// impulse were a constant force.
void move_with_impulses(const StepTask& task, double tau, const std::vector<int>& stuck,
                        Trial& trial) {
  const Model& model = task.model();
  const State& start = task.start.state;
  VectorXd& move = task.workspace.end.move;
  VectorXd& q = trial.state.q;
  if (task.method.symplectic) {
    move = tau * task.workspace.impulses.chord;
    integrate_position(model, start.q, move, q, task.world.team());
    return;
  }
  move = 0.5 * tau * (trial.v_plus - trial.v_free);
  integrate_position(model, q, move, q);
  rest_positions(model, start, trial.v_plus, stuck, q);
}

// Whether contact i of the start is below zero with the links at X_WL.
bool is_sunk(const StepTask& task, const std::vector<Pose>& X_WL, const VectorXd& q,
             std::size_t i) {
  return followed_gap(task.model(), X_WL, q, task.start.touching, i) <
         -task.world.tolerance.still();
}

// Those of the contacts that are asked for and below zero: task.workspace.impulses.sunk.
template <typename Asked>
const std::vector<char>& find_sunk(const StepTask& task, const std::vector<Pose>& X_WL,
                                   const VectorXd& q, const Asked& asked) {
  std::vector<char>& sunk = task.workspace.impulses.sunk;
  sunk.assign(task.start.touching.size(), 0);
  for_each_index(task.world.team(), sunk.size(), kContactsOfPart, [&](std::size_t i, std::size_t) {
    sunk[i] = asked(i) && task.matters(i) && is_sunk(task, X_WL, q, i) ? 1 : 0;
  });
  return sunk;
}

// What opens may sink by the curve of its path: it is moved up, but held only where N v⁺ ≥ 0 tells
// nothing of Ṅ v.
void follow_turns(const StepTask& task, const Trial& trial, std::vector<ContactImpulse>& contacts) {
  // What is held already stays so wherever it has moved.
  const auto known = [](const ContactImpulse& contact) { return contact.swept || contact.held; };
  if (!task.start.joined.empty() || std::ranges::all_of(contacts, known)) return;
  const auto collision_time = task.world.clock->during(StepPart::collision);
  std::vector<Pose>& X_WL = task.workspace.end.X_WL;
  copy_poses(trial.raw.kin, X_WL, task.world.team());
  const std::vector<char>& sunk =
      find_sunk(task, X_WL, trial.state.q, [&](std::size_t i) { return !known(contacts[i]); });
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!sunk[i]) continue;
    contacts[i].held = !contacts[i].turns;
    contacts[i].closed = true;
  }
}

// Whether the projection of the closed contacts has sunk others, which are then closed too.
bool close_sunk(const StepTask& task, const VectorXd& q, std::vector<ContactImpulse>& contacts) {
  const auto open = [](const ContactImpulse& contact) { return !contact.held && !contact.swept; };
  if (!task.start.joined.empty() || std::ranges::none_of(contacts, open)) return false;
  std::vector<Pose>& X_WL = task.workspace.end.X_WL;
  compute_poses(task.model(), q, X_WL, task.world.team());
  const std::vector<char>& sunk = find_sunk(task, X_WL, q, [&](std::size_t i) {
    return !contacts[i].held && !contacts[i].rests && !contacts[i].swept;
  });
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (sunk[i]) contacts[i].closed = contacts[i].held = true;
  return std::ranges::any_of(sunk, [](char one) { return one != 0; });
}

void hold_closed(const StepTask& task, const std::vector<ContactImpulse>& contacts,
                 const std::vector<int>& stuck, Trial& trial) {
  HeldSet& set = task.workspace.end.set;
  set.friction = StageFriction::none;
  const Touching& from = task.start.touching;
  std::vector<std::size_t>& chosen = task.workspace.impulses.chosen;
  chosen.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].is_projected()) chosen.push_back(i);
  // Joint limits come last there too.
  const auto limits = std::ranges::lower_bound(chosen, from.points.size());
  set.touching.points.resize(static_cast<std::size_t>(limits - chosen.begin()));
  set.touching.contacts.resize(chosen.size());
  set.laws.resize(chosen.size());
  for_each_index(task.world.team(), chosen.size(), kContactsOfPart,
                 [&](std::size_t k, std::size_t) {
                   const std::size_t i = chosen[k];
                   if (i < from.points.size()) set.touching.points[k] = from.points[i];
                   set.touching.contacts[k] = from.contacts[i];
                   set.laws[k] = {.sticks = contacts[i].sticks,
                                  .idle = !contacts[i].held,
                                  .unloaded = contacts[i].impulse.isZero(0.0)};
                 });
  set.joints = stuck;
  set.brief = true;
  trial.held.exchange(set);
  task.rates.repeated.clear();
}

// Closes held gaps at the end of the step. Rows of contacts at the start are at hand and do for
// that; those of loops turn.
void project_end(const StepTask& task, const std::vector<ContactImpulse>& contacts, Trial& trial) {
  const Evaluator& start = task.start.terms;
  if (trial.held.set().loops) {
    trial.held.factor(task.model(), trial.raw.kin, start.factor(), trial.state.q,
                      HeldTangents::without, &task.rates.repeated);
  } else {
    // Where nothing is open no row is asked for.
    trial.held.follow(task.model(), trial.raw.kin, trial.state.q);
    if (widest_gap(trial.held.set().touching.contacts) <= task.world.tolerance.noise()) return;
    std::vector<char>& keep = task.workspace.impulses.keep;
    keep.clear();
    for (const ContactImpulse& contact : contacts) keep.push_back(contact.is_projected() ? 1 : 0);
    const ImpulseProblems& from = task.start.impulses;
    trial.held.factor_from(from.islands, from.tree_offset, from.problems, keep);
  }
  close_gaps(task, start, trial);
}

// Whether many contacts that are held stand at the end of the step as they should, and nothing
// moves along their rows, so that a projection would find nothing to do. Of few, the rows that it
// makes serve the next step.
bool is_held_at_rest(const StepTask& task, Trial& trial) {
  const HeldSet& set = trial.held.set();
  if (set.touching.size() < kManyHeld || set.loops || !set.joints.empty()) return false;
  time_raw_end(task, trial);
  trial.held.follow(task.model(), trial.raw.kin, trial.state.q);
  for (std::size_t i = 0; i < set.touching.size(); ++i) {
    const Contact& contact = set.touching.contacts[i];
    if (std::abs(contact.gap) > task.world.tolerance.noise()) return false;
    const double rate = normal_velocity(task.model(), trial.raw.kin, contact, trial.state.v);
    if (rate < -kStillRow) return false;
    if (set.laws[i].idle) continue;  // it may open
    if (rate > kStillRow) return false;
    if (set.laws[i].sticks && !is_joint_limit(contact.key) &&
        relative_velocity(task.model(), trial.raw.kin, contact).norm() > kStillRow)
      return false;
  }
  return true;
}

// The end of the step onto what is held, and onto what that sinks.
void project_contacts(const StepTask& task, const std::vector<int>& stuck,
                      std::vector<ContactImpulse>& contacts, Trial& trial) {
  VectorXd& q = trial.state.q;
  project_end(task, contacts, trial);
  for (int round = 0; round < kSinkRounds && close_sunk(task, q, contacts); ++round) {
    hold_closed(task, contacts, stuck, trial);
    q = trial.raw.q;
    project_end(task, contacts, trial);
  }
  keep_momenta(task, task.workspace.free, trial);
  hold_velocity(task, HeldTangents::of_few, trial);
}

// The end of the step onto the contacts that stay closed.
void close_contacts(const StepTask& task, const std::vector<int>& stuck,
                    std::vector<ContactImpulse>& contacts, Trial& trial) {
  hold_closed(task, contacts, stuck, trial);
  const bool projects = trial.held.set().projects();
  if (!projects && !task.method.in_bodies) return;
  const auto contact_time = task.world.clock->during(StepPart::contact);
  if (projects && !is_held_at_rest(task, trial)) project_contacts(task, stuck, contacts, trial);
  move_apart(task, contacts, trial);
  if (!projects && !trial.moved_apart) return;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    trial.lands =
        trial.lands || (contacts[i].closed && task.start.apart[i] > task.world.tolerance.gap());
}

// Contact forces as they acted: points and normals of the start of the step. What rests keeps its
// own.
void write_impulses(const StepTask& task, const std::vector<ContactImpulse>& contacts, double tau,
                    const std::vector<Vector3d>& viscous, State& out) {
  const Touching& touching = task.start.touching;
  const State& start = task.start.state;
  out.mode.clear();
  if (!start.loop.resting.empty())
    for (const ContactMode& mode : start.mode)
      if (rests(task.model(), start.loop.resting, mode.key)) out.mode.push_back(mode);
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    ContactMode mode = closed_mode(contact);
    mode.closed = contacts[i].closed;
    mode.sticking = contacts[i].sticks;
    mode.active = contacts[i].active;
    mode.force_W = contacts[i].impulse / tau;
    if (!viscous.empty()) mode.force_W += viscous[i];
    out.mode.push_back(mode);
  }
  sort_modes(out);
}

}  // namespace

void take_impulse_step(const StepTask& task, double tau, std::span<const char> wanted_islands,
                       Trial& trial) {
  const Model& model = task.model();
  State& out = trial.state;
  std::vector<ContactImpulse>& contacts = task.workspace.impulses.contacts;
  std::vector<int>& stuck = task.workspace.impulses.stuck;
  task.workspace.end.set.clear();
  trial.held.exchange(task.workspace.end.set);
  trial.raised.clear();
  trial.moved_apart = false;
  trial.motion.viscous.clear();
  if (task.method.contact.viscous) find_viscous_forces(task, tau, trial.motion.viscous);
  integrate(task, tau, trial);
  solve_impulses(task, tau, wanted_islands, trial, contacts);
  find_free_momenta(task, tau, trial, task.workspace.free);
  const double joined = task.start.joined.empty()
                            ? 0.0
                            : move_as_one(model, task.start.terms, task.start.joined, trial.v_plus);
  trial.work.impulse_normal += joined;
  stop_joints(out.joints, trial.v_plus, stuck);
  task.workspace.impulses.chord += trial.v_plus;
  out.v = trial.v_plus;
  move_with_impulses(task, tau, stuck, trial);
  if (task.method.symplectic)
    end_turns(task.start.terms, tau, trial.v_plus, task.workspace.impulses.chord,
              task.workspace.end.turning, out.q, out.v);
  require_finite(task.world, task.start, out);
  place_raw_end(task, trial);
  const VectorXd& v_end = turn_impulses(task, tau, contacts, trial);
  book_constant_forces(task, tau, v_end, trial);
  add_impulses(task, trial, task.workspace.free);
  keep_tree_momenta(task, out.q, task.workspace.free, out.v);
  trial.raw.v = out.v;
  if (task.start.joined.empty())
    follow_turns(task, trial, contacts);
  else
    for (ContactImpulse& contact : contacts) contact.closed = contact.held = false;
  close_contacts(task, stuck, contacts, trial);
  trial.projected.suspect += joined;  // no model of contact moves bodies as one
  if (trial.ends_raw())
    take_raw_end(task, trial);
  else
    time_raw_end(task, trial);
  trial.terms.at(out.q, out.v);
  write_impulses(task, contacts, tau, trial.motion.viscous, out);
}

}  // namespace pequod
