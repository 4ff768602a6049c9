#include "simulation/stepper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "simulation/errors.h"
#include "simulation/friction.h"
#include "simulation/held/viscous.h"

namespace pequod {
namespace {

constexpr int kIntegrals = 4;  // actuator, external, damping, friction

// The stages of an integrator; symplectic Euler has none and takes no such step.
RungeKutta::Method stages_of(const std::string& integrator) {
  if (integrator == "dopri5") return RungeKutta::Method::dopri5;
  if (integrator == "rk4" || integrator == "symplectic-euler") return RungeKutta::Method::rk4;
  throw std::invalid_argument("unknown integrator '" + integrator + "'");
}

}  // namespace

Stepper::Stepper(const Scenario& scenario, const ContactModel& model, const ContactSolver& solver,
                 const std::string& integrator, StepClock& clock)
    : scenario_(&scenario),
      model_(&model),
      solver_(&solver),
      clock_(&clock),
      symplectic_(integrator == "symplectic-euler"),
      implicit_(model.viscous && scenario.contact.viscous == "implicit"),
      runge_kutta_(stages_of(integrator)),
      begin_(scenario.model),
      stage_(scenario.model),
      end_(scenario.model),
      kept_(scenario.model),
      lifted_(scenario.model),
      held_(scenario.model),
      lift_(scenario.model),
      joints_(friction_coordinates(scenario.model)),
      scale_(force_scale(scenario.model)) {}

void Stepper::require_finite(const State& out) const {
  const Model& model = scenario_->model;
  for (Eigen::Index i = 0; i < out.v.size(); ++i)
    if (!std::isfinite(out.v[i]))
      throw DivergenceError("the dynamics gave a velocity of '" +
                            link_name(model, model.dof_link[static_cast<std::size_t>(i)]) +
                            "' that is not finite after t = " + std::to_string(start_.t) + " s");
}

void Stepper::begin(const State& state, const Touching& touching,
                    const std::vector<ContactKey>& forced) {
  start_ = state;
  tau_ = kNoTrial;
  partial_ = was_whole_ = labelled_ = false;
  joined_.clear();
  knows_start_rate_ = false;
  repeated_.clear();
  touching_ = touching;
  // The end of the last step is the start of this one: its dynamics are at hand.
  std::swap(begin_, end_);
  begin_.at(start_.q, start_.v);
  begin_joints();
  const auto contact_time = clock_->during(StepPart::contact);
  forced_.assign(touching_.size(), 0);
  for (std::size_t i = 0; i < touching_.size(); ++i)
    if (std::find(forced.begin(), forced.end(), touching_.contacts[i].key) != forced.end())
      forced_[i] = 1;
  apart_.clear();
  for (const Contact& contact : touching_.contacts)
    apart_.push_back(contact.gap > kGapTolerance ? contact.gap : 0.0);
  keep_.assign(touching_.size(), 0);
  sticking_.assign(touching_.size(), 0);
  floating_.assign(touching_.size(), 0);
  slides_.assign(touching_.size(), {});
  if (velocity_level())
    begin_problems();
  else
    for (std::size_t i = 0; i < touching_.size(); ++i) begin_mode(i);
  hold_touching(keep_, sticking_);
}

// Acceleration level: the mode that the state has for touching contact i.
void Stepper::begin_mode(std::size_t i) {
  const ContactMode* mode = find_mode(start_, touching_.contacts[i].key);
  if (!mode) return;
  keep_[i] = mode->closed ? 1 : 0;
  floating_[i] = mode->floating ? 1 : 0;
  sticking_[i] = mode->sticking ? 1 : 0;
  slides_[i] = mode->slide;
}

// Rows, joints and warm starts of the islands, for the impulses of the step.
void Stepper::begin_problems() {
  const Model& model = scenario_->model;
  find_islands(model, touching_.contacts, islands_, tree_offset_, joints_);
  const bool assembled =
      joints_.empty() && held_.give_rows(start_.q, touching_.contacts, problems_);
  problems_.resize(std::max(problems_.size(), islands_.size()));
  warm_.resize(problems_.size());
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    if (!assembled)
      assemble_rows(model, begin_.kinematics(), begin_.factor(), touching_.contacts, islands_[k],
                    tree_offset_, problems_[k]);
    if (!islands_[k].joints.empty())
      assemble_joint_rows(model, begin_.factor(), islands_[k], tree_offset_, problems_[k]);
    for (std::size_t j = 0; j < islands_[k].joints.size(); ++j)
      problems_[k].slide[j] = find_joint(start_.joints, islands_[k].joints[j]).slide;
    problems_[k].c.setZero(problems_[k].n);
    remember_forces(k);
  }
}

// Warm starts of one island from the forces of the step before, which the state carries.
void Stepper::remember_forces(std::size_t k) {
  ContactProblem& problem = problems_[k];
  warm_[k].clear();
  const bool forces = model_->family == SolverFamily::friction;
  if (forces) problem.force.setZero(3 * problem.n);
  for (int i = 0; i < problem.n; ++i) {
    const auto index = static_cast<std::size_t>(islands_[k].contacts[static_cast<std::size_t>(i)]);
    const Contact& contact = touching_.contacts[index];
    const ContactMode* mode = find_mode(start_, contact.key);
    if (!mode || !mode->active) continue;
    warm_[k].push_back(i);
    if (!forces) continue;
    if (is_joint_limit(contact.key))
      problem.force[3 * i] = mode->force_W.x();
    else
      problem.force.segment<3>(3 * i) << contact.n_W.dot(mode->force_W),
          contact.s_W.dot(mode->force_W), contact.t_W.dot(mode->force_W);
  }
}

// The joints whose friction holds them during the step; at the velocity level each solve decides.
void Stepper::begin_joints() {
  if (start_.joints.size() != joints_.size()) start_joint_modes(scenario_->model, start_);
  stuck_.clear();
  if (velocity_level()) return;
  for (const JointMode& joint : start_.joints)
    if (joint.slide == 0) stuck_.push_back(joint.coordinate);
}

void Stepper::hold_touching(const std::vector<char>& keep, const std::vector<char>& sticking) {
  kept_.clear();
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    if (!keep[i]) continue;
    HeldLaw law{.sticks = sticking[i] != 0, .floats = floating_[i] != 0, .slide = slides_[i]};
    const ContactMode* mode = rubs() ? find_mode(start_, touching_.contacts[i].key) : nullptr;
    if (mode && mode->active) law.known_force = mode->force_W;
    kept_.add(touching_, i, law);
  }
  kept_.joints = stuck_;
  if (rubs()) kept_.friction = model_->friction;
  held_.hold(kept_);
  if (velocity_level()) repeated_.clear();
}

HeldTangents Stepper::stage_tangents() const {
  return held().rubs() ? HeldTangents::held : HeldTangents::without;
}

// At the end computed last, or at the start if there is none yet.
double Stepper::viscous_rate() {
  if (!model_->viscous || held().empty()) return 0.0;
  held_.factor(end_, HeldTangents::present, &repeated_);
  return pequod::viscous_rate(held_, held_workspace_);
}

// v̇ with the held contacts as equalities.
void Stepper::accelerate(Evaluator& evaluator, const VectorXd& q, const VectorXd& v) {
  evaluator.at(q, v);
  if (!held().empty()) {
    const auto contact_time = clock_->during(StepPart::contact);
    held_.factor(evaluator, stage_tangents(), &repeated_);
  }
  accelerate_factored(evaluator, v);
}

// The same where the held rows have been factored at this q.
void Stepper::accelerate_factored(Evaluator& evaluator, const VectorXd& v) {
  // At the velocity level friction is an impulse of the solve.
  const std::span<const JointMode> none;
  compute_free_acceleration(*scenario_, evaluator, start_, v, held().touching, model_->viscous,
                            free_, velocity_level() ? none : start_.joints, held().laws);
  const auto contact_time = clock_->during(StepPart::contact);
  pequod::accelerate(evaluator, held_, free_.vdot, motion_, held_workspace_);
  add_floating_friction(evaluator, held(), motion_, free_.friction);
}

// The same at the start of a step τ of symplectic Euler, with the friction at its end.
void Stepper::accelerate_implicitly(double tau) {
  begin_.at(start_.q, start_.v);
  const auto contact_time = clock_->during(StepPart::contact);
  if (!held().empty()) held_.factor(begin_, HeldTangents::present, &repeated_);
  compute_free_acceleration(*scenario_, begin_, start_, start_.v, held().touching, false, free_,
                            start_.joints, held().laws);
  pequod::accelerate_implicitly(begin_, held_, start_.v, tau, free_.vdot, free_.friction, motion_,
                                held_workspace_);
  add_floating_friction(begin_, held(), motion_, free_.friction);
}

// @return the terms of the stage
const Evaluator& Stepper::derivative(const VectorXd& x, VectorXd& dxdt) {
  const Model& model = scenario_->model;
  q_ = x.head(model.nq);
  v_ = x.segment(model.nq, model.nv);
  // The first stage starts where begin() stood.
  const bool first = q_ == start_.q && v_ == start_.v;
  if (first && knows_start_rate_) {
    dxdt = start_rate_;
    return begin_;
  }
  Evaluator& stage = first ? begin_ : stage_;
  accelerate(stage, q_, v_);
  if (first)
    bound_load();
  else
    watch_load(motion_.force);
  if (grown_) {  // no trial that anyone takes: it shall only end
    dxdt = start_rate_;
    return stage;
  }
  dxdt.resize(x.size());
  position_rate(model, q_, v_, dxdt.head(model.nq));
  dxdt.segment(model.nq, model.nv) = free_.vdot;
  dxdt.tail<kIntegrals>() << start_.tau.dot(v_), free_.applied.external.dot(v_),
      free_.applied.damping.dot(v_), motion_.slip_power - free_.friction.dot(v_);
  if (!first) return stage;
  start_rate_ = dxdt;
  start_acceleration_ = free_.vdot;
  knows_start_rate_ = true;
  return stage;
}

// Free of impulses: the smooth equations with the held contacts, over τ, without projection.
// @return the terms of the last stage
const Evaluator& Stepper::integrate(double tau, State& out) {
  const Model& model = scenario_->model;
  out = start_;
  out.t = start_.t + tau;
  if (symplectic_) {
    if (implicit_)
      accelerate_implicitly(tau);
    else
      accelerate(begin_, start_.q, start_.v);
    bound_load();
    out.v = start_.v + tau * free_.vdot;
    move_ = tau * out.v;
    integrate_position(model, start_.q, move_, out.q);
    error_ = 0.0;
    return begin_;
  }
  x0_.resize(model.nq + model.nv + kIntegrals);
  x0_ << start_.q, start_.v, VectorXd::Zero(kIntegrals);
  const Evaluator* last = &begin_;
  const Rhs rhs = [this, &last](const VectorXd& x, VectorXd& dxdt, double) {
    last = &derivative(x, dxdt);
  };
  error_ = runge_kutta_.step(rhs, x0_, start_.t, tau, x1_);
  out.q = x1_.head(model.nq);
  normalise_quaternions(model, out.q);
  out.v = x1_.segment(model.nq, model.nv);
  return *last;
}

const State& Stepper::at(double tau) {
  if (tau == tau_ && !partial_) return trial_;
  if (std::exchange(partial_, false) && !velocity_level()) hold_touching(keep_, sticking_);
  take(tau);
  was_whole_ = true;
  return trial_;
}

void Stepper::take(double tau) {
  tau_ = kNoTrial;  // until it is there
  stats_ = {};
  grown_ = lands_ = false;
  impulse_friction_loss_ = impulse_normal_loss_ = 0.0;
  if (velocity_level())
    velocity_at(tau, trial_);
  else
    smooth_at(tau, trial_);
  tau_ = tau;
}

void Stepper::smooth_at(double tau, State& out) {
  const Model& model = scenario_->model;
  held_.follow_from(kept_.touching);
  const Evaluator& last = integrate(tau, out);
  require_finite(out);
  if (symplectic_) integrate_work(out.v, tau);
  keep_raw(out);
  if (!held().empty()) {
    const auto contact_time = clock_->during(StepPart::contact);
    if (symplectic_ && held().loops)
      held_.factor(model, raw_, last.factor(), out.q, stage_tangents(), &repeated_);
    else if (!symplectic_)  // what stands still has no stage but its start, factored long ago
      held_.factor(last, stage_tangents(), &repeated_);
    close_held(last, out.q);
    hold_velocity(out, stage_tangents());
  }
  if (raise_leaving(out.q, out.v) && !held().empty()) {
    out.v = v_raw_;
    hold_velocity(out, stage_tangents());
  }
  end_.at(out.q, out.v);
  accelerate_factored(end_, out.v);
  judge_forces();
  watch_load(friction_.normal);
  write_mode(out);
}

// Whether forces that the contacts may have lead to the held motion at the end.
void Stepper::judge_forces() {
  const auto contact_time = clock_->during(StepPart::contact);
  if (held().rubs()) {
    judge_friction(end_, held_, motion_, friction_, held_workspace_);
    infeasibility_ = std::max(motion_.unmet, friction_.missing);
  } else {
    infeasibility_ = held_.unique() ? 0.0
                                    : push_only(solver_->least_distance, held_, motion_, workspace_,
                                                held_workspace_);
  }
}

// Forces of the held contacts at the end of the step.
void Stepper::write_mode(State& out) {
  const HeldSet& held_now = held();
  const Touching& touching = held_now.touching;
  const std::vector<double>& force = held_now.rubs() ? friction_.normal : motion_.force;
  out.mode.clear();
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Contact& contact = touching.contacts[i];
    ContactMode mode;
    mode.key = contact.key;
    mode.floating = held_now.laws[i].floats;
    mode.share = motion_.share[i];
    mode.active = true;
    mode.point_W = contact.p_W;
    mode.normal_W = contact.n_W;
    mode.gap = contact.gap;
    mode.force_W = is_joint_limit(contact.key) ? Vector3d(force[i], 0.0, 0.0)
                                               : Vector3d(force[i] * contact.n_W);
    if (held_now.rubs()) {
      mode.sticking = held_now.laws[i].sticks;
      mode.slide = slide_at_end(i);
      mode.force_W += friction_.tangential[i];
    }
    if (model_->viscous && !is_joint_limit(contact.key))
      mode.force_W += mode.share * viscous_friction(scenario_->model, end_.kinematics(), contact);
    out.mode.push_back(mode);
  }
  sort_modes(out);
  write_joint_forces(out);
}

void Stepper::write_joint_forces(State& out) const {
  auto force = (held().rubs() ? friction_.joint : motion_.joint_force).begin();
  for (JointMode& joint : out.joints)
    joint.force = joint.slide == 0
                      ? *force++
                      : -joint.slide * joint_friction(scenario_->model, joint.coordinate);
}

// Work of forces that are constant over the step: exact for a constant M.
void Stepper::integrate_work(const VectorXd& v_end, double tau) {
  v_ = 0.5 * tau * (start_.v + v_end);
  if (x1_.size() < kIntegrals) x1_.resize(kIntegrals);  // a Runge–Kutta step has left room
  x1_.tail<kIntegrals>() << start_.tau.dot(v_), free_.applied.external.dot(v_),
      free_.applied.damping.dot(v_), tau * motion_.slip_power - free_.friction.dot(v_);
}

void Stepper::commit(State& out) {
  const Model& model = scenario_->model;
  Ledger& ledger = out.ledger;
  ledger = start_.ledger;
  const auto work = x1_.tail<kIntegrals>();
  ledger.actuator_work += work[0];
  ledger.external_work += work[1];
  ledger.damping_loss += work[2];
  ledger.friction_loss += work[3] + impulse_friction_loss_;
  ledger.normal_loss += impulse_normal_loss_;
  if (!held().projects() && raised_.size() == 0) return;
  const Kinematics& end = end_.kinematics();
  if (!lands_) {
    ledger.stabilisation += total_energy(model, raw_, v_raw_) - total_energy(model, end, out.v);
    return;
  }
  ledger.normal_loss += kinetic_energy(model, raw_, v_raw_) - kinetic_energy(model, end, out.v);
  ledger.stabilisation += potential_energy(model, raw_) - potential_energy(model, end);
}

}  // namespace pequod
