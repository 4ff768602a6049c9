#include "simulation/friction_modes.h"

#include <algorithm>
#include <cmath>

#include "simulation/rims.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

constexpr double kForce = 1e-9;      // of the weight: a force this far outside its cone is in it
constexpr double kClear = 1e-6;      // of the weight: a force this far inside is no tie
constexpr double kExistence = 1e-8;  // relative residual above which no force exists
constexpr double kShort = 0.1;       // of the longest step that slip allows, for a look-ahead
constexpr int kCuts = 4;             // of a look-ahead past the end of a slip …
constexpr double kCut = 0.1;         // … each to this share
constexpr double kBegun = 1e-12;     // m/s: a slip that is more than rounding
constexpr double kAlmost = 10.0;     // times kSlipRest: slip that may end with that of others
constexpr double kNoise = 1e-15;     // m/s: rounding of a velocity at rest

bool friction_of(StageFriction law, const Contact& contact) {
  if (is_joint_limit(contact.key)) return false;
  return law == StageFriction::no_slip || contact.surface.friction > 0.0;
}

// Whether a slip that had begun at the start of the stepper's step has ended within it: an event to
// come, no flaw of the mode.
bool ends_slip(const Model& model, const Touching& at_start, const Kinematics& kin,
               const Stepper& stepper) {
  const HeldSet& held = stepper.held();
  for (std::size_t i = 0; i < held.touching.size(); ++i) {
    if (held.laws[i].slide.kind != SlideKind::starting) continue;
    const Vector3d& d = held.laws[i].slide.direction_W;
    const Contact& end = held.touching.contacts[i];
    const auto start = std::find_if(at_start.contacts.begin(), at_start.contacts.end(),
                                    [&](const Contact& contact) { return contact.key == end.key; });
    if (d.dot(slip_velocity(model, kin, *start)) > kBegun &&
        d.dot(slip_velocity(model, stepper.end().kinematics(), end)) < 0.0)
      return true;
  }
  return false;
}

}  // namespace

FrictionModes::FrictionModes(const Scenario& scenario, const ContactModel& model, Stepper& stepper,
                             StepClock& clock, const ProblemWatch& watch)
    : scenario_(&scenario),
      model_(&model),
      stepper_(&stepper),
      clock_(&clock),
      watch_(watch),
      weight_(force_scale(scenario.model)),
      here_(scenario.model) {}

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
      const bool starting = old && old->slide.kind == SlideKind::starting &&
                            old->slide.direction_W.dot(slip) > kBegun;
      rests = speed <= kSlipRest && !starting;
      mode.sticking = rests;
      if (!rests) {
        mode.slide.kind = starting && speed <= kSlipHeld ? SlideKind::starting : SlideKind::moving;
        if (mode.slide.kind == SlideKind::starting) mode.slide.direction_W = slip / speed;
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
  rest_with_others(state, touching);
  closed_modes_ = modes_;
  closed_joints_ = joints_;
  ambiguous_ = false;
  rims_ = state.loop.rims;
  bool found = try_mode(state, touching, look);
  if (!found && slide_from_rest(touching, look)) found = try_mode(state, touching, look);
  solves_by_rows_ = model_->friction == StageFriction::per_row;
  found = found || try_accelerations(state, touching, look);
  if (!found && solves_by_rows_) {
    // Friction bounded along each tangent may start a slip that dynamic friction does not go on
    // with; Coulomb's law knows a start that it does.
    solves_by_rows_ = false;
    ++stats_.switches;
    found = try_accelerations(state, touching, look);
  }
  if (found) adopt(state, events);
  return found;
}

// Slip that ends where that of others is taken to zero, as at the corners of one face, rests too.
void FrictionModes::rest_with_others(const State& state, const Touching& touching) {
  const auto almost = [&](const ContactMode& mode) {
    return mode.slide.kind == SlideKind::moving &&
           slip_velocity(scenario_->model, here_.kinematics(),
                         candidates_.contacts[static_cast<std::size_t>(&mode - modes_.data())])
                   .norm() <= kAlmost * kSlipRest;
  };
  const auto rests = [](const ContactMode& mode) { return mode.sticking; };
  if (std::none_of(modes_.begin(), modes_.end(), rests) ||
      std::none_of(modes_.begin(), modes_.end(), almost))
    return;
  place_mode(state, touching);
  here_.at(probe_.q, probe_.v);
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    ContactMode& mode = modes_[i];
    if (mode.slide.kind != SlideKind::moving ||
        slip_velocity(scenario_->model, here_.kinematics(), candidates_.contacts[i]).norm() >
            kSlipRest)
      continue;
    mode.slide = {};
    mode.sticking = true;
    at_rest_[i] = 1;
  }
}

// trial_ with modes_ and joints_, and probe_ the same with what rests at rest.
void FrictionModes::place_mode(const State& state, const Touching& touching) {
  trial_ = state;
  trial_.mode = modes_;
  sort_modes(trial_);
  trial_.joints = joints_;
  for (const JointMode& joint : joints_)
    if (joint.slide == 0) trial_.v[joint.coordinate] = 0.0;
  stepper_->begin(trial_, touching);
  probe_ = stepper_->at(0.0);
}

// Candidates 3 and 4.
bool FrictionModes::try_accelerations(const State& state, const Touching& touching, double look) {
  close_all();
  if (!solve_accelerations(state)) return false;
  if (try_mode(state, touching, look)) return true;
  move_ahead(state, look, ahead_);
  close_all();
  return solve_accelerations(ahead_) && try_mode(state, touching, look);
}

// Back to candidate 1.
void FrictionModes::close_all() {
  modes_ = closed_modes_;
  joints_ = closed_joints_;
}

bool FrictionModes::holds(const State& state, const Touching& touching, double look) {
  const auto touches = [&](const ContactMode& mode) {
    return std::any_of(touching.contacts.begin(), touching.contacts.end(),
                       [&](const Contact& contact) { return contact.key == mode.key; });
  };
  if (!std::all_of(state.mode.begin(), state.mode.end(), touches)) return false;
  classify(state, touching);
  trial_ = state;
  stepper_->begin(trial_, touching);
  probe_ = stepper_->at(look);
  return stands(look);
}

// trial_ with modes_ and joints_, projected; whether it stands a look-ahead later.
bool FrictionModes::try_mode(const State& state, const Touching& touching, double look) {
  place_mode(state, touching);
  if (!forces_stand(kForce) && stepper_->find_weightless(trial_)) {
    stepper_->begin(trial_, touching);
    probe_ = stepper_->at(0.0);
  }
  if (stepper_->runs_away()) {
    ambiguous_ = ambiguous_ || forces_stand(kForce);
    return false;
  }
  const bool clear = forces_stand(-kClear);
  stepper_->commit(probe_);
  std::swap(trial_, probe_);
  stepper_->begin(trial_, touching);
  look = std::min(look, kShort * stepper_->slide_limit());
  here_.at(trial_.q, trial_.v);
  for (int cut = 0;; ++cut) {
    probe_ = stepper_->at(look);
    if (!stepper_->grown() && stands(look)) return true;
    const bool ends = clear || stepper_->grown() ||
                      ends_slip(scenario_->model, candidates_, here_.kinematics(), *stepper_);
    if (!clear && !forces_stand(kForce) && stepper_->find_weightless(trial_)) {
      stepper_->begin(trial_, touching);
      probe_ = stepper_->at(look);
      if (stands(look)) return true;
    }
    if (cut == kCuts || !ends) return false;
    look *= kCut;
  }
}

// Whether the end of the stepper's step has forces in the cones of what is held, or outside by no
// more than a share of the weight.
bool FrictionModes::forces_stand(double beyond) const {
  if (stepper_->infeasibility() > kExistence || stepper_->jams()) return false;
  for (const Contact& contact : stepper_->held().touching.contacts)
    if (stepper_->friction_margin(contact.key) < -beyond * weight_) return false;
  return true;
}

// The same for the mode of trial_ after a step to probe_: nor does what is open close, and what
// started to slide moves against its friction.
bool FrictionModes::stands(double look) {
  if (!forces_stand(kForce)) return false;
  const Model& model = scenario_->model;
  const Kinematics& kin = stepper_->end().kinematics();
  const double still = kSlowChange * look + kNoise;
  const HeldSet& held = stepper_->held();
  for (std::size_t i = 0; i < held.touching.size(); ++i)
    if (held.laws[i].slide.kind == SlideKind::starting &&
        held.laws[i].slide.direction_W.dot(slip_velocity(model, kin, held.touching.contacts[i])) <
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
  return joints_stand(still) && !tips_over(still);
}

// Whether a disc that lies flat, its fixed points held or not, sinks between them; notes where.
bool FrictionModes::tips_over(double still) {
  if (!has_discs(scenario_->model, candidates_)) return false;
  tipped_ = trial_.loop.rims;
  const std::size_t known = tipped_.size();
  if (!add_tipped_rims(scenario_->model, here_.kinematics(), stepper_->end().kinematics(), still,
                       candidates_, tipped_))
    return false;
  for (std::size_t i = known; i < tipped_.size(); ++i)
    if (std::find(rims_.begin(), rims_.end(), tipped_[i]) == rims_.end())
      rims_.push_back(tipped_[i]);
  return true;
}

bool FrictionModes::joints_stand(double still) const {
  return std::all_of(probe_.joints.begin(), probe_.joints.end(), [&](const JointMode& joint) {
    if (joint.slide != 0) return joint.slide * probe_.v[joint.coordinate] >= -still;
    return std::abs(joint.force) <=
           (1.0 + kBreakaway) * joint_friction(scenario_->model, joint.coordinate);
  });
}

// Rows for the sliding contacts that trial_ leaves open, though a force could keep them closed.
void FrictionModes::report_ambiguous(double t, std::vector<EventRow>& events) const {
  for (const ContactMode& mode : closed_modes_) {
    if (mode.slide.kind == SlideKind::none || find_mode(trial_, mode.key)) continue;
    events.push_back(lift_off_row(t, mode));
    events.back().kind = EventKind::painleve;
  }
}

// trial_ becomes the state, with events for what changed.
void FrictionModes::adopt(State& state, std::vector<EventRow>& events) {
  append_lift_offs(state, trial_, events);
  if (ambiguous_) report_ambiguous(state.t, events);
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
