#include "simulation/settle/mode.h"

#include <algorithm>
#include <utility>

#include "contact/limb_contacts.h"
#include "simulation/contact_motion.h"
#include "simulation/held/tolerances.h"
#include "simulation/joint_friction.h"
#include "simulation/rims.h"
#include "simulation/settle/tolerances.h"
#include "simulation/settle/workspace.h"

namespace pequod {
namespace {

// What is held of one island's candidates: those that open leave, and share their friction if it
// holds them.
StepStats open_contacts(const World& world, const Evaluator& here, const State& state,
                        const Touching& candidates, const Island& island,
                        const ContactKey* released, std::vector<Hold>& hold,
                        IslandAccelerations& solved, SettleWorkspace& workspace) {
  hold.assign(island.contacts.size(), Hold::closed);
  bool opens = false;
  for (std::size_t i = 0; i < hold.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (solved.opening[row] <= kAccelerationTolerance &&
        !(released && candidates.contacts[contact_index(island, row)].key == *released))
      continue;
    hold[i] = Hold::open;
    opens = true;
  }
  if (!opens || !world.contact.viscous) return {};
  return share_friction(world, here, state.t, candidates, island, workspace.island.posed, hold,
                        solved, workspace.island.solver, workspace.floating);
}

// More contacts than can be closed at once, as on ground that is rough by 1e-10 m, contradict each
// other by a little: if no forces that only push do what all of them ask for, those leave that have
// none.
void open_unloaded(const ContactProblem& problem, const ContactSolution& solution,
                   std::vector<Hold>& hold, FloatingWorkspace& workspace) {
  if (std::ranges::count(hold, Hold::floating) > 0 || !problem.bound.empty()) return;
  HeldRows& rows = workspace.rows;
  VectorXd &e = workspace.e, &y = workspace.y;
  rows.reset(problem.m, kRepeatingRow);
  e.resize(problem.n);
  for (int i = 0; i < problem.n; ++i) {
    if (nth(hold, i) != Hold::closed) continue;
    e[std::ssize(rows.accepted())] = problem.c[i];
    rows.add(problem.normals.col(i));
  }
  e.conservativeResize(std::ssize(rows.accepted()));
  if (rows.rank() == e.size()) return;
  y = problem.y;
  rows.solve(e, y, workspace.f);
  if ((solution.y - y).norm() <= kContradicts * (solution.y - problem.y).norm()) return;
  for (int i = 0; i < problem.n; ++i)
    if (!(solution.fn[i] > 0.0)) nth(hold, i) = Hold::open;
}

void read_joints(const Island& island, const ContactSolution& solution,
                 std::vector<JointMode>& joints) {
  for (std::size_t j = 0; j < island.joints.size(); ++j) {
    JointMode& joint = find_joint(joints, island.joints[j]);
    joint.slide = solution.slide[j];
    joint.force = solution.fj[j];
  }
}

// The touching contacts that neither separate nor approach.
void find_resting(const World& world, const Evaluator& here, const State& state,
                  const Touching& touching, Touching& resting) {
  resting.clear();
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (rests(normal_velocity(world.model(), here.kinematics(), touching.contacts[i], state.v),
              world.tolerance))
      resting.add(touching, i);
}

// The mode of these contacts at rest and of the joints.
// @param candidates  get biases
// @param vdot        out, if discs lie among the contacts: the accelerations with this mode
void solve_candidates(const World& world, const Evaluator& here, const State& state,
                      Touching& candidates, const ContactKey* released, ChosenMode& chosen,
                      VectorXd& vdot, SettleWorkspace& workspace) {
  const Model& model = world.model();
  PosedProblem& posed = workspace.island.posed;
  IslandAccelerations& solved = workspace.mode.solved;
  std::vector<Hold>& hold = workspace.mode.hold;
  std::vector<int>& joints_at_rest = workspace.mode.joints_at_rest;
  chosen.held.clear();
  sort_joints(state, chosen.joints, joints_at_rest);
  if (candidates.size() == 0 && joints_at_rest.empty()) return;
  compute_biases(model, here.kinematics(), candidates);
  compute_free_acceleration(*world.scenario, here, state, state.v, candidates,
                            world.contact.viscous, workspace.free,
                            sliding_joints(world, chosen.joints));
  const auto contact_time = world.clock->during(StepPart::contact);
  const bool discs = has_discs(model, candidates);
  if (discs) vdot = workspace.free.vdot;
  Islands& islands = workspace.island.islands;
  find_islands(model, candidates.contacts, islands.all, islands.tree_offset, joints_at_rest);
  for (const Island& island : islands.all) {
    if (island.contacts.empty() && island.joints.empty()) continue;  // a loop by itself
    pose_accelerations(world, here, state, candidates, workspace.free.vdot, island,
                       islands.tree_offset, rows_of(world.contact), workspace.island.loop_rates,
                       posed);
    chosen.stats += solve_accelerations(world, state.t, posed, solved, workspace.island.solver);
    chosen.stats +=
        open_contacts(world, here, state, candidates, island, released, hold, solved, workspace);
    open_unloaded(posed.problem, solved.solution, hold, workspace.floating);
    read_joints(island, solved.solution, chosen.joints);
    if (discs) {
      scatter_metric(model, here.factor(), island, solved.solution.y, vdot);
    }
    for (std::size_t i = 0; i < hold.size(); ++i)
      if (hold[i] != Hold::open)
        chosen.held.push_back(
            {candidates.contacts[contact_index(island, static_cast<Eigen::Index>(i))].key,
             hold[i] == Hold::floating,
             hold[i] == Hold::floating ? solved.share[static_cast<Eigen::Index>(i)] : 1.0});
  }
}

const HeldKey* find_held(const std::vector<HeldKey>& held, const ContactKey& key) {
  const auto found = std::ranges::find(held, key, &HeldKey::key);
  return found == held.end() ? nullptr : &*found;
}

bool same_mode(const State& state, const std::vector<HeldKey>& held) {
  if (state.mode.size() != held.size()) return false;
  return std::ranges::all_of(held, [&](const HeldKey& now) {
    const ContactMode* mode = find_mode(state, now.key);
    return mode && mode->floating == now.floating;
  });
}

// The mode of a contact that is held: the one that it had, or that of one that closes.
ContactMode held_mode(const ContactMode* old, const Contact& contact, const HeldKey& now) {
  ContactMode mode = old ? *old : closed_mode(contact);
  mode.floating = now.floating;
  mode.share = now.share;
  return mode;
}

}  // namespace

void solve_mode(const World& world, Evaluator& here, State& state, Touching& touching,
                const ContactKey* released, ChosenMode& chosen, SettleWorkspace& workspace) {
  Touching& candidates = workspace.mode.candidates;
  VectorXd& vdot = workspace.mode.vdot;
  chosen.stats = {};
  here.at(state.q, state.v);
  for (;;) {
    find_resting(world, here, state, touching, candidates);
    solve_candidates(world, here, state, candidates, released, chosen, vdot, workspace);
    if (!has_discs(world.model(), candidates) ||
        !add_tipping_rims(world, here.kinematics(), vdot, candidates, state.loop.rims))
      return;
    find_touching(world, state, here, workspace.touching, touching);
  }
}

void leave_mode(const State& state, const ContactKey& key, std::vector<HeldKey>& held) {
  const ContactMode* before = find_mode(state, key);
  const auto now = std::ranges::find(held, key, &HeldKey::key);
  if (!before || now == held.end() || now->floating != before->floating) return;
  if (before->floating && before->share > 0.5)
    *now = {key, false};
  else
    held.erase(now);
}

void set_joint_modes(const std::vector<JointMode>& joints, State& state) {
  state.joints = joints;
  for (const JointMode& joint : joints)
    if (joint.slide == 0) state.v[joint.coordinate] = 0.0;
}

void set_mode(const World& world, Evaluator& here, State& state, const Touching& touching,
              const std::vector<HeldKey>& held, std::vector<EventRow>& events,
              ProjectionWorkspace& workspace) {
  if (same_mode(state, held)) return;  // held already, and projected
  std::vector<ContactMode> modes;
  Touching closed;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    const HeldKey* now = find_held(held, contact.key);
    if (!now) continue;
    closed.add(touching, i);
    modes.push_back(held_mode(find_mode(state, contact.key), contact, *now));
  }
  const std::vector<ContactMode> before = std::exchange(state.mode, std::move(modes));
  sort_modes(state);
  append_lift_offs(before, state, events);
  const std::vector<char> sticking(closed.size(), 0);
  state.ledger.stabilisation += project_away(world, here, state, closed, sticking, workspace);
}

bool rests_otherwise(const World& world, const Kinematics& kin, const State& state,
                     const Touching& touching) {
  const auto rests_anew = [&](const Contact& contact) {
    return !find_mode(state, contact.key) &&
           rests(normal_velocity(world.model(), kin, contact, state.v), world.tolerance);
  };
  return std::ranges::any_of(touching.contacts, rests_anew) ||
         std::ranges::any_of(state.mode,
                             [&](const ContactMode& mode) { return !touching.has(mode.key); });
}

bool is_known_by_forces(const World& world, const State& state, const Touching& touching) {
  const auto sticks = [](const ContactMode& mode) { return mode.sticking; };
  if (world.rubs() &&
      !(std::ranges::all_of(state.mode, sticks) && are_on_limbs(world.model(), touching.contacts)))
    return false;
  return state.joints.empty() && !has_discs(world.model(), touching) &&
         std::ranges::none_of(state.mode, [](const ContactMode& mode) { return mode.floating; });
}

StepStats choose_mode(const World& world, Evaluator& here, State& state, Touching& touching,
                      std::vector<EventRow>& events, SettleWorkspace& workspace) {
  ChosenMode& chosen = workspace.mode.chosen;
  solve_mode(world, here, state, touching, nullptr, chosen, workspace);
  set_joint_modes(chosen.joints, state);
  set_mode(world, here, state, touching, chosen.held, events, workspace.projection);
  return chosen.stats;
}

}  // namespace pequod
