#include "simulation/loop/event_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulation/damping_limit.h"
#include "simulation/errors.h"
#include "simulation/joint_friction.h"
#include "simulation/loop/instant.h"
#include "simulation/loop/sleep.h"
#include "simulation/loop/soft_landing.h"
#include "simulation/loop/tolerances.h"
#include "simulation/rims.h"
#include "simulation/settle/tolerances.h"
#include "simulation/trial/book_step.h"
#include "simulation/trial/runaway.h"
#include "simulation/trial/tolerances.h"

namespace pequod {

EventLoop::EventLoop(const Scenario& scenario, Observer observer)
    : EventLoop(scenario, scenario.initial, {}, std::move(observer)) {
  start();
}

EventLoop::EventLoop(const Scenario& scenario, const State& resumed,
                     const RunStatistics& statistics, Observer observer)
    : report_{std::move(observer), statistics, {}},
      world_(make_world(scenario, report_.observer.problem, clock_)),
      stepper_(world_, make_method(world_)),
      fallback_(world_, make_fallback_method(world_)),
      state_(resumed),
      workspace_(scenario.model) {
  state_.steps = whole_steps(scenario, state_);
  if (report_.observer.step) clock_.switch_on();
}

Evaluator& EventLoop::here() {
  Evaluator& evaluator = stepper_.terms();
  evaluator.at(state_.q, state_.v);
  return evaluator;
}

// What rests and is found is awake then: its own contacts are to be found too.
void EventLoop::find_contacts(const TouchRange& within) {
  do
    find_touching(world_, state_, within, stepper_.terms(), lend(workspace_.settle.touching),
                  touching_);
  while (wake_touched(world_.model(), touching_, state_, lend(workspace_.resting)));
}

void EventLoop::find_contacts() { find_contacts(touch_range(world_, state_, stepper_.terms())); }

// What touches, and what may land softly in a step.
void EventLoop::find_contacts_of_step() {
  if (lands_softly(world_))
    find_contacts(landing_range(world_));
  else
    find_contacts();
}

void EventLoop::start() {
  const Model& model = world_.model();
  start_joint_modes(model, state_);
  state_.ledger.initial = total_energy(model, here().kinematics(), state_.v);
  start_controllers(world_, stepper_.terms(), state_);
  settle_contacts();
  report_suspects(0.0);
  publish(report_, clock_, state_, false);  // before a checkpoint of this state
}

bool EventLoop::step() {
  const auto dynamics_time = clock_.during(StepPart::dynamics);
  const bool done = past(end_time(*world_.scenario));
  if (!done) call_due_controllers(world_, stepper_.terms(), state_);
  record_if_due();
  if (done) {
    publish(report_, clock_, state_, true);
    return false;
  }
  if (state_.loop.asleep) {
    sleep_through_step();
    return true;
  }
  const double suspect = state_.ledger.suspect;
  std::vector<JointMode>& joints = workspace_.joints;
  joints = state_.joints;
  const bool by_forces = ensure_mode();
  report_joints(joints);
  if (past(step_end(*world_.scenario, state_))) ++state_.steps;
  const double t = state_.t, h = next_due(*world_.scenario, state_) - t;
  Ending ending;
  if (world_.scenario->contact.scheme == "time-stepping")
    take_time_step(h);
  else if (is_spent(state_.loop.budget, world_.model().trees.size()))
    take_fallback_step(h);
  else
    ending = take_step(h, by_forces);
  count_step(*world_.scenario, {t, t + h, world_.rubs(), ending}, state_);
  report_joints(joints);
  report_suspects(suspect);
  publish(report_, clock_, state_, false);
  return true;
}

// Nothing changes but the time: not a bit of what a step would find, and nothing is computed.
void EventLoop::sleep_through_step() {
  if (past(step_end(*world_.scenario, state_))) ++state_.steps;
  const double h = next_due(*world_.scenario, state_) - state_.t;
  state_.t += h;
  ++report_.statistics.steps;
  report_step(h, static_cast<int>(state_.mode.size()), {}, gap_asleep(state_));
  publish(report_, clock_, state_, false);
}

// Whether a time has come.
bool EventLoop::past(double due) const { return has_come(*world_.scenario, state_, due); }

// A state counts as settled once its mode is chosen; without a reason to doubt it the old one
// holds. Time-stepping has neither modes nor impacts, and finds its contacts itself.
bool EventLoop::ensure_mode() {
  if (world_.scenario->contact.scheme == "time-stepping") return false;
  find_contacts_of_step();
  if (meets_contact()) {
    settle_contacts();
    if (lands_softly(world_)) find_contacts_of_step();
  }
  if (world_.velocity_level() || bridges()) return false;
  const bool released = state_.loop.released;
  const bool changed = !released && rests_otherwise(world_, here().kinematics(), state_, touching_);
  const bool due = std::exchange(state_.loop.mode_due, false);
  if (!due && !changed) return false;
  if (!changed && !released && stepper_.method().knows_start() &&
      is_known_by_forces(world_, state_, touching_))
    return true;
  if (!mode_holds()) renew_mode();
  state_.loop.mode_due = false;
  return false;
}

// Whether the next step is a fallback step, which asks for no mode. The budget is that of the step
// of the scene that ends here until count_step() has begun the next, which may be all fallback
// steps.
bool EventLoop::bridges() const {
  const EventBudget& budget = state_.loop.budget;
  const bool ends = budget.storm_time < state_.t && past(step_end(*world_.scenario, state_));
  return ends ? budget.waiting > 0.0 : is_spent(budget, world_.model().trees.size());
}

// A gap that reached zero just at the end of a step was no root inside it. What is nearly closed is
// found by the search that follows; impulses of a step would stop it without restitution.
bool EventLoop::meets_contact() {
  const double closed = world_.velocity_level() ? world_.tolerance.gap() : world_.tolerance.noise();
  const double slow =
      world_.velocity_level() ? kGrazing * world_.tolerance.pace : world_.tolerance.speed();
  const Kinematics& kin = stepper_.terms().kinematics();  // where they were found
  return std::ranges::any_of(touching_.contacts, [&](const Contact& contact) {
    return contact.gap <= closed && normal_velocity(world_.model(), kin, contact, state_.v) < -slow;
  });
}

// How long the next step may be, at most h: shorter where something slides, turns or crowds.
// @return s, 0 where it jams
double EventLoop::allowed_step(double h) {
  if (lands_softly(world_)) keep_landing(world_, here().kinematics(), state_.v, h, touching_);
  stepper_.begin(state_, touching_, state_.loop.forced);
  if (world_.rubs()) h = stepper_.slip_limit(h, Creep::aimed);
  if (h <= kShortestSlide) return 0.0;
  if (!world_.velocity_level()) h = std::min(h, stepper_.running_limit());
  h = std::min(h, trial_span(state_.loop.budget, state_.t, shortest_step(*world_.scenario)));
  if (world_.velocity_level()) h = stepper_.landing_span(h);
  stepper_.at(h);
  if (world_.velocity_level()) keep_rims_up(stepper_, h, world_.tolerance.gap());
  if (world_.rubs()) h = stepper_.growth_span(stepper_.creep_span(h));
  if (world_.rubs() && h > 0.0) h = stepper_.direction_span(h);
  if (!world_.velocity_level() && h > 0.0)
    h = stepper_.method().symplectic ? stepper_.turning_span(h) : stepper_.balanced_span(h);
  return h;
}

// Acceleration level, Runge–Kutta methods: whether the trial, cut at tau, makes or takes energy
// that nothing explains. Forces near a pole may do so in a part of a step, though not in the whole.
bool EventLoop::makes_energy(double tau) const {
  return !world_.velocity_level() && !stepper_.method().symplectic &&
         tau > shortest_step(*world_.scenario) && !stepper_.is_balanced();
}

// The trial step of length h up to the first event in it, where no gap is below zero.
// @param next  in: its end; out: where it was cut
EventLoop::Search EventLoop::search(double h, State& next) {
  double end = h;
  const double look = world_.rubs() ? look_ahead() : kInfinity;
  for (int cuts = 0;; ++cuts) {
    const long taken = stepper_.trials();
    const auto hit =
        first_event(world_, {stepper_, state_, stepper_.start().terms, end, next, look},
                    lend(workspace_.event));
    if (hit && hit->kind == EventHit::Kind::sinks) return {Search::Result::sinks, hit, kInfinity};
    const double tau = hit ? hit->tau : end;
    const Trial& trial = stepper_.at(tau);
    if (stepper_.trials() != taken) next = trial.state;
    // A force may be past its bound here though it is not at the end, where its contact has gone on
    // to another place, or slips the other way: then it is released before. (Where contacts rub
    // what lets go has been told by all forces of the step, see growth_span().)
    const bool by_force = world_.rubs() && hit && hit->kind == EventHit::Kind::release;
    if (tau < end && cuts < kMaxCuts && !by_force &&
        first_release(world_, {stepper_, state_, stepper_.start().terms, tau, next})) {
      end = tau;
      next = stepper_.at(end).state;
      continue;
    }
    if (tau < h && makes_energy(tau)) {
      end = 0.5 * tau;
      next = stepper_.at(end).state;
      continue;
    }
    const double gap = measure_gap(stepper_.terms());
    if (gap >= -world_.tolerance.gap())
      return cut_where_contact_ends(tau, {Search::Result::stands, hit, gap}, next);
    // Features that face each other only for a moment within the step: the same step, cut here.
    // Where no event explains what sinks, as of a body that turns far, half the step.
    const bool explained = tau < end && cuts < kMaxCuts;
    if (!explained && end < kLeastPart * h) return {Search::Result::unexplained, hit, gap};
    end = explained ? tau : 0.5 * end;
    next = stepper_.at(end).state;
  }
}

// A step of length tau that stands, up to where a held contact has run off what it touches: the
// next one finds what touches then. Nothing else happens before.
EventLoop::Search EventLoop::cut_where_contact_ends(double tau, const Search& whole, State& next) {
  if (world_.velocity_level()) return whole;
  if (const auto off = first_run_off(world_, stepper_, tau, lend(workspace_.event))) {
    next = stepper_.at(*off).state;
    if (makes_energy(*off)) {
      next = stepper_.at(0.5 * *off).state;
      return search(0.5 * *off, next);
    }
    const auto released =
        first_release(world_, {stepper_, state_, stepper_.start().terms, *off, next});
    // Where two contacts run into one their forces have a pole, and one would let go before.
    const bool pulls = released && released->tau < *off - kCrowdSpan;
    next = stepper_.at(released ? released->tau : *off).state;
    const double gap = measure_gap(stepper_.terms());
    const bool sinks = gap < -world_.tolerance.gap();
    if (!pulls && !sinks) return {Search::Result::stands, released, gap};
    next = stepper_.at(tau).state;
  }
  stepper_.at(tau);
  return whole;
}

Ending EventLoop::take_step(double h, bool by_forces) {
  if (past(state_.t + h)) {  // rounding between two kinds of multiples: the same instant
    state_.t += h;
    return {};
  }
  h = allowed_step(h);
  if (h == 0.0) {
    end_jam();
    return {.by_event = true};
  }
  if (by_forces && !stepper_.pushes_at_start()) {
    if (!mode_holds()) renew_mode();
    return {};
  }
  State& next = workspace_.next;
  next = stepper_.at(h).state;
  const double t_end = state_.t + h;
  double length = state_.step;
  if (world_.scenario->integrator.tolerance > 0.0) {
    const Adapted adapted = adapt(h, length);
    if (adapted == Adapted::jams) end_jam();
    if (adapted != Adapted::stands) return {.by_event = adapted == Adapted::jams};
  }
  const Search found = search(h, next);
  if (found.result == Search::Result::unexplained) {
    refuse();
    return {};
  }
  if (found.result == Search::Result::sinks) return handle(*found.hit);
  next.step = length;
  const ChosenMode after = accept(h, found.hit, found.gap, next);
  const bool opened = !world_.velocity_level() && stepper_.trial().projected.opened;
  if (opened || (world_.rubs() && stepper_.jams())) state_.loop.mode_due = true;
  if (past(t_end)) state_.t = t_end;
  return found.hit ? handle(*found.hit, after) : Ending{};
}

// Velocity level: a disc that lies flat and that impulses would tip about the chord between two of
// its points gets the point between, until none sinks. Those that carry nothing make room. Two
// points may give way to each other for ever; what then sinks is met in the step.
void EventLoop::keep_rims_up(Stepper& stepper, double h, double range) {
  constexpr int kMost = 16;
  if (!has_discs(world_.model(), touching_)) return;
  const Model& model = world_.model();
  Kinematics& kin = workspace_.kin;  // poses of the start, velocities of the end
  compute_positions(model, state_.q, kin);
  for (int added = 0; added < kMost; ++added) {
    const VectorXd& v = stepper.trial().v_plus;
    compute_velocities(model, v, kin);
    // A rim cannot do better than the contacts that the solver knew of.
    double slow = world_.tolerance.speed();
    for (const Contact& contact : touching_.contacts)
      if (contact.gap <= world_.tolerance.gap())
        slow = std::max(slow, -2.0 * normal_velocity(model, kin, contact, v));
    if (added > 0) drop_idle_rims(stepper.at(h).state.mode, state_.loop.rims);
    if (!add_sinking_rims(world_, kin, {slow, range, h}, touching_, state_.loop.rims)) return;
    find_contacts(range);
    stepper.begin(state_, touching_, state_.loop.forced);
    stepper.at(h);
  }
}

// Error control of dopri5: `length` is the step to try next, if this one stands; if it is too long,
// state_ has it. Where slides are about to jam there are no smooth forces to follow.
EventLoop::Adapted EventLoop::adapt(double h, double& length) {
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
ChosenMode EventLoop::mode_after(const EventHit& hit, double h, State& next) {
  State look = stepper_.at(std::min(stepper_.trial().tau + kLookAhead * h, h)).state;
  Touching touching;
  find_touching(world_, look, stepper_.terms(), lend(workspace_.settle.touching), touching);
  const ContactMode* before = find_mode(state_, hit.key);
  const bool pushed = before && !before->floating;
  ChosenMode after;
  solve_mode(world_, stepper_.terms(), look, touching, pushed ? &hit.key : nullptr, after,
             lend(workspace_.settle));
  next.loop.rims = look.loop.rims;
  return after;
}

// Work and losses of the trial, and whether the forces that it tells of are those that moved it.
void EventLoop::book(Stepper& stepper, State& next) {
  const StepStart& start = stepper.start();
  const Trial& trial = stepper.trial();
  // Runge–Kutta steps find the damping forces where they end without impulses.
  const bool impulses = world_.velocity_level() && !stepper.method().symplectic &&
                        !are_equal(trial.v_free, trial.v_plus);
  require_damping(*world_.scenario, start.terms, start.state.v, trial.raw.v,
                  impulses ? &trial.v_free : nullptr, trial.work.damping, world_.tolerance.speed());
  require_explained(world_, start, trial, next);
  book_step(world_.model(), start, trial, next);
  count(trial.stats, report_.statistics);
  RunStatistics& statistics = report_.statistics;
  // Less than both changes nothing of what is told.
  const double left = stepper.newton_residual(std::min(statistics.worst_newton, kNewton));
  statistics.worst_newton = std::max(statistics.worst_newton, left);
  if (!(left <= kNewton)) ++statistics.unbalanced;
  if (!report_.observer.accepted) return;
  const auto outside_time = clock_.during(StepPart::outside);
  report_.observer.accepted(stepper);
}

// No event explains an overlap: nothing is accepted, and a fallback step comes next.
void EventLoop::refuse() { spend_instant(state_.t, state_.loop.budget); }

// The end of the trial step becomes the state.
// @param gap  m, the smallest there
// @return the mode after a force that has reached its bound there
ChosenMode EventLoop::accept(double h, const std::optional<EventHit>& hit, double gap,
                             State& next) {
  const double tau = stepper_.trial().tau;
  const bool released =
      hit && (hit->kind == EventHit::Kind::release || hit->kind == EventHit::Kind::slip);
  ChosenMode after;
  if (released && !world_.rubs()) {
    after = mode_after(*hit, h, next);
    stepper_.at(tau);
  }
  book(stepper_, next);
  if (world_.velocity_level()) append_lift_offs(state_.mode, next, report_.rows);
  append_landings(world_, touching_, stepper_.start().terms.kinematics(), state_.v, next,
                  report_.rows);
  swap(state_, next);
  state_.loop.asleep = !hit && falls_asleep(world_, next, state_);
  if (!hit) find_resting(world_, next, state_, lend(workspace_.resting));
  state_.loop.forced.clear();
  if (!released) drop_idle_rims(state_.mode, state_.loop.rims);
  if (tau > shortest_step(*world_.scenario)) state_.loop.released = false;
  ++report_.statistics.steps;
  report_step(tau, static_cast<int>(touching_.size()), stepper_.trial().stats, gap);
  return after;
}

// Smallest gap at the poses of the evaluator, by fresh distance queries, m; +∞ above a millimetre.
double EventLoop::measure_gap(const Evaluator& evaluator) {
  const auto collision_time = clock_.during(StepPart::collision);
  return world_.collision.smallest_gap(evaluator, kMeasuredGap * world_.tolerance.length);
}

}  // namespace pequod
