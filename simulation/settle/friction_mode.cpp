#include "simulation/settle/friction_mode.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "simulation/settle/impacts.h"
#include "simulation/settle/workspace.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

// What happened to a contact that was closed and is held; none if nothing did.
std::optional<EventKind> change_of(const ContactMode& old, const ContactMode& now) {
  const bool slid = old.slide.kind != SlideKind::none;
  const bool slides = now.slide.kind != SlideKind::none;
  if (slides && !slid && old.sticking) return EventKind::slip;
  if (slides && slid) {
    // Friction was along the new slip, so the old slip was against it.
    const bool reverses = now.slide.kind == SlideKind::starting &&
                          old.slide.kind != SlideKind::starting &&
                          old.force_W.dot(now.slide.direction_W) > 0.0;
    if (reverses) return EventKind::reverse;
    return std::nullopt;
  }
  if (slid && now.sticking) return EventKind::stick;
  return std::nullopt;
}

void append_row(double t, const ContactMode& mode, EventKind kind, std::vector<EventRow>& events) {
  events.push_back(lift_off_row(t, mode));
  events.back().kind = kind;
}

// Rows for what a mode changes.
// @param closed     the mode in which every contact is held
// @param ambiguous  whether a force could keep closed what slides and opens
void report_mode(const State& before, const State& after, const ModeCandidate& closed,
                 bool ambiguous, std::vector<EventRow>& events) {
  append_lift_offs(before.mode, after, events);
  for (const ContactMode& mode : closed.contacts)
    if (ambiguous && mode.slide.kind != SlideKind::none && !find_mode(after, mode.key))
      append_row(before.t, mode, EventKind::painleve, events);
  for (const ContactMode& now : after.mode) {
    const ContactMode* old = find_mode(before, now.key);
    if (!old || !old->closed) continue;
    if (const std::optional<EventKind> kind = change_of(*old, now))
      append_row(before.t, now, *kind, events);
  }
}

// Tries a mode; the choice notes what it fails for.
ModeTrial take(const FrictionQuestion& question, const ModeCandidate& mode, Balance balance,
               FrictionChoice& choice, FrictionModeWorkspace& workspace) {
  ModeTrial trial = try_mode(question, workspace.holdable, mode, balance, workspace.trial);
  if (trial.ambiguous) choice.balanced.push_back(mode);
  for (const ContactKey& rim : trial.rims)
    if (std::ranges::find(choice.rims, rim) == choice.rims.end()) choice.rims.push_back(rim);
  return trial;
}

// Modes 3 and 4.
ModeTrial take_accelerated(const FrictionQuestion& question, bool per_row, FrictionChoice& choice,
                           FrictionModeWorkspace& workspace) {
  const auto accelerated = [&](const State& state) {
    AcceleratedMode mode = accelerated_mode(question.world, state, workspace.holdable, per_row,
                                            workspace.trial, workspace.solve);
    choice.stats += mode.stats;
    return mode;
  };
  const AcceleratedMode now = accelerated(question.state);
  if (!now.solved) return {};
  ModeTrial trial = take(question, now.mode, Balance::stable, choice, workspace);
  if (trial.stands) return trial;
  const AcceleratedMode later =
      accelerated(move_ahead(question.world.model(), question.state, now.vdot, question.look));
  if (!later.solved) return {};
  return take(question, later.mode, Balance::stable, choice, workspace);
}

// Whether the accelerations tell what slides at infinite friction: mode 2 is for forces that are
// not unique, which leave the shares of contacts open.
bool accelerations_tell(const FrictionQuestion& question) {
  return question.world.contact.friction == StageFriction::no_slip &&
         question.stepper.trial().held.unique();
}

// Modes 1 to 7.
ModeTrial take_stable(const FrictionQuestion& question, FrictionChoice& choice,
                      FrictionModeWorkspace& workspace) {
  const Holdable& holdable = workspace.holdable;
  ModeTrial closed = take(question, holdable.closed, Balance::stable, choice, workspace);
  if (closed.stands) return closed;
  const auto sliding = accelerations_tell(question)
                           ? std::nullopt
                           : slide_from_rest(question, holdable, closed.state);
  ModeTrial trial;
  if (sliding) {
    trial = take(question, *sliding, Balance::stable, choice, workspace);
    if (trial.stands) return trial;
  }
  const bool per_row = question.world.contact.friction == StageFriction::per_row;
  trial = take_accelerated(question, per_row, choice, workspace);
  if (trial.stands) return trial;
  if (const auto slid = slide_joints(question.world.model(), holdable, closed.state)) {
    trial = take(question, *slid, Balance::stable, choice, workspace);
    if (trial.stands) return trial;
  }
  if (const auto slid = slide_on(question, holdable, closed.state, workspace.trial)) {
    trial = take(question, *slid, Balance::stable, choice, workspace);
    if (trial.stands) return trial;
  }
  for (auto opened = open_what_pulls(question, holdable.closed); opened;
       opened = open_what_pulls(question, *std::move(opened))) {
    trial = take(question, *opened, Balance::stable, choice, workspace);
    if (trial.stands) return trial;
  }
  if (!per_row) return trial;
  // Friction bounded along each tangent may start a slip that dynamic friction does not go on with;
  // Coulomb's law knows a start that it does.
  ++choice.stats.switches;
  return take_accelerated(question, false, choice, workspace);
}

// Of the modes in their order the first that stands, or else one that does not.
ModeTrial take_all(const FrictionQuestion& question, FrictionChoice& choice,
                   FrictionModeWorkspace& workspace) {
  ModeTrial trial = take_stable(question, choice, workspace);
  for (const ModeCandidate& mode : choice.balanced) {
    if (trial.stands) break;
    trial = take(question, mode, Balance::any, choice, workspace);
  }
  return trial;
}

// Whether what a mode holds was moved onto zero so far that others sink, as near a dead point,
// where gaps of 1e-9 m are closed by motions of a thousand times that.
bool sinks_others(const FrictionQuestion& question, const State& placed, Evaluator& here) {
  const SceneTolerances& tolerance = question.world.tolerance;
  const VectorXd& q = question.state.q;
  if ((placed.q - q).lpNorm<Eigen::Infinity>() <= tolerance.gap()) return false;
  here.at(placed.q, placed.v);
  return question.world.collision.smallest_gap(here, tolerance.gap()) < -tolerance.gap();
}

// The mode of the contacts, with the rim points that discs need which tip.
FrictionOutcome choose_with_rims(const World& world, Stepper& stepper, State& state,
                                 Touching& touching, double look, std::vector<EventRow>& events,
                                 SettleWorkspace& workspace) {
  FrictionOutcome outcome;
  for (;;) {
    const FrictionChoice choice =
        choose_friction_mode(world, stepper, state, touching, look, events, workspace.friction);
    outcome.modes += choice.stats;
    outcome.found = choice.found;
    if (choice.found) return outcome;
    const bool more = choice.rims.size() > state.loop.rims.size();
    state.loop.rims = choice.rims;
    if (!more) return outcome;
    find_touching(world, state, stepper.terms(), workspace.touching, touching);
  }
}

}  // namespace

FrictionChoice choose_friction_mode(const World& world, Stepper& stepper, State& state,
                                    const Touching& touching, double look,
                                    std::vector<EventRow>& events,
                                    FrictionModeWorkspace& workspace) {
  const FrictionQuestion question{world, stepper, state, touching, look};
  find_holdable(question, workspace.holdable, workspace.trial);
  rest_with_others(question, workspace.holdable, workspace.trial);
  FrictionChoice choice;
  choice.rims = state.loop.rims;
  ModeTrial trial = take_all(question, choice, workspace);
  choice.found = trial.stands;
  if (!choice.found) return choice;
  report_mode(state, trial.state, workspace.holdable.closed, !choice.balanced.empty(), events);
  if (sinks_others(question, trial.state, workspace.trial.here)) trial.state.q = state.q;
  state = std::move(trial.state);
  return choice;
}

bool friction_mode_holds(const World& world, Stepper& stepper, const State& state,
                         const Touching& touching, double look, FrictionModeWorkspace& workspace) {
  const bool touch = std::ranges::all_of(
      state.mode, [&](const ContactMode& mode) { return touching.has(mode.key); });
  return touch &&
         mode_stands({world, stepper, state, touching, look}, workspace.holdable, workspace.trial);
}

FrictionOutcome settle_friction(const World& world, Stepper& stepper, State& state,
                                Touching& touching, double look, std::vector<EventRow>& events,
                                SettleWorkspace& workspace) {
  FrictionOutcome outcome =
      choose_with_rims(world, stepper, state, touching, look, events, workspace);
  if (outcome.found) return outcome;
  const StepStats before = outcome.modes;
  outcome = strike_friction(world, stepper, state, touching, look, events, workspace);
  outcome.modes += before;
  return outcome;
}

FrictionOutcome strike_friction(const World& world, Stepper& stepper, State& state,
                                Touching& touching, double look, std::vector<EventRow>& events,
                                SettleWorkspace& workspace) {
  Evaluator& here = stepper.terms();
  const Strike struck = strike(world, here, state, touching, events, workspace);
  if (!struck.any) return {.impulses = struck.stats};
  const Impacts impacts = resolve_impacts(world, here, state, touching, events, workspace);
  find_touching(world, state, here, workspace.touching, touching);
  FrictionOutcome outcome =
      choose_with_rims(world, stepper, state, touching, look, events, workspace);
  outcome.impulses += struck.stats;
  outcome.impulses += impacts.stats;
  return outcome;
}

}  // namespace pequod
