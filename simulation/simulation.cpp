#include "simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/errors.h"
#include "simulation/instant.h"
#include "simulation/joint_friction.h"
#include "simulation/rims.h"
#include "simulation/settle/tolerances.h"
#include "simulation/trial/tolerances.h"

namespace pequod {
namespace {

// Of one step: what two or three do not find, a hundred that shorten it by a rounding do not
// either.
constexpr int kMaxCuts = 3;
constexpr double kLeastPart = 1.0 / 64;  // of a step, that is halved no more

// Of a state: its own count, or where that was of steps of another length, the one that fits its
// time.
std::int64_t whole_steps(const Scenario& scenario, const State& state) {
  const double step = scenario.integrator.step, within = instant(scenario, state.t);
  const bool fits = state.t >= multiple(scenario, state.steps, step) - within &&
                    state.t <= multiple(scenario, state.steps + 1, step) + within;
  if (fits) return state.steps;
  return static_cast<std::int64_t>(std::floor((state.t - scenario.initial.t + within) / step));
}

}  // namespace

EnergyReport report_energy(const Model& model, const Kinematics& kin, const State& state) {
  EnergyReport report;
  report.kinetic = kinetic_energy(model, kin, state.v);
  report.potential = potential_energy(model, kin);
  report.total = report.kinetic + report.potential;
  const Ledger& l = state.ledger;
  report.residual = report.total - l.initial - l.actuator_work - l.external_work + l.damping_loss +
                    l.friction_loss + l.impact_loss + l.stabilisation + l.normal_loss;
  return report;
}

Simulation::Simulation(const Scenario& scenario, Observer observer)
    : Simulation(scenario, scenario.initial, {}, std::move(observer)) {
  start();
}

Simulation::Simulation(const Scenario& scenario, const State& resumed,
                       const RunStatistics& statistics, Observer observer)
    : observer_(std::move(observer)),
      world_(make_world(scenario, observer_.problem, clock_)),
      stepper_(world_, world_.contact, scenario.integrator.method),
      fallback_(world_, world_.fallback, "symplectic-euler"),
      state_(resumed),
      statistics_(statistics),
      workspace_(scenario.model) {
  state_.steps = whole_steps(scenario, state_);
  if (observer_.step) clock_.switch_on();
}

Evaluator& Simulation::here() {
  Evaluator& evaluator = stepper_.terms();
  evaluator.at(state_.q, state_.v);
  return evaluator;
}

void Simulation::find_contacts(double range) {
  find_touching(world_, state_, range, stepper_.terms(), workspace_.settle.touching, touching_);
}

ControlInput Simulation::control_input() {
  const Evaluator& terms = here();
  return {world_.model(), state_, terms.kinematics(), terms.mass(), terms.bias()};
}

void Simulation::start() {
  const Model& model = world_.model();
  start_joint_modes(model, state_);
  state_.ledger.initial = total_energy(model, here().kinematics(), state_.v);
  state_.ticks.assign(world_.scenario->controllers.size(), 0);
  Eigen::Index size = 0;
  for (const Controller& controller : world_.scenario->controllers) size += controller.memory_size;
  state_.memory.setZero(size);
  double* memory = state_.memory.data();
  for (const Controller& controller : world_.scenario->controllers) {
    const auto count = static_cast<std::size_t>(controller.memory_size);
    if (controller.initialise) controller.initialise(control_input(), {memory, count});
    memory += count;
  }
  settle_contacts();
}

bool Simulation::step() {
  const auto dynamics_time = clock_.during(StepPart::dynamics);
  const bool done = past(end_time(*world_.scenario));
  if (!done) call_due_controllers();
  record_if_due();
  if (done) return false;
  std::vector<JointMode>& joints = workspace_.joints;
  joints = state_.joints;
  ensure_mode();
  report_joints(joints);
  if (past(next_step_end())) ++state_.steps;
  const double t = state_.t, h = next_time() - t;
  bool eventful = false;
  if (world_.scenario->contact.scheme == "time-stepping")
    take_time_step(h);
  else if (crowded())
    take_fallback_step(h);
  else
    eventful = take_step(h);
  watch_storm(t, t + h, eventful);
  report_joints(joints);
  publish();
  return true;
}

// Whether a time has come.
bool Simulation::past(double due) const {
  return state_.t >= due - instant(*world_.scenario, state_.t);
}

// When the step of the scene that is under way ends; steps of a tolerance start where the last
// ended.
double Simulation::next_step_end() const {
  return multiple(*world_.scenario, state_.steps + 1, world_.scenario->integrator.step);
}

void Simulation::call_due_controllers() {
  const Model& model = world_.model();
  double* memory = state_.memory.data();
  for (std::size_t i = 0; i < world_.scenario->controllers.size(); ++i) {
    const Controller& controller = world_.scenario->controllers[i];
    const auto count = static_cast<std::size_t>(controller.memory_size);
    const std::span<double> own(memory, count);
    memory += count;
    if (!past(multiple(*world_.scenario, state_.ticks[i], controller.period))) continue;
    VectorXd& tau = state_.tau;
    const ControlInput input = control_input();
    {
      const auto control_time = clock_.during(StepPart::control);
      controller.update(input, own, tau);
    }
    ++state_.ticks[i];
    state_.loop.mode_due = true;
    const Entity& entity = model.entities[static_cast<std::size_t>(controller.entity)];
    for (int k = entity.first_link; k < entity.first_link + entity.links; ++k) {
      const Joint& joint = model.links[static_cast<std::size_t>(k)].joint;
      for (int j = joint.v_index; j < joint.v_index + velocity_count(joint.type); ++j) {
        if (!std::isfinite(tau[j]))
          throw DivergenceError("controller '" + controller.name + "' gave an effort for '" +
                                link_name(model, k) +
                                "' that is not finite at t = " + std::to_string(state_.t) + " s");
        tau[j] =
            joint.type == JointType::free ? 0.0 : std::clamp(tau[j], -joint.effort, joint.effort);
      }
    }
  }
}

void Simulation::record_if_due() {
  const bool last = past(end_time(*world_.scenario));
  if (!past(multiple(*world_.scenario, state_.records, world_.scenario->record.every)) && !last)
    return;
  ++state_.records;
  const EnergyReport energy = report_energy(world_.model(), here().kinematics(), state_);
  statistics_.energy_residual_max =
      std::max(statistics_.energy_residual_max, std::abs(energy.residual));
  statistics_.viscous_rate_max = std::max(statistics_.viscous_rate_max, stepper_.viscous_rate());
  const auto outside_time = clock_.during(StepPart::outside);
  if (observer_.record) observer_.record(state_, here().kinematics(), energy);
}

// The next instant at which something is due: a step, a tick, a record, an edge of a force, the
// end.
double Simulation::next_time() const {
  const Scenario& scenario = *world_.scenario;
  const IntegratorOptions& integrator = scenario.integrator;
  const double adapted = state_.t + (state_.step > 0.0 ? state_.step : integrator.step);
  double next =
      std::min(end_time(scenario), integrator.tolerance > 0.0 ? adapted : next_step_end());
  next = std::min(next, multiple(scenario, state_.records, scenario.record.every));
  for (std::size_t i = 0; i < scenario.controllers.size(); ++i)
    next = std::min(next, multiple(scenario, state_.ticks[i], scenario.controllers[i].period));
  for (const ExternalForce& force : scenario.forces)
    for (const double edge : {force.from, force.to})
      if (!past(edge)) next = std::min(next, edge);
  return next;
}

// A state counts as settled once its mode is chosen; without a reason to doubt it the old one
// holds.
void Simulation::ensure_mode() {
  find_contacts();
  if (meets_contact()) settle_contacts();
  if (stepper_.method().velocity_level()) return;
  if (!state_.loop.mode_due && !state_.loop.released) {
    const Kinematics& kin = here().kinematics();
    for (const Contact& contact : touching_.contacts) {
      const ContactMode* mode = find_mode(state_, contact.key);
      state_.loop.mode_due =
          state_.loop.mode_due ||
          (!mode && rests(normal_velocity(world_.model(), kin, contact, state_.v)));
    }
    for (const ContactMode& mode : state_.mode) {
      state_.loop.mode_due = state_.loop.mode_due || !touching_.has(mode.key);
    }
  }
  if (state_.loop.mode_due && !mode_holds()) renew_mode();
  state_.loop.mode_due = false;
}

// A gap that reached zero just at the end of a step was no root inside it. What is nearly closed is
// found by the search that follows; impulses of a step would stop it without restitution.
// Time-stepping has no impacts.
bool Simulation::meets_contact() {
  if (world_.scenario->contact.scheme == "time-stepping") return false;
  const double closed = stepper_.method().velocity_level() ? kGapTolerance : kGapNoise;
  const Kinematics& kin = here().kinematics();
  return std::any_of(
      touching_.contacts.begin(), touching_.contacts.end(), [&](const Contact& contact) {
        return contact.gap <= closed &&
               normal_velocity(world_.model(), kin, contact, state_.v) < -kSpeedTolerance;
      });
}

// Rows for the joints whose mode changed.
// @param before  in and out: the modes that are known
void Simulation::report_joints(std::vector<JointMode>& before) {
  append_joint_events(world_.model(), before, state_, rows_);
  before = state_.joints;
}

// @return whether there was an event
bool Simulation::take_step(double h) {
  if (past(state_.t + h)) {  // rounding between two kinds of multiples: the same instant
    state_.t += h;
    return false;
  }
  State& next = workspace_.next;
  stepper_.begin(state_, touching_, state_.loop.forced);
  if (stepper_.method().rubs()) h = std::min(h, stepper_.slip_limit());
  if (h <= kShortestSlide) {
    end_jam();
    return true;
  }
  if (!stepper_.method().velocity_level()) h = std::min(h, stepper_.rim_limit());
  h = std::min(h, storm_span());
  stepper_.at(h);
  if (stepper_.method().velocity_level()) keep_rims_up(stepper_, h, kGapTolerance);
  if (stepper_.method().rubs()) h = stepper_.growth_span(h);
  if (h == 0.0) {
    end_jam();
    return true;
  }
  if (stepper_.method().rubs()) h = stepper_.direction_span(h);
  next = stepper_.at(h).state;
  const double t_end = state_.t + h;
  double length = state_.step;
  if (world_.scenario->integrator.tolerance > 0.0) {
    const Adapted adapted = adapt(h, length);
    if (adapted == Adapted::jams) end_jam();
    if (adapted != Adapted::stands) return adapted == Adapted::jams;
  }
  std::optional<EventHit> hit;
  double end = h, gap = kInfinity;
  for (int cuts = 0;; ++cuts) {
    hit = first_event(*world_.scenario, world_.collision,
                      {stepper_, state_, stepper_.start().terms, end, next}, clock_,
                      workspace_.event);
    if (hit && hit->kind == EventHit::Kind::sinks) {
      handle(*hit);
      return true;
    }
    const double tau = hit ? hit->tau : end;
    next = stepper_.at(tau).state;
    gap = measure_gap(stepper_.terms());
    if (gap >= -kGapTolerance) break;
    // Features that face each other only for a moment within the step: the same step, cut here.
    // Where no event explains what sinks, as of a body that turns far, half the step.
    const bool explained = tau < end && cuts < kMaxCuts;
    if (!explained && end < kLeastPart * h) {
      refuse();
      return false;
    }
    end = explained ? tau : 0.5 * end;
    next = stepper_.at(end).state;
  }
  next.step = length;
  const ChosenMode after = accept(h, hit, gap, next);
  if (stepper_.method().rubs() && stepper_.jams()) state_.loop.mode_due = true;
  if (past(t_end)) state_.t = t_end;
  if (hit) handle(*hit, after);
  return hit.has_value();
}

// Velocity level: a disc that lies flat and that impulses would tip about the chord between two of
// its points gets the point between, until none sinks. Those that carry nothing make room. Two
// points may give way to each other for ever; what then sinks is met in the step.
void Simulation::keep_rims_up(Stepper& stepper, double h, double range) {
  constexpr int kMost = 16;
  if (!has_discs(world_.model(), touching_)) return;
  const Model& model = world_.model();
  Kinematics& kin = workspace_.kin;  // poses of the start, velocities of the end
  compute_positions(model, state_.q, kin);
  for (int added = 0; added < kMost; ++added) {
    const VectorXd& v = stepper.trial().v_plus;
    compute_velocities(model, v, kin);
    // A rim cannot do better than the contacts that the solver knew of.
    double slow = kSpeedTolerance;
    for (const Contact& contact : touching_.contacts)
      if (contact.gap <= kGapTolerance)
        slow = std::max(slow, -2.0 * normal_velocity(model, kin, contact, v));
    if (added > 0) drop_idle_rims(stepper.at(h).state.mode, state_.loop.rims);
    if (!add_sinking_rims(model, kin, {slow, range, h}, touching_, state_.loop.rims)) return;
    find_contacts(range);
    stepper.begin(state_, touching_, state_.loop.forced);
    stepper.at(h);
  }
}

// Error control of dopri5: `length` is the step to try next, if this one stands; if it is too long,
// state_ has it. Where slides are about to jam there are no smooth forces to follow.
Simulation::Adapted Simulation::adapt(double h, double& length) {
  const double tolerance = world_.scenario->integrator.tolerance;
  const double proposed = next_step(h, stepper_.trial().error, tolerance);
  if (stepper_.trial().error <= tolerance) {
    // A step that something else cut short, a tick or slip, says nothing against the length of
    // before.
    const double least = h < length ? length : 0.0;
    length = std::min(std::max(proposed, least), world_.scenario->integrator.step);
    return Adapted::stands;
  }
  const double shortest = instant(*world_.scenario, state_.t);
  if (proposed < shortest && !stepper_.trial().held.set().slides())
    throw DivergenceError(
        fmt::format("the adaptive step fell below {:.3g} s at t = {:.6f} s: "
                    "integrator.tolerance cannot be met",
                    shortest, state_.t));
  if (proposed < shortest) return Adapted::jams;
  state_.step = proposed;
  return Adapted::too_long;
}

// The mode after a force has reached its bound at the end of the trial step, read off a little
// later, where it is no tie.
// @param next  that end; gets the rim points of discs that it needs.
ChosenMode Simulation::mode_after(const EventHit& hit, double h, State& next) {
  State look = stepper_.at(std::min(stepper_.trial().tau + kLookAhead * h, h)).state;
  Touching touching;
  find_touching(world_, look, kGapTolerance, stepper_.terms(), workspace_.settle.touching, touching);
  const ContactMode* before = find_mode(state_, hit.key);
  const bool pushed = before && !before->floating;
  ChosenMode after;
  solve_mode(world_, stepper_.terms(), look, touching, pushed ? &hit.key : nullptr, after,
             workspace_.settle);
  next.loop.rims = look.loop.rims;
  return after;
}

// The end of the trial step becomes the state.
// @param gap  m, the smallest there
// @return the mode after a force that has reached its bound there
ChosenMode Simulation::accept(double h, const std::optional<EventHit>& hit, double gap,
                              State& next) {
  const double tau = stepper_.trial().tau;
  const bool released =
      hit && (hit->kind == EventHit::Kind::release || hit->kind == EventHit::Kind::slip);
  ChosenMode after;
  if (released && !stepper_.method().rubs()) {
    after = mode_after(*hit, h, next);
    stepper_.at(tau);
  }
  book_step(world_.model(), stepper_.start(), stepper_.trial(), next);
  if (stepper_.method().velocity_level()) append_lift_offs(state_, next, rows_);
  count(stepper_.trial().stats);
  std::swap(state_, next);
  state_.loop.forced.clear();
  if (!released) drop_idle_rims(state_.mode, state_.loop.rims);
  if (tau > shortest_step(*world_.scenario)) state_.loop.released = false;
  ++statistics_.steps;
  report_step(tau, gap);
  return after;
}

// Smallest gap at the poses of the evaluator, by fresh distance queries, m; +∞ above a millimetre.
double Simulation::measure_gap(const Evaluator& evaluator) {
  constexpr double kRange = 1e-3;
  const auto collision_time = clock_.during(StepPart::collision);
  copy_poses(evaluator.kinematics(), workspace_.X_WL);
  world_.collision.place(workspace_.X_WL, workspace_.X_WS);
  return world_.collision.smallest_gap(workspace_.X_WS, kRange);
}

// @param gap  m, the smallest of the state that was accepted
void Simulation::report_step(double h, double gap) {
  statistics_.max_penetration = std::max(statistics_.max_penetration, -gap);
  if (!observer_.step) return;
  StepReport report;
  report.t = state_.t;
  report.h = h;
  report.contacts = static_cast<int>(touching_.size());
  report.stats = stepper_.trial().stats;
  report.smallest_gap = gap;
  report.times = clock_.take();
  const auto outside_time = clock_.during(StepPart::outside);
  observer_.step(report);
}

void Simulation::count(const StepStats& stats) {
  statistics_.solves += stats.solves;
  statistics_.pivots += stats.pivots;
  statistics_.pivots_max = std::max<std::int64_t>(statistics_.pivots_max, stats.pivots);
  statistics_.locks += stats.locks;
  statistics_.switches += stats.switches;
  statistics_.reduced += stats.reduced;
  statistics_.worst_residual = std::max(statistics_.worst_residual, stats.residual);
  statistics_.worst_slip = std::max(statistics_.worst_slip, stats.slip);
  statistics_.worst_gain = std::max(statistics_.worst_gain, stats.gain);
}

void Simulation::publish() {
  for (const EventRow& row : rows_) ++statistics_.events[static_cast<std::size_t>(row.kind)];
  const auto outside_time = clock_.during(StepPart::outside);
  if (!rows_.empty() && observer_.events) observer_.events(rows_);
  rows_.clear();
}

}  // namespace pequod
