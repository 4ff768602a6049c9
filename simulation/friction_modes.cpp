#include "simulation/friction_modes.h"

#include <algorithm>
#include <cmath>

#include "contact/loop_rows.h"
#include "contact/models/friction_form.h"
#include "contact/solvers/coulomb_chain.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

constexpr double kForce = 1e-9;         // of the weight: a force this far outside its cone is in it
constexpr double kBreakaway = 1e-10;    // share of the bound of a joint's friction
constexpr double kExistence = 1e-8;     // relative residual above which no force exists
constexpr double kNoise = 1e-15;        // m/s: rounding of a velocity at rest
constexpr double kAcceleration = 1e-8;  // m/s²: slower changes of gap and slip are none

bool friction_of(StageFriction law, const Contact& contact) {
  if (is_joint_limit(contact.key)) return false;
  return law == StageFriction::no_slip || contact.surface.friction > 0.0;
}

std::size_t contact_at(const Island& island, int i) {
  return static_cast<std::size_t>(island.contacts[static_cast<std::size_t>(i)]);
}

}  // namespace

FrictionModes::FrictionModes(const Scenario& scenario, const ContactModel& model, Stepper& stepper,
                             StepClock& clock)
    : scenario_(&scenario),
      model_(&model),
      stepper_(&stepper),
      clock_(&clock),
      here_(scenario.model) {
  for (const Link& link : scenario.model.links)
    weight_ += link.inertia.mass * std::max(1.0, scenario.model.gravity.norm());
}

// candidates_, and in modes_ candidate 1: all of them closed, those without slip stick.
void FrictionModes::classify(const State& state, const Touching& touching) {
  const Model& model = scenario_->model;
  here_.at(state.q, state.v);
  const Kinematics& kin = here_.kinematics();
  candidates_.clear();
  modes_.clear();
  at_rest_.clear();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    if (!rests(normal_velocity(model, kin, contact, state.v))) continue;
    const ContactMode* old = find_mode(state, contact.key);
    const Vector3d slip = slip_velocity(model, kin, contact);
    const double speed = slip.norm();
    ContactMode mode;
    mode.key = contact.key;
    mode.point_W = contact.p_W;
    mode.normal_W = contact.n_W;
    mode.gap = contact.gap;
    bool rests = false;
    if (friction_of(model_->friction, contact)) {
      const bool starting =
          old && old->slide.kind == SlideKind::starting && old->slide.direction_W.dot(slip) > 0.0;
      rests = model_->friction == StageFriction::no_slip || (speed <= kSlipRest && !starting);
      mode.sticking = rests;
      if (!rests) {
        mode.slide.kind = speed > kSlipHeld ? SlideKind::moving
                          : starting        ? SlideKind::starting
                                            : SlideKind::slow;
        if (mode.slide.kind != SlideKind::moving) mode.slide.direction_W = slip / speed;
      }
    }
    candidates_.add(touching, i);
    modes_.push_back(mode);
    at_rest_.push_back(rests ? 1 : 0);
  }
  joints_ = state.joints;
  joints_at_rest_.clear();
  for (JointMode& joint : joints_) {
    const double v = state.v[joint.coordinate];
    joint.slide = std::abs(v) <= kJointRest ? 0 : v > 0.0 ? 1 : -1;
    if (joint.slide == 0) joints_at_rest_.push_back(joint.coordinate);
  }
}

bool FrictionModes::choose(State& state, const Touching& touching, double look,
                           std::vector<EventRow>& events) {
  classify(state, touching);
  closed_modes_ = modes_;
  bool found = try_mode(state, touching, look);
  if (!found && solve_accelerations(state)) {
    found = try_mode(state, touching, look);
    if (!found) {
      move_ahead(state, look, ahead_);
      modes_ = closed_modes_;
      found = solve_accelerations(ahead_) && try_mode(state, touching, look);
    }
  }
  if (found) adopt(state, events);
  return found;
}

bool FrictionModes::holds(const State& state, const Touching& touching, double look) {
  classify(state, touching);
  trial_ = state;
  stepper_->begin(trial_, touching);
  stepper_->at(look, probe_);
  return stands(look);
}

// trial_ with modes_ and joints_, projected; whether it stands a look-ahead later.
bool FrictionModes::try_mode(const State& state, const Touching& touching, double look) {
  trial_ = state;
  trial_.mode = modes_;
  sort_modes(trial_);
  trial_.joints = joints_;
  for (const JointMode& joint : joints_)
    if (joint.slide == 0) trial_.v[joint.coordinate] = 0.0;
  stepper_->begin(trial_, touching);
  stepper_->at(0.0, probe_);
  if (!forces_stand() && stepper_->find_weightless(trial_)) {
    stepper_->begin(trial_, touching);
    stepper_->at(0.0, probe_);
  }
  stepper_->commit(probe_);
  std::swap(trial_, probe_);
  stepper_->begin(trial_, touching);
  stepper_->at(look, probe_);
  const bool ok = stands(look);
  if (getenv("ACC")) {
    fprintf(stderr, "t=%.12g try: ok=%d inf=%g unmet=%g look=%g v0=%g", state.t, ok,
            stepper_->infeasibility(), stepper_->held().unmet(), look, trial_.v.norm());  // DEBUG
    for (auto& m : trial_.mode)
      fprintf(stderr, " [%s%d w%d m=%g s=%g d=%g,%g]", m.sticking ? "S" : "-", (int)m.slide.kind,
              m.slide.weightless, stepper_->held().friction_margin(m.key), 0.,
              m.slide.direction_W.x(), m.slide.direction_W.y());
    fprintf(stderr, "\n");
  }  // DEBUG
  return ok;
}

// Whether the end of the stepper's step has forces in the cones of what is held.
bool FrictionModes::forces_stand() const {
  if (stepper_->infeasibility() > kExistence) return false;
  for (const Contact& contact : stepper_->held().touching().contacts)
    if (stepper_->held().friction_margin(contact.key) < -kForce * weight_) return false;
  return true;
}

// The same for the mode of trial_ after a step to probe_: nor does what is open close, and what
// started to slide moves against its friction.
bool FrictionModes::stands(double look) {
  if (!forces_stand()) return false;
  const Model& model = scenario_->model;
  const Kinematics& kin = stepper_->end().kinematics();
  const double still = kAcceleration * look + kNoise;
  const HeldContacts& held = stepper_->held();
  for (std::size_t i = 0; i < held.touching().size(); ++i)
    if (held.slide(i).kind == SlideKind::starting &&
        held.slide(i).direction_W.dot(slip_velocity(model, kin, held.touching().contacts[i])) <
            -still)
      return false;
  followed_ = candidates_;
  copy_poses(kin, X_WL_);
  follow_touching(model, X_WL_, probe_.q, followed_);
  here_.at(trial_.q, trial_.v);
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    if (find_mode(trial_, followed_.contacts[i].key)) continue;
    const double before =
        normal_velocity(model, here_.kinematics(), candidates_.contacts[i], trial_.v);
    if (normal_velocity(model, kin, followed_.contacts[i], probe_.v) - before < -still)
      return false;
  }
  return joints_stand(still);
}

bool FrictionModes::joints_stand(double still) const {
  return std::all_of(probe_.joints.begin(), probe_.joints.end(), [&](const JointMode& joint) {
    if (joint.slide != 0) return joint.slide * probe_.v[joint.coordinate] >= -still;
    return std::abs(joint.force) <=
           (1.0 + kBreakaway) * joint_friction(scenario_->model, joint.coordinate);
  });
}

// v̇ at a state under Coulomb's law in vdot_; what it opens leaves modes_, what it moves slides.
bool FrictionModes::solve_accelerations(const State& state) {
  const Model& model = scenario_->model;
  here_.at(state.q, state.v);
  const Kinematics& kin = here_.kinematics();
  copy_poses(kin, X_WL_);
  followed_ = candidates_;
  follow_touching(model, X_WL_, state.q, followed_);
  compute_biases(model, kin, followed_);
  compute_free_acceleration(*scenario_, here_, state, state.v, followed_, false, free_, joints_);
  const auto contact_time = clock_->during(StepPart::contact);
  vdot_ = free_.vdot;
  opens_.assign(candidates_.size(), 0);
  find_islands(model, followed_.contacts, islands_, tree_offset_, joints_at_rest_);
  for (const Island& island : islands_) {
    pose_island(island);
    solve_coulomb(workspace_.friction, {}, {}, workspace_.friction_solver,
                  workspace_.friction_solution);
    stats_.solves += 1;
    stats_.pivots += workspace_.friction_solution.iterations;
    if (workspace_.friction_solution.status != FrictionStatus::solved) return false;
    read_island(island);
  }
  for (std::size_t i = opens_.size(); i-- > 0;)
    if (opens_[i]) modes_.erase(modes_.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

// workspace_.friction in accelerations and forces. A contact that slides has the one force n − μ d.
void FrictionModes::pose_island(const Island& island) {
  const Model& model = scenario_->model;
  const Kinematics& kin = here_.kinematics();
  assemble_rows(model, kin, here_.factor(), followed_.contacts, island, tree_offset_, problem_);
  if (!island.joints.empty())
    assemble_joint_rows(model, here_.factor(), island, tree_offset_, problem_);
  gather(model, island, free_.vdot, problem_.y);
  island_apply_L(model, here_.factor(), island, problem_.y);
  problem_.c.resize(problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    problem_.c[i] = -followed_.contacts[contact_at(island, i)].bias;
  if (!island.loops.empty()) {
    loop_rates(model, kin, island, part_);
    hold_loops(part_, problem_);
  }
  pose_friction(problem_, true, workspace_);
  FrictionProblem& out = workspace_.friction;
  for (int i = 0; i < problem_.n; ++i) {
    const std::size_t index = contact_at(island, i);
    const Contact& contact = followed_.contacts[index];
    if (at_rest_[index]) {
      if (model_->friction == StageFriction::no_slip) out.mu[i] = kInfinity;
      const Vector3d rate = slip_bias(model, kin, followed_.points[index]);
      out.q[3 * i + 1] += contact.s_W.dot(rate);
      out.q[3 * i + 2] += contact.t_W.dot(rate);
      if (!island.loops.empty())
        for (const int t : {0, 1})
          out.q[3 * i + 1 + t] +=
              problem_.tangents_in_loops.col(2 * i + t).dot(problem_.y_in_loops);
      continue;
    }
    const SlideMode& slide = closed_modes_[index].slide;
    const Vector3d d = slide.kind == SlideKind::moving
                           ? slip_velocity(model, kin, contact).normalized()
                           : slide.direction_W;
    const double mu = out.mu[i];
    out.W.col(3 * i) -= mu * (contact.s_W.dot(d) * out.W.col(3 * i + 1) +
                              contact.t_W.dot(d) * out.W.col(3 * i + 2));
    workspace_.columns.col(3 * i) -= mu * (contact.s_W.dot(d) * workspace_.columns.col(3 * i + 1) +
                                           contact.t_W.dot(d) * workspace_.columns.col(3 * i + 2));
    out.mu[i] = 0.0;
  }
}

// Modes by accelerations, never by one of many forces.
void FrictionModes::read_island(const Island& island) {
  const FrictionSolution& in = workspace_.friction_solution;
  for (int i = 0; i < problem_.n; ++i) {
    const std::size_t index = contact_at(island, i);
    const Contact& contact = followed_.contacts[index];
    opens_[index] = in.u[3 * i] > kAcceleration ? 1 : 0;
    if (!at_rest_[index] || opens_[index]) continue;
    const Vector3d slip = in.u[3 * i + 1] * contact.s_W + in.u[3 * i + 2] * contact.t_W;
    if (slip.norm() <= kAcceleration) continue;
    modes_[index].sticking = false;
    modes_[index].slide = {SlideKind::starting, slip.normalized()};
  }
  for (std::size_t j = 0; j < island.joints.size(); ++j) {
    const auto row = 3 * (problem_.n + static_cast<Eigen::Index>(j)) + 1;
    if (std::abs(in.u[row]) > kAcceleration)
      find_joint(joints_, island.joints[j]).slide = in.u[row] > 0.0 ? 1 : -1;
  }
  part_ = problem_.y;
  part_.noalias() += workspace_.columns * in.r;
  island_solve_L(scenario_->model, here_.factor(), island, part_);
  scatter(scenario_->model, island, part_, vdot_);
}

// The state a look-ahead later, with the accelerations vdot_.
void FrictionModes::move_ahead(const State& state, double look, State& ahead) const {
  ahead = state;
  ahead.t += look;
  ahead.v += look * vdot_;
  const VectorXd move = look * (state.v + 0.5 * look * vdot_);
  integrate_position(scenario_->model, state.q, move, ahead.q);
}

// trial_ becomes the state, with events for what changed.
void FrictionModes::adopt(State& state, std::vector<EventRow>& events) {
  append_lift_offs(state, trial_, events);
  for (const ContactMode& now : trial_.mode) {
    const ContactMode* old = find_mode(state, now.key);
    if (!old || !old->closed) continue;
    const bool slid = old->slide.kind != SlideKind::none;
    const bool slides = now.slide.kind != SlideKind::none;
    EventKind kind = EventKind::stick;
    if (slides && !slid && old->sticking) {
      kind = EventKind::slip;
    } else if (slides && slid) {
      // Friction was along the new slip, so the old slip was against it.
      if (now.slide.kind != SlideKind::starting || old->slide.kind == SlideKind::starting ||
          old->force_W.dot(now.slide.direction_W) <= 0.0)
        continue;
      kind = EventKind::reverse;
    } else if (!slid || !now.sticking) {
      continue;
    }
    events.push_back(lift_off_row(state.t, now));
    events.back().kind = kind;
  }
  std::swap(state, trial_);
}

}  // namespace pequod
