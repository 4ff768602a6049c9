// The part of the event search that looks at the friction of joints.
#include <cmath>
#include <functional>

#include "events/root.h"
#include "simulation/event/first_event.h"
#include "simulation/joint_friction.h"

namespace pequod {
namespace {

// Positive while the held mode is right: s q̇ of a joint that slides, 1 − |λ|/τ_c of one that
// sticks.
double joint_margin(const Model& model, const JointMode& joint, const State& state) {
  if (joint.slide != 0) return joint.slide * state.v[joint.coordinate];
  const double bound = joint_friction(model, joint.coordinate);
  return 1.0 - std::abs(find_joint(state.joints, joint.coordinate).force) / bound;
}

}  // namespace

std::optional<EventHit> first_joint_event(const Model& model, const TriedStep& step,
                                          std::optional<EventHit> known) {
  std::optional<EventHit> hit = known;
  for (const JointMode& joint : step.end.joints) {
    const double tolerance = joint.slide != 0 ? kJointRest : kBreakaway;
    if (joint_margin(model, joint, step.end) >= -tolerance) continue;
    const auto margin = [&](double tau) {
      return joint_margin(model, joint, step.stepper.at(tau).state);
    };
    const double limit = hit ? hit->tau : step.h;
    const double at_limit = hit ? margin(limit) : joint_margin(model, joint, step.end);
    if (at_limit >= -tolerance) continue;
    const double tau =
        find_root(std::cref(margin), 0.0, joint_margin(model, joint, step.start), limit, at_limit);
    hit = EventHit{
        joint.slide != 0 ? EventHit::Kind::stop : EventHit::Kind::slip, tau, {}, joint.coordinate};
  }
  return hit;
}

}  // namespace pequod
