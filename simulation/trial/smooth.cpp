#include "simulation/trial/smooth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/damping_limit.h"
#include "simulation/errors.h"
#include "simulation/friction.h"
#include "simulation/held/viscous.h"
#include "simulation/joint_friction.h"
#include "simulation/slide_mode.h"
#include "simulation/trial/aim_slips.h"
#include "simulation/trial/close.h"
#include "simulation/trial/free_bodies.h"
#include "simulation/trial/limits.h"
#include "simulation/trial/tolerances.h"
#include "simulation/trial/viscous_force.h"

namespace pequod {
namespace {

constexpr int kWorks = 4;  // actuator, external, damping, friction

// v̇ where what is held has been factored at the place of the terms.
void accelerate_factored(const StepTask& task, const Evaluator& terms, const VectorXd& v,
                         Trial& trial) {
  const HeldSet& set = trial.held.set();
  SmoothMotion& out = trial.motion;
  const State& start = task.start.state;
  // At the velocity level friction is an impulse of the solve.
  const std::span<const JointMode> none;
  compute_free_force(*task.world.scenario, terms, start, v, set.touching,
                     task.method.contact.viscous, out.free,
                     task.method.velocity_level() ? none : start.joints, set.laws);
  const auto contact_time = task.world.clock->during(StepPart::contact);
  add_viscous_forces(task, out.viscous, out.free);
  if (task.rates.lead > 0.0)
    accelerate_aimed(task, terms, trial);
  else
    accelerate(terms, trial.held, out.free.force, out.free.vdot, out.held, task.workspace.held);
  add_floating_friction(terms, set, out.held, out.free.friction);
}

// v̇ at the start of a step τ of symplectic Euler, with the viscous friction at its end.
void accelerate_with_friction_of_end(const StepTask& task, double tau, Trial& trial) {
  const State& start = task.start.state;
  Evaluator& terms = task.start.terms;
  terms.at(start.q, start.v);
  const auto contact_time = task.world.clock->during(StepPart::contact);
  const HeldSet& set = trial.held.set();
  if (!set.empty()) trial.held.factor(terms, HeldTangents::present, &task.rates.repeated);
  SmoothMotion& out = trial.motion;
  compute_free_force(*task.world.scenario, terms, start, start.v, set.touching, false, out.free,
                     start.joints, set.laws);
  accelerate_implicitly(terms, trial.held, start.v, tau, out.free.force, out.free.vdot,
                        out.free.friction, out.held, task.workspace.held);
  add_floating_friction(terms, set, out.held, out.free.friction);
}

void bound_load(const StepTask& task, const Trial& trial) {
  const HeldSet& set = trial.held.set();
  task.rates.load_bound =
      set.slides()
          ? kGrowth * std::max(task.world.weight, sliding_load(set, trial.motion.held.force))
          : kInfinity;
}

void watch_load(const StepTask& task, const std::vector<double>& normal, Trial& trial) {
  const HeldSet& set = trial.held.set();
  trial.trouble.grown = trial.trouble.grown ||
                        (set.slides() && !(sliding_load(set, normal) <= task.rates.load_bound));
}

// Whether every held contact pushes by more than rounding, those that stick as far within their
// cones, and no other forces do the same. With friction that is known at limbs.
bool pushes_alone(const StepTask& task, const Evaluator& here, Trial& trial) {
  const auto in_limbs = [](const HeldIsland& part) { return part.in_limbs; };
  const bool rubs = trial.held.set().rubs();
  if (rubs && !std::ranges::all_of(trial.held.islands(), in_limbs)) return false;
  if (rubs)
    judge_friction(here, trial.held, trial.motion.held, trial.friction, task.workspace.held);
  const std::vector<Contact>& contacts = trial.held.set().touching.contacts;
  const std::vector<double>& margin = rubs ? trial.friction.margin : trial.motion.held.force;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!(margin[i] > kForceTolerance * force_scale(task.model(), contacts[i].key))) return false;
  return trial.held.unique();
}

// d/dt of x = (q, v, works). @return the terms of the stage
const Evaluator& derivative(const StepTask& task, const VectorXd& x, VectorXd& dxdt, Trial& trial) {
  const Model& model = task.model();
  const State& start = task.start.state;
  StartRates& rates = task.rates;
  VectorXd &q = task.workspace.stages.q, &v = task.workspace.stages.v;
  q = x.head(model.nq);
  v = x.segment(model.nq, model.nv);
  // The first stage starts where the step does.
  const bool first = q == start.q && v == start.v;
  if (first && rates.known) {
    dxdt = rates.rate;
    return task.start.terms;
  }
  Evaluator& stage = first ? task.start.terms : task.workspace.stages.terms;
  accelerate(task, stage, q, v, trial);
  if (first)
    bound_load(task, trial);
  else
    watch_load(task, trial.motion.held.force, trial);
  if (trial.trouble.grown) {  // no trial that anyone takes: it shall only end
    dxdt = rates.rate;
    return stage;
  }
  const FreeAcceleration& free = trial.motion.free;
  dxdt.resize(x.size());
  position_rate(model, q, v, dxdt.head(model.nq));
  dxdt.segment(model.nq, model.nv) = free.vdot;
  dxdt.tail<kWorks>() << start.tau.dot(v), free.applied.external.dot(v),
      free.applied.damping.dot(v), trial.motion.held.slip_power - free.friction.dot(v);
  if (!first) return stage;
  rates.rate = dxdt;
  rates.acceleration = free.vdot;
  rates.pushes = pushes_alone(task, stage, trial);
  keep_aims(trial.held.set(), rates.aims);
  rates.known = true;
  return stage;
}

// What a step does not write: all but time, motion and mode.
void carry_over(const State& start, State& out) {
  // A member that is forgotten here does not compile.
  const auto& [t, step, q, v, ledger, tau, memory, ticks, records, steps, mode, joints, loop] =
      start;
  out.step = step;
  out.ledger = ledger;
  out.tau = tau;
  out.memory = memory;
  out.ticks = ticks;
  out.records = records;
  out.steps = steps;
  out.joints = joints;
  out.loop = loop;
}

const Evaluator& integrate_symplectic(const StepTask& task, double tau, Trial& trial) {
  const State& start = task.start.state;
  if (task.method.implicit)
    accelerate_with_friction_of_end(task, tau, trial);
  else
    accelerate(task, task.start.terms, start.q, start.v, trial);
  bound_load(task, trial);
  task.rates.turn_span = turning_limit(task, trial);
  keep_aims(trial.held.set(), task.rates.aims);
  State& out = trial.state;
  out.v = start.v + tau * trial.motion.free.vdot;
  start_turns(task.start.terms, start.v, tau, task.start.touched, out.v,
              task.workspace.end.turning);
  if (!task.method.velocity_level()) {  // else with the velocity that impulses leave
    VectorXd& move = task.workspace.end.move;
    move = tau * out.v;
    integrate_position(task.model(), start.q, move, out.q, task.world.team());
  }
  trial.error = 0.0;
  return task.start.terms;
}

// Whether forces that the contacts may have lead to the held motion at the end.
void judge_forces(const StepTask& task, Trial& trial) {
  const auto contact_time = task.world.clock->during(StepPart::contact);
  HeldMotion& motion = trial.motion.held;
  HeldWorkspace& workspace = task.workspace.held;
  if (trial.held.set().rubs()) {
    judge_friction(trial.terms, trial.held, motion, trial.friction, workspace);
    trial.trouble.infeasibility = std::max(motion.unmet, trial.friction.missing);
  } else {
    trial.trouble.infeasibility = trial.held.unique()
                                      ? 0.0
                                      : push_only(task.world.solver.least_distance, trial.held,
                                                  motion, task.workspace.solver, workspace);
  }
}

// A direction is held while the slip is too slow to have one.
SlideMode slide_at_end(const World& world, const Trial& trial, std::size_t i) {
  using Kind = SlideMode::Kind;
  const HeldSet& set = trial.held.set();
  SlideMode slide = set.laws[i].slide;
  if (slide.kind == Kind::none) return slide;
  const Vector3d slip =
      slip_velocity(world.model(), trial.terms.kinematics(), set.touching.contacts[i]);
  const SceneTolerances& tolerance = world.tolerance;
  const double speed = slip.norm();
  if (speed > tolerance.slip_held() ||
      (slide.kind == Kind::slow && speed > tolerance.slip_rest())) {
    slide.kind = Kind::moving;
    slide.direction_W.setZero();
  } else if (slide.kind == Kind::moving && speed <= tolerance.slip_rest() && speed > 0.0) {
    slide.kind = Kind::slow;
    slide.direction_W = slip / speed;
  }
  return slide;
}

ContactMode mode_at_end(const StepTask& task, const Trial& trial, std::size_t i) {
  const HeldSet& set = trial.held.set();
  const Contact& contact = set.touching.contacts[i];
  const bool limit = is_joint_limit(contact.key);
  const double normal = trial.normal_forces()[i];
  ContactMode mode = closed_mode(contact);
  mode.floating = set.laws[i].floats;
  mode.share = trial.motion.held.share[i];
  mode.active = true;
  mode.force_W = limit ? Vector3d(normal, 0.0, 0.0) : Vector3d(normal * contact.n_W);
  if (set.rubs()) {
    mode.sticking = set.laws[i].sticks;
    mode.slide = slide_at_end(task.world, trial, i);
    mode.force_W += trial.friction.tangential[i];
  }
  if (task.method.contact.viscous && !limit)
    mode.force_W += mode.share * viscous_friction(task.model(), trial.terms.kinematics(), contact);
  return mode;
}

// Forces of the held contacts and joints at the end of the step.
void write_mode(const StepTask& task, Trial& trial) {
  State& out = trial.state;
  out.mode.clear();
  for (std::size_t i = 0; i < trial.held.set().touching.size(); ++i)
    out.mode.push_back(mode_at_end(task, trial, i));
  sort_modes(out);
  auto held =
      (trial.held.set().rubs() ? trial.friction.joint : trial.motion.held.joint_force).begin();
  for (JointMode& joint : out.joints)
    joint.force =
        joint.slide == 0 ? *held++ : -joint.slide * joint_friction(task.model(), joint.coordinate);
}

}  // namespace

double sliding_load(const HeldSet& held, const std::vector<double>& normal) {
  double load = 0.0;
  for (std::size_t i = 0; i < held.touching.size(); ++i)
    if (held.slides(i)) load = std::max(load, std::abs(normal[i]));
  return load;
}

void require_finite(const World& world, const StepStart& start, const State& state) {
  if (are_finite(state.q) && are_finite(state.v)) return;
  const Model& model = world.model();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Joint& joint = model.links[i].joint;
    const bool moves = state.v.segment(joint.v_index, velocity_count(joint.type)).allFinite();
    if (moves && state.q.segment(joint.q_index, position_count(joint.type)).allFinite()) continue;
    const std::string note = damping_note(*world.scenario, start.terms);
    throw DivergenceError(
        fmt::format("the dynamics gave a {} of '{}' that is not finite after t = {:.6f} s{}{}",
                    moves ? "position" : "velocity", link_name(model, static_cast<int>(i)),
                    start.state.t, note.empty() ? "" : ": ", note));
  }
}

void accelerate(const StepTask& task, Evaluator& terms, const VectorXd& q, const VectorXd& v,
                Trial& trial) {
  terms.at(q, v);
  if (!trial.held.set().empty()) {
    const auto contact_time = task.world.clock->during(StepPart::contact);
    trial.held.factor(terms, task.method.stage_tangents(), &task.rates.repeated);
  }
  accelerate_factored(task, terms, v, trial);
}

const Evaluator& integrate(const StepTask& task, double tau, Trial& trial) {
  const Model& model = task.model();
  const State& start = task.start.state;
  State& out = trial.state;
  carry_over(start, out);
  out.t = start.t + tau;
  begin_aims(task.rates, trial.held);
  if (task.method.symplectic) return integrate_symplectic(task, tau, trial);
  StageBuffers& stages = task.workspace.stages;
  stages.x0.resize(model.nq + model.nv + kWorks);
  stages.x0 << start.q, start.v, VectorXd::Zero(kWorks);
  struct {
    const StepTask& task;
    Trial& trial;
    const Evaluator* last;
  } run{task, trial, &task.start.terms};
  // One reference, which a std::function keeps without allocating.
  const Rhs rhs = [&run](const VectorXd& x, VectorXd& dxdt, double) {
    run.last = &derivative(run.task, x, dxdt, run.trial);
  };
  trial.error = stages.runge_kutta.step(rhs, stages.x0, start.t, tau, stages.x1);
  out.q = stages.x1.head(model.nq);
  normalise_quaternions(model, out.q);
  out.v = stages.x1.segment(model.nq, model.nv);
  const auto work = stages.x1.tail<kWorks>();
  trial.work.actuator = work[0];
  trial.work.external = work[1];
  trial.work.damping = work[2];
  trial.work.friction = work[3];
  return *run.last;
}

void book_constant_forces(const StepTask& task, double tau, const VectorXd& v_end, Trial& trial) {
  const State& start = task.start.state;
  const FreeAcceleration& free = trial.motion.free;
  VectorXd& d = task.workspace.end.move;
  d = 0.5 * tau * (start.v + v_end);
  trial.work.actuator = start.tau.dot(d);
  trial.work.external = free.applied.external.dot(d);
  trial.work.damping = free.applied.damping.dot(d);
  trial.work.friction = tau * trial.motion.held.slip_power - free.friction.dot(d);
}

void take_smooth_step(const StepTask& task, const HeldSet& set, double tau, Trial& trial) {
  State& out = trial.state;
  trial.held.follow_from(set.touching);
  const Evaluator& last = integrate(task, tau, trial);
  if (task.method.symplectic) {
    book_constant_forces(task, tau, out.v, trial);
    end_turns(task.start.terms, tau, out.v, out.v, task.workspace.end.turning, out.q, out.v);
  }
  require_finite(task.world, task.start, out);
  close_step(task, last, trial);
  trial.terms.at(out.q, out.v);
  accelerate_factored(task, trial.terms, out.v, trial);
  judge_forces(task, trial);
  watch_load(task, trial.normal_forces(), trial);
  write_mode(task, trial);
}

}  // namespace pequod
