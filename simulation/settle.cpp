#include "simulation/settle.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "contact/loop_rows.h"
#include "simulation/errors.h"
#include "simulation/held/project.h"
#include "simulation/rims.h"

namespace pequod {
namespace {

// Of the velocities: what a solver of hundreds of contacts may leave of an approach.
constexpr double kRemainder = 1e-8;

ContactMode closed_mode(const Contact& contact) {
  ContactMode mode;
  mode.key = contact.key;
  mode.point_W = contact.p_W;
  mode.normal_W = contact.n_W;
  mode.gap = contact.gap;
  return mode;
}

bool same_mode(const State& state, const std::vector<HeldKey>& held) {
  if (state.mode.size() != held.size()) return false;
  return std::all_of(held.begin(), held.end(), [&](const HeldKey& now) {
    const ContactMode* mode = find_mode(state, now.key);
    return mode && mode->floating == now.floating;
  });
}

Restitution find_restitution(const std::string& name) {
  if (name == "poisson") return Restitution::poisson;
  if (name == "newton") return Restitution::newton;
  if (name == "newton-raw") return Restitution::newton_raw;
  throw std::invalid_argument("unknown restitution '" + name + "'");
}

const HeldKey* find_held(const std::vector<HeldKey>& held, const ContactKey& key) {
  const auto found =
      std::find_if(held.begin(), held.end(), [&](const HeldKey& now) { return now.key == key; });
  return found == held.end() ? nullptr : &*found;
}

}  // namespace

Settler::Settler(const Scenario& scenario, const Collision& collision, const ContactModel& model,
                 const ContactSolver& solver, Evaluator& here, StepClock& clock)
    : scenario_(&scenario),
      collision_(&collision),
      model_(&model),
      solver_(&solver),
      law_(find_restitution(scenario.contact.restitution)),
      here_(&here),
      clock_(&clock),
      held_(scenario.model),
      held_set_(scenario.model) {}

// Joints at rest get a row each; the others slide, whatever the state's mode says.
void Settler::classify_joints(const State& state) {
  chosen_ = state.joints;
  at_rest_.clear();
  for (JointMode& joint : chosen_) {
    const double v = state.v[joint.coordinate];
    if (std::abs(v) <= kJointRest) {
      at_rest_.push_back(joint.coordinate);
      joint.slide = 0;
    } else {
      joint.slide = v > 0.0 ? 1 : -1;
    }
  }
}

// Reads the joints of one island's solution.
void Settler::read_joints(const Island& island) {
  for (std::size_t j = 0; j < island.joints.size(); ++j) {
    JointMode& joint = find_joint(chosen_, island.joints[j]);
    joint.slide = solution_.slide[j];
    joint.force = solution_.fj[j];
  }
}

void Settler::set_joint_modes(State& state) const {
  state.joints = chosen_;
  for (const JointMode& joint : state.joints)
    if (joint.slide == 0) state.v[joint.coordinate] = 0.0;
}

void Settler::find(const State& state, Touching& touching, double range) {
  here_->at(state.q, state.v);
  const auto collision_time = clock_->during(StepPart::collision);
  find_touching(scenario_->model, *collision_, here_->kinematics(), state.q, range,
                touching_workspace_, touching, state.loop.rims);
}

bool Settler::resolve_impacts(State& state, Touching& touching, std::vector<EventRow>& events) {
  // Bodies that throw the same impact back and forth go on so in ever smaller parts; and what a
  // solver of hundreds of contacts leaves may approach for ever.
  constexpr int kBouncing = 50, kMaxRounds = 60;
  int rounds = 0;
  plastic_ = false;
  while (impact_once(state, touching, rounds == 0, events)) {
    plastic_ = ++rounds >= kBouncing;
    if (rounds == kBouncing) events.push_back(fallback_row(state.t));
    if (rounds < kMaxRounds) continue;
    state.loop.storm = kAllFallback;
    break;
  }
  return rounds > 0;
}

bool Settler::impact_once(State& state, Touching& touching, bool first,
                          std::vector<EventRow>& events) {
  const Model& model = scenario_->model;
  find(state, touching);
  if (has_discs(model, touching) &&
      add_sinking_rims(model, here_->kinematics(), {}, touching, state.loop.rims))
    find(state, touching);
  before_.clear();
  double fastest = 0.0;  // approach
  for (const Contact& contact : touching.contacts) {
    before_.push_back(normal_velocity(model, here_->kinematics(), contact, state.v));
    fastest = std::max(fastest, -before_.back());
  }
  approach_ = first ? fastest : std::max(approach_, fastest);
  const bool approaching = fastest > kSpeedTolerance;
  const bool grips = first && must_grip(state, touching);
  if (!approaching && !grips) return false;
  if (!first && !events.empty() && fastest < std::min(kRemainder * state.v.norm(), stopped_)) {
    stopped_ = 0.5 * fastest;  // rows that all but repeat others are left out of a projection
    stop_approaches(state, touching, events.back());
    return true;
  }
  stopped_ = kInfinity;
  find_islands(model, touching.contacts, islands_, tree_offset_);
  impulse_.assign(touching.size(), Vector3d::Zero());
  sticking_.assign(touching.size(), 0);
  VectorXd v = state.v;
  double loss = 0.0;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    const bool hit =
        grips || std::any_of(islands_[k].contacts.begin(), islands_[k].contacts.end(), [&](int i) {
          return before_[static_cast<std::size_t>(i)] < -kSpeedTolerance;
        });
    if (hit) loss += impact_island(k, state, touching, v);
  }
  state.v = v;
  state.ledger.impact_loss += loss;
  here_->at(state.q, state.v);
  report_impulses(state, touching, EventKind::impact, loss, events);
  if (approaching && no_impulses()) stop_approaches(state, touching, events.back());
  return true;
}

// Rows for the contacts of impulse_, from speeds before_ to those at here_.
void Settler::report_impulses(const State& state, const Touching& touching, EventKind kind,
                              double loss, std::vector<EventRow>& events) const {
  bool first = true;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (impulse_[i].isZero() && before_[i] >= -kSpeedTolerance) continue;
    EventRow row =
        contact_row(state.t, contact, is_joint_limit(contact.key) ? EventKind::limit : kind);
    row.speed_before = before_[i];
    row.speed_after = normal_velocity(scenario_->model, here_->kinematics(), contact, state.v);
    row.impulse_n = impulse_[i].x();
    row.impulse_t = impulse_[i].y();
    row.energy_change = first ? -loss : 0.0;
    first = false;
    events.push_back(row);
  }
}

double Settler::impact_island(std::size_t k, const State& state, const Touching& touching,
                              VectorXd& v) {
  const auto contact_time = clock_->during(StepPart::contact);
  const Model& model = scenario_->model;
  const Island& island = islands_[k];
  assemble(touching.contacts, island, !uses_tangents());
  gather(model, island, v, problem_.y);
  island_apply_L(model, here_->factor(), island, problem_.y);
  restitution_.clear();
  for (const int i : island.contacts)
    restitution_.push_back(
        plastic_ ? 0.0 : touching.contacts[static_cast<std::size_t>(i)].surface.restitution);
  resolve_impact(problem_, *model_, *solver_, law_, restitution_, {}, workspace_, impact_);
  if (impact_.status != LeastDistanceStatus::solved)
    throw ContactError("solver '" + std::string(solver_->name) + "' did not solve an impact of " +
                       std::to_string(problem_.n) + " contacts at t = " + std::to_string(state.t) +
                       " s: " + impact_.reason);
  stats_.solves += 1;
  stats_.pivots += impact_.pivots;
  stats_.switches += impact_.switches;
  stats_.reduced += impact_.reduced ? 1 : 0;
  stats_.residual = std::max(stats_.residual, impact_.residual);
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const auto index = static_cast<std::size_t>(island.contacts[i]);
    const auto row = static_cast<Eigen::Index>(i);
    impulse_[index] =
        Vector3d(impact_.pn[row], std::hypot(impact_.pt[2 * row], impact_.pt[2 * row + 1]), 0.0);
    sticking_[index] = impact_.sticking[i];
  }
  part_ = impact_.y;
  island_solve_L(model, here_->factor(), island, part_);
  scatter(model, island, part_, v);
  return impact_.loss;
}

// Removes the velocity along the rows of `held`; its energy is added to `booked`.
void Settler::project(State& state, const Touching& held, const std::vector<char>& sticking,
                      double& booked) {
  if (held.size() == 0) return;
  at_rest_.clear();
  for (const JointMode& joint : state.joints)
    if (joint.slide == 0 && std::abs(state.v[joint.coordinate]) <= kJointRest)
      at_rest_.push_back(joint.coordinate);
  const auto contact_time = clock_->during(StepPart::contact);
  const Model& model = scenario_->model;
  here_->at(state.q, state.v);
  const double before = kinetic_energy(model, here_->kinematics(), state.v);
  held_set_.assign(held, at_rest_, sticking);
  held_.hold(held_set_);
  held_.factor(model, here_->kinematics(), here_->factor(), state.q,
               model_->level == ContactLevel::velocity ? HeldTangents::of_few : HeldTangents::held);
  project_velocity(model, here_->factor(), held_, state.v, held_workspace_);
  here_->at(state.q, state.v);
  booked += before - kinetic_energy(model, here_->kinematics(), state.v);
}

void Settler::solve_mode(State& state, Touching& touching, std::vector<HeldKey>& held,
                         const ContactKey* released) {
  for (;;) {
    solve_mode_of(state, touching, held, released);
    if (!has_discs(scenario_->model, candidates_) ||
        !add_tipping_rims(scenario_->model, here_->kinematics(), vdot_, candidates_,
                          state.loop.rims))
      return;
    find(state, touching);
  }
}

// The same for these contacts; v̇ in vdot_ if discs lie among them.
void Settler::solve_mode_of(const State& state, const Touching& touching_now,
                            std::vector<HeldKey>& held, const ContactKey* released) {
  const Model& model = scenario_->model;
  here_->at(state.q, state.v);
  const Kinematics& kin = here_->kinematics();
  Touching& candidates = candidates_;
  candidates.clear();
  for (std::size_t i = 0; i < touching_now.size(); ++i)
    if (rests(normal_velocity(model, kin, touching_now.contacts[i], state.v)))
      candidates.add(touching_now, i);
  held.clear();
  classify_joints(state);
  if (candidates.size() == 0 && at_rest_.empty()) return;
  compute_biases(model, kin, candidates);
  compute_free_acceleration(*scenario_, *here_, state, state.v, candidates, model_->viscous, free_,
                            sliding_joints());
  const auto contact_time = clock_->during(StepPart::contact);
  const bool discs = has_discs(model, candidates);
  if (discs) vdot_ = free_.vdot;
  find_islands(model, candidates.contacts, islands_, tree_offset_, at_rest_);
  for (const Island& island : islands_) {
    if (island.contacts.empty() && island.joints.empty()) continue;  // a loop by itself
    pose_accelerations(state, island, !uses_tangents());
    solve_accelerations(state);
    open_contacts(state, island, released);
    read_joints(island);
    if (discs) {
      part_ = solution_.y;
      island_solve_L(model, here_->factor(), island, part_);
      scatter(model, island, part_, vdot_);
    }
    for (std::size_t i = 0; i < hold_.size(); ++i)
      if (hold_[i] != Hold::open)
        held.push_back({candidates.contacts[static_cast<std::size_t>(island.contacts[i])].key,
                        hold_[i] == Hold::floating});
  }
}

// Whether the model's contacts have more than normals: where they rub in stages only, or by forces
// that are known, they have not.
bool Settler::uses_tangents() const {
  return model_->level == ContactLevel::velocity || model_->friction != StageFriction::none;
}

// Rows of problem_.
void Settler::assemble(std::span<const Contact> contacts, const Island& island, bool normals) {
  (normals ? assemble_normals : assemble_rows)(scenario_->model, here_->kinematics(),
                                               here_->factor(), contacts, island, tree_offset_,
                                               problem_);
}

// problem_ of one island's candidates and joints, with the warm start of the mode before.
void Settler::pose_accelerations(const State& state, const Island& island, bool normals) {
  const Model& model = scenario_->model;
  assemble(candidates_.contacts, island, normals);
  if (!island.joints.empty()) {
    assemble_joint_rows(model, here_->factor(), island, tree_offset_, problem_);
    for (std::size_t j = 0; j < island.joints.size(); ++j)
      problem_.slide[j] = find_joint(state.joints, island.joints[j]).slide;
  }
  gather(model, island, free_.vdot, problem_.y);
  island_apply_L(model, here_->factor(), island, problem_.y);
  problem_.c.resize(problem_.n);
  warm_.clear();
  for (int i = 0; i < problem_.n; ++i) {
    const auto index = static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)]);
    const Contact& contact = candidates_.contacts[index];
    problem_.c[i] = -contact.bias;
    if (const ContactMode* mode = find_mode(state, contact.key); mode && mode->active)
      warm_.push_back(i);
  }
  if (island.loops.empty()) return;
  loop_rates(model, here_->kinematics(), island, e_);
  hold_loops(e_, problem_);
}

// hold_ of one island's candidates: those that open leave, and share their friction if it holds
// them.
void Settler::open_contacts(const State& state, const Island& island, const ContactKey* released) {
  hold_.assign(island.contacts.size(), Hold::closed);
  bool opens = false;
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    const auto index = static_cast<std::size_t>(island.contacts[i]);
    if (opening_[static_cast<Eigen::Index>(i)] <= kAccelerationTolerance &&
        !(released && candidates_.contacts[index].key == *released))
      continue;
    hold_[i] = Hold::open;
    opens = true;
  }
  if (opens && model_->viscous) share_friction(state, island);
}

// Accelerations of problem_ with forces that only push, and those of the gaps.
void Settler::solve_accelerations(const State& state) {
  model_->solve(problem_, *solver_, warm_, workspace_, solution_);
  require_solved(state);
  stats_.solves += 1;
  stats_.pivots += solution_.pivots;
  stats_.residual = std::max(stats_.residual, solution_.residual);
  opening_.resize(problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    opening_[i] = problem_.normals.col(i).dot(solution_.y) - problem_.c[i];
}

void Settler::require_solved(const State& state) const {
  if (solution_.status != LeastDistanceStatus::solved)
    throw ContactError("no contact force keeps the " + std::to_string(problem_.n) +
                       " touching contacts apart at t = " + std::to_string(state.t) +
                       " s: " + solution_.reason);
}

void Settler::set_mode(State& state, const Touching& touching, const std::vector<HeldKey>& held,
                       std::vector<EventRow>& events) {
  if (same_mode(state, held)) return;  // held already, and projected
  for (const ContactMode& old : state.mode)
    if (old.closed && !find_held(held, old.key)) events.push_back(lift_off_row(state.t, old));
  modes_.clear();
  candidates_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    const HeldKey* now = find_held(held, contact.key);
    if (!now) continue;
    candidates_.add(touching, i);
    const ContactMode* old = find_mode(state, contact.key);
    modes_.push_back(old ? *old : closed_mode(contact));
    modes_.back().floating = now->floating;
    if (!now->floating) modes_.back().share = 1.0;
  }
  state.mode = modes_;
  sort_modes(state);
  sticking_.assign(candidates_.size(), 0);
  project(state, candidates_, sticking_, state.ledger.stabilisation);
}

void Settler::choose_mode(State& state, Touching& touching, std::vector<EventRow>& events) {
  solve_mode(state, touching, keys_);
  set_joint_modes(state);
  set_mode(state, touching, keys_, events);
}

}  // namespace pequod
