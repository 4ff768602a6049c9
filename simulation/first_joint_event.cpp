// The part of the event search that looks at the friction of joints.
#include <cmath>
#include <functional>

#include "events/root.h"
#include "simulation/first_event.h"

namespace pequod {
// Positive while the held mode is right: s q̇ of a joint that slides, 1 − |λ|/τ_c of one that
// sticks.
double EventFinder::joint_margin(const JointMode& joint, const State& state) const {
  if (joint.slide != 0) return joint.slide * state.v[joint.coordinate];
  const double bound = joint_friction(scenario_->model, joint.coordinate);
  return 1.0 - std::abs(find_joint(state.joints, joint.coordinate).force) / bound;
}

void EventFinder::first_joint(Stepper& stepper, const State& start, double h, const State& end,
                              std::optional<EventHit>& hit) {
  for (const JointMode& joint : end.joints) {
    const double tolerance = joint.slide != 0 ? kJointRest : kBreakaway;
    if (joint_margin(joint, end) >= -tolerance) continue;
    const auto margin = [&](double tau) { return joint_margin(joint, stepper.at(tau)); };
    const double limit = hit ? hit->tau : h;
    const double at_limit = hit ? margin(limit) : joint_margin(joint, end);
    if (at_limit >= -tolerance) continue;
    const double tau =
        find_root(std::cref(margin), 0.0, joint_margin(joint, start), limit, at_limit);
    hit = EventHit{
        joint.slide != 0 ? EventHit::Kind::stop : EventHit::Kind::slip, tau, {}, joint.coordinate};
  }
}

}  // namespace pequod
