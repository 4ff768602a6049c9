#include "simulation/settle/friction_trial.h"

#include <algorithm>
#include <cmath>

#include "simulation/contact_motion.h"
#include "simulation/joint_friction.h"
#include "simulation/rims.h"
#include "simulation/settle/mode.h"
#include "simulation/settle/tolerances.h"
#include "simulation/slide_mode.h"
#include "simulation/trial/book_step.h"

namespace pequod {
namespace {

using SlideKind = SlideMode::Kind;

bool friction_of(StageFriction law, const Contact& contact) {
  if (is_joint_limit(contact.key)) return false;
  return law == StageFriction::no_slip || contact.surface.sticking() > 0.0;
}

// The mode of a contact that is held: without slip it sticks.
// @param old  the mode that it had, nullptr if none
ContactMode mode_by_slip(const World& world, const Kinematics& kin, const Contact& contact,
                         const ContactMode* old) {
  ContactMode mode = closed_mode(contact);
  if (!friction_of(world.contact.friction, contact)) return mode;
  const Vector3d slip = slip_velocity(world.model(), kin, contact);
  const double speed = slip.norm();
  const bool starting = old && old->slide.kind == SlideKind::starting &&
                        old->slide.direction_W.dot(slip) > kSlipBegun;
  mode.sticking = speed <= world.tolerance.slip_rest() && !starting;
  if (mode.sticking) return mode;
  mode.slide.kind =
      starting && speed <= world.tolerance.slip_held() ? SlideKind::starting : SlideKind::moving;
  if (mode.slide.kind == SlideKind::starting) mode.slide.direction_W = slip / speed;
  return mode;
}

// Whether one of the contacts that start to slide in the stepper's step has this property.
// @param property  of a contact as it is at the end, and its direction at the start
template <typename Property>
bool any_starting(const Stepper& stepper, const Property& property) {
  const HeldSet& held = stepper.trial().held.set();
  for (std::size_t i = 0; i < held.touching.size(); ++i)
    if (held.laws[i].slide.kind == SlideKind::starting &&
        property(held.touching.contacts[i], held.laws[i].slide.direction_W))
      return true;
  return false;
}

// Whether the end of the stepper's step has forces in the cones of what is held, or outside by no
// more than a share of the weight of each.
// @param missed  how far they may be from any where they are not unique, relative
bool forces_stand(const Stepper& stepper, double beyond, double missed = kInfeasible) {
  return !stepper.trial().projected.opened && !stepper.jams() &&
         !stepper.is_past_bound(beyond, missed);
}

// m/s: the slip that a contact had along d where the stepper's step starts.
double slip_before(const Model& model, const Touching& at_start, const Kinematics& start,
                   const ContactKey& key, const Vector3d& d) {
  const auto before = std::ranges::find(at_start.contacts, key, &Contact::key);
  return d.dot(slip_velocity(model, start, *before));
}

// Whether a slip that had begun at the start of the stepper's step has ended within it: an event to
// come, no flaw of the mode.
bool ends_slip(const FrictionQuestion& question, const Touching& at_start,
               const Kinematics& start) {
  const Model& model = question.world.model();
  const Kinematics& kin = question.stepper.trial().terms.kinematics();
  return any_starting(question.stepper, [&](const Contact& contact, const Vector3d& d) {
    return slip_before(model, at_start, start, contact.key, d) > kSlipBegun &&
           d.dot(slip_velocity(model, kin, contact)) < 0.0;
  });
}

// Whether what starts to slide is moved against its direction in the stepper's step. What slip
// there was before, too little to count as one, may have been the other way.
bool starts_against(const FrictionQuestion& question, const Touching& at_start,
                    const Kinematics& start, double still) {
  const Model& model = question.world.model();
  const Kinematics& kin = question.stepper.trial().terms.kinematics();
  return any_starting(question.stepper, [&](const Contact& contact, const Vector3d& d) {
    const double before = slip_before(model, at_start, start, contact.key, d);
    return d.dot(slip_velocity(model, kin, contact)) < std::min(before, 0.0) - still;
  });
}

bool joints_stand(const Model& model, const State& after, double still) {
  return std::ranges::all_of(after.joints, [&](const JointMode& joint) {
    if (joint.slide != 0) return joint.slide * after.v[joint.coordinate] >= -still;
    const double bound = (1.0 + kBreakaway) * joint_friction(model, joint.coordinate);
    return std::abs(joint.force) <= bound && std::abs(after.v[joint.coordinate]) <= still;
  });
}

// Whether an open contact closes in the stepper's step from `start` to `after`. It is followed to
// the start too: what is held has been moved onto zero there, and by that alone a contact on an
// edge nears by another speed.
bool open_ones_close(const FrictionQuestion& question, const Holdable& holdable, const State& start,
                     const State& after, double still, TrialWorkspace& workspace) {
  const Model& model = question.world.model();
  const auto is_held = [&](const Contact& contact) { return find_mode(start, contact.key); };
  if (std::ranges::all_of(holdable.touching.contacts, is_held)) return false;
  const Kinematics& before = workspace.here.kinematics();
  const Kinematics& then = question.stepper.trial().terms.kinematics();
  follow_holdable(model, before, start.q, holdable, workspace.X_WL, workspace.at_start);
  follow_holdable(model, then, after.q, holdable, workspace.X_WL, workspace.followed);
  for (std::size_t i = 0; i < holdable.touching.size(); ++i) {
    const Contact& first = workspace.at_start.contacts[i];
    if (is_held(first)) continue;
    const Contact& last = workspace.followed.contacts[i];
    const double gained = normal_velocity(model, then, last, after.v) -
                          normal_velocity(model, before, first, start.v);
    if (gained < -still) return true;
  }
  return false;
}

// Whether a disc that lies flat, its fixed points held or not, sinks between them.
// @param rims  gets the points where it does
bool tips_over(const FrictionQuestion& question, const Holdable& holdable, const State& start,
               const Kinematics& before, double still, std::vector<ContactKey>& rims) {
  const Model& model = question.world.model();
  if (!has_discs(model, holdable.touching)) return false;
  std::vector<ContactKey> tipped = start.loop.rims;
  if (!add_tipped_rims(question.world, before, question.stepper.trial().terms.kinematics(), still,
                       holdable.touching, tipped))
    return false;
  rims.insert(rims.end(), tipped.begin() + std::ssize(start.loop.rims), tipped.end());
  return true;
}

// Whether the mode of `start` stands in the stepper's step from there to `after`.
// @param look       s, length of the step
// @param rims       gets the points of discs that tip
// @param workspace  its evaluator stands at the start
bool stands(const FrictionQuestion& question, const Holdable& holdable, const State& start,
            const State& after, double look, std::vector<ContactKey>& rims,
            TrialWorkspace& workspace) {
  const World& world = question.world;
  if (!forces_stand(question.stepper, kForce)) return false;
  const double still = kAccelerationTolerance * look + kVelocityNoise;
  return !starts_against(question, holdable.touching, workspace.here.kinematics(), still) &&
         !open_ones_close(question, holdable, start, after, still, workspace) &&
         joints_stand(world.model(), after, still) &&
         !tips_over(question, holdable, start, workspace.here.kinematics(), still, rims);
}

// Whether the mode of trial.state stands a look-ahead later: a shorter one where a slip ends first.
// @param clear  whether its forces at the start are no tie
bool stands_later(const FrictionQuestion& question, const Holdable& holdable, bool clear,
                  ModeTrial& trial, TrialWorkspace& workspace) {
  Stepper& stepper = question.stepper;
  State& start = trial.state;
  double look = look_within_slips(question);
  workspace.here.at(start.q, start.v);
  for (int cut = 0;; ++cut) {
    const State& after = stepper.at(look).state;
    if (!stepper.trial().trouble.grown &&
        stands(question, holdable, start, after, look, trial.rims, workspace))
      return true;
    const bool ends = clear || stepper.trial().trouble.grown ||
                      ends_slip(question, holdable.touching, workspace.here.kinematics());
    if (!clear && !forces_stand(stepper, kForce) && stepper.find_weightless(start)) {
      stepper.begin(start, question.touching);
      if (stands(question, holdable, start, stepper.at(look).state, look, trial.rims, workspace))
        return true;
    }
    if (cut == kLookCuts || !ends) return false;
    look *= kLookCut;
  }
}

}  // namespace

double look_within_slips(const FrictionQuestion& question) {
  const double most = question.look / kShortLook;
  return std::min(question.look, kShortLook * question.stepper.slip_limit(most, Creep::followed));
}

void find_holdable(const FrictionQuestion& question, Holdable& holdable,
                   TrialWorkspace& workspace) {
  const State& state = question.state;
  workspace.here.at(state.q, state.v);
  const Kinematics& kin = workspace.here.kinematics();
  holdable.touching.clear();
  holdable.at_rest.clear();
  holdable.closed.contacts.clear();
  for (std::size_t i = 0; i < question.touching.size(); ++i) {
    const Contact& contact = question.touching.contacts[i];
    if (!rests(normal_velocity(question.world.model(), kin, contact, state.v),
               question.world.tolerance))
      continue;
    const ContactMode mode =
        mode_by_slip(question.world, kin, contact, find_mode(state, contact.key));
    holdable.touching.add(question.touching, i);
    holdable.at_rest.push_back(mode.sticking ? 1 : 0);
    holdable.closed.contacts.push_back(mode);
  }
  sort_joints(state, holdable.closed.joints, holdable.joints_at_rest);
}

void follow_holdable(const Model& model, const Kinematics& kin, const VectorXd& q,
                     const Holdable& holdable, std::vector<Pose>& X_WL, Touching& followed) {
  followed = holdable.touching;
  copy_poses(kin, X_WL);
  follow_touching(model, X_WL, q, followed);
}

State in_mode(const State& state, const ModeCandidate& mode) {
  State out = state;
  out.mode = mode.contacts;
  sort_modes(out);
  set_joint_modes(mode.joints, out);
  return out;
}

void rest_with_others(const FrictionQuestion& question, Holdable& holdable,
                      TrialWorkspace& workspace) {
  Evaluator& here = workspace.here;
  here.at(question.state.q, question.state.v);
  std::vector<ContactMode>& modes = holdable.closed.contacts;
  const auto slip = [&](std::size_t i) {
    return slip_velocity(question.world.model(), here.kinematics(), holdable.touching.contacts[i])
        .norm();
  };
  bool any_rests = false, any_almost = false;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    any_rests = any_rests || modes[i].sticking;
    any_almost = any_almost || (modes[i].slide.kind == SlideKind::moving &&
                                slip(i) <= kAlmostAtRest * question.world.tolerance.slip_rest());
  }
  if (!any_rests || !any_almost) return;
  question.stepper.begin(in_mode(question.state, holdable.closed), question.touching);
  const State& at_rest = question.stepper.at(0.0).state;
  here.at(at_rest.q, at_rest.v);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].slide.kind != SlideKind::moving || slip(i) > question.world.tolerance.slip_rest())
      continue;
    modes[i].slide = {};
    modes[i].sticking = true;
    holdable.at_rest[i] = 1;
  }
}

ModeTrial try_mode(const FrictionQuestion& question, const Holdable& holdable,
                   const ModeCandidate& mode, Balance balance, TrialWorkspace& workspace) {
  Stepper& stepper = question.stepper;
  State placed = in_mode(question.state, mode);
  stepper.begin(placed, question.touching);
  ModeTrial trial;
  trial.state = stepper.at(0.0).state;
  if (!forces_stand(stepper, kForce) && stepper.find_weightless(placed)) {
    stepper.begin(placed, question.touching);
    trial.state = stepper.at(0.0).state;
  }
  if (balance == Balance::stable && stepper.runs_away()) {
    trial.ambiguous = forces_stand(stepper, kForce);
    trial.state = placed;
    return trial;
  }
  const bool clear = forces_stand(stepper, -kClearForce, kClearMissing);
  book_step(question.world.model(), stepper.start(), stepper.trial(), trial.state);
  stepper.begin(trial.state, question.touching);
  trial.stands = stands_later(question, holdable, clear, trial, workspace);
  return trial;
}

bool mode_stands(const FrictionQuestion& question, Holdable& holdable, TrialWorkspace& workspace) {
  std::vector<ContactKey> rims;
  find_holdable(question, holdable, workspace);
  question.stepper.begin(question.state, question.touching);
  return stands(question, holdable, question.state, question.stepper.at(question.look).state,
                question.look, rims, workspace);
}

}  // namespace pequod
