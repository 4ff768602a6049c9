#include "simulation/trial/stepper.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "events/root.h"
#include "simulation/held/tolerances.h"
#include "simulation/held/viscous.h"
#include "simulation/slide_mode.h"
#include "simulation/trial/aim_slips.h"
#include "simulation/trial/close.h"
#include "simulation/trial/impulses.h"
#include "simulation/trial/smooth.h"
#include "simulation/trial/tolerances.h"

namespace pequod {

Stepper::Stepper(const World& world, StepMethod method)
    : world_(&world),
      method_(std::move(method)),
      start_(world.model(), world.team()),
      trial_(world.model(), world.team()),
      focus_set_(world.model()),
      workspace_(world.model(), method_, world.team()) {}

StepTask Stepper::task(std::span<const char> wanted) {
  return {*world_, method_, start_, rates_, wanted, lend(workspace_)};
}

void Stepper::begin(const State& state, const Touching& touching,
                    std::span<const ContactKey> forced) {
  const auto contact_time = world_->clock->during(StepPart::contact);
  // The end of the last step is the start of this one: its dynamics are at hand.
  const bool stands =
      start_step(*world_, method_, state, touching, forced, trial_.terms, trial_.held, start_);
  if (method_.velocity_level()) find_turns(*world_, stands, start_, workspace_.turns);
  rates_.clear();
  groups_.known = whole_taken_ = false;
  focus_.all = true;
  trial_.tau = kNaN;
  // (Trials of impulses hold nothing before they have found what.)
  if (!method_.velocity_level()) trial_.held.hold(start_.held);
}

void Stepper::join(const std::vector<ShapePair>& pairs) {
  start_.joined = pairs;
  trial_.tau = kNaN;
}

const Trial& Stepper::take(double tau, const HeldSet& held, const Focus& focus) {
  ++trials_;
  trial_.tau = kNaN;  // until it is there
  trial_.stats = {};
  trial_.work = {};
  trial_.trouble = {};
  trial_.projected = {};
  trial_.lands = false;
  std::span<const char> contacts, islands;
  if (!focus.all) {
    contacts = focus.contacts;
    islands = focus.groups;
  }
  if (method_.velocity_level())
    take_impulse_step(task(contacts), tau, islands, trial_);
  else
    take_smooth_step(task(contacts), held, tau, trial_);
  trial_.tau = tau;
  return trial_;
}

const Trial& Stepper::at(double tau) {
  if (tau == trial_.tau && focus_.all) return trial_;
  if (!std::exchange(focus_.all, true) && !method_.velocity_level()) trial_.held.hold(start_.held);
  whole_taken_ = true;
  return take(tau, start_.held, focus_);
}

const Trial& Stepper::at(double tau, std::span<const ContactKey> keys) {
  if (tau == trial_.tau && focus_.all) return trial_;
  // Directions of slip at the start are told for all held contacts.
  if (method_.rubs() || !whole_taken_) return at(tau);
  focus_on(world_->model(), method_, start_, keys, groups_, asked_);
  if (asked_.all) return at(tau);
  const auto among = [](char asked, char wanted) { return !asked || wanted; };
  if (tau == trial_.tau &&
      std::equal(asked_.groups.begin(), asked_.groups.end(), focus_.groups.begin(), among))
    return trial_;
  const bool same = !focus_.all && focus_.groups == asked_.groups;
  std::swap(focus_, asked_);
  if (!method_.velocity_level() && !same) {
    hold_mode(method_, start_, focus_.contacts, focus_set_);
    trial_.held.hold(focus_set_);
  }
  return take(tau, focus_set_, focus_);
}

const Trial& Stepper::raise(const Touching& found) {
  raise_sunk_contacts(task(), found, trial_);
  return trial_;
}

double Stepper::slip_limit(double h, Creep creep) {
  rates_.clear_aims();
  find_slip_limit(task(), h, creep, trial_, slip_limit_);
  return slip_limit_.span;
}

bool Stepper::is_past_bound(double beyond, double missed) const {
  if (trial_.trouble.infeasibility > missed) return true;
  return std::ranges::any_of(trial_.held.set().touching.contacts, [&](const Contact& contact) {
    return trial_.friction_margin(contact.key) <
           -beyond * force_scale(world_->model(), contact.key);
  });
}

// Whether a force that reaches its bound in the trial step h is there from its start, by the lead
// of directions: the event would be told before its time, at the start, where the mode still
// stands.
bool Stepper::starts_past_bound(double h) {
  if (!is_past_bound(kForceTolerance, kInfeasible)) return false;
  at(0.0);
  const bool starts = is_past_bound(kAtBound * kForceTolerance, kAtBound * kInfeasible);
  at(h);
  return starts;
}

double Stepper::creep_span(double h) {
  if (!slip_limit_.leads) return h;
  const auto take_anew = [&] {
    trial_.tau = kNaN;
    at(h);
  };
  for (;; h *= 0.5) {
    lead_slips(task(), h);
    take_anew();
    if (trial_.trouble.aimless > kAimless) break;
    if (turn_of_aims(task(), trial_) <= kCreepTurn) {
      // Not of friction bounded row by row: a contact that lifts off within such a step then told
      // its force late, by 1.5e-8 of a light link's.
      if (!method_.symplectic && world_->contact.friction != StageFriction::per_row) {
        lay_aims_back(task(), trial_);
        take_anew();
      }
      if (trial_.trouble.aimless > kAimless || starts_past_bound(h)) break;
      return h;
    }
    if (h <= kShortestSlide) return h;
  }
  // Forces that a turn changes much, near a jam: their directions are followed.
  h = slip_limit(h, Creep::followed);
  take_anew();
  return h;
}

double Stepper::running_limit() { return pequod::running_limit(task(), trial_); }

bool Stepper::projects_much(double h) const {
  const double shortest = kShortestPart * world_->scenario->integrator.step;
  return !trial_.lands && trial_.projected.share > kMostProjected && h > shortest;
}

double Stepper::landing_span(double h) {
  const double turn_time = kLanding * start_.impulses.turn_time;
  if (turn_time >= kShortestPart * world_->scenario->integrator.step) h = std::min(h, turn_time);
  for (at(h);; at(h)) {
    const double limit = landing_limit(task(), trial_.v_plus);
    if (h > limit && h > kShortestTurn)
      h = std::max(kLanding * limit, kShortestTurn);
    else if (projects_much(h))
      h *= 0.5;
    else
      return h;
  }
}

double Stepper::turning_span(double h) {
  at(h);
  h = std::min(h, std::max(rates_.turn_span, kShortestTurn));
  for (at(h); projects_much(h); at(h)) h *= 0.5;
  return h;
}

bool Stepper::is_balanced() const {
  if (trial_.held.set().touching.size() == 0) return true;
  const Model& model = world_->model();
  const Kinematics& kin = start_.terms.kinematics();
  const double kinetic = kinetic_energy(model, kin, start_.state.v);
  const double before = kinetic + potential_energy(model, kin);
  const double slow = kSlowIsland * world_->tolerance.pace;
  const double most = kMostUnexplained * (kinetic + total_mass(model) * slow * slow);
  const StepWork& work = trial_.work;
  const double unexplained = total_energy(model, trial_.raw.kin, trial_.raw.v) - before -
                             work.actuator - work.external + work.damping + work.friction;
  return std::abs(unexplained) <= most;
}

double Stepper::balanced_span(double h) {
  const double shortest = kShortestPart * world_->scenario->integrator.step;
  for (at(h); h > shortest && !is_balanced();) at(h *= 0.5);
  return h;
}

double Stepper::growth_span(double h) {
  at(h);
  while (trial_.trouble.grown && h > kShortestSlide) at(h *= 0.5);
  return trial_.trouble.grown ? 0.0 : h;
}

double Stepper::direction_span(double h) {
  if (!trial_.held.set().slides()) return h;
  const double at_h = direction_margin(*world_, trial_);
  const double let_go = kRelease * world_->tolerance.pace;  // m/s
  if (at_h > -let_go) return h;
  const auto margin = [&](double tau) { return direction_margin(*world_, at(tau)); };
  const double tau = find_root(std::cref(margin), 0.0, let_go, h, at_h,
                               {.noise = 0.5 * (let_go - world_->tolerance.slip_held())});
  at(tau);
  return tau;
}

double Stepper::slip_along(std::size_t i) const {
  const Contact& contact = trial_.held.set().touching.contacts[i];
  return slip_limit_.directions[i].dot(
      slip_velocity(world_->model(), trial_.terms.kinematics(), contact));
}

bool Stepper::jams() const {
  const HeldSet& set = trial_.held.set();
  return set.slides() && sliding_load(set, trial_.friction.normal) > kJam * world_->weight;
}

bool Stepper::runs_away() {
  return pequod::runs_away(trial_.held, trial_.motion.held, workspace_.held);
}

bool Stepper::find_weightless(State& state) {
  std::vector<char> weightless;
  if (!pequod::find_weightless(trial_.terms, trial_.held, trial_.motion.held, weightless,
                               workspace_.held))
    return false;
  const std::vector<Contact>& held = trial_.held.set().touching.contacts;
  for (std::size_t i = 0; i < held.size(); ++i)
    for (ContactMode& mode : state.mode)
      if (mode.key == held[i].key) mode.slide.weightless = weightless[i] != 0;
  return true;
}

double Stepper::newton_residual(double least) {
  return pequod::newton_residual(method_, start_, trial_, workspace_.balance, least);
}

double Stepper::viscous_rate() {
  if (!method_.contact.viscous || trial_.held.set().empty()) return 0.0;
  trial_.held.factor(trial_.terms, HeldTangents::present, &rates_.repeated);
  return pequod::viscous_rate(trial_.held, workspace_.held);
}

}  // namespace pequod
