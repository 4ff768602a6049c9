// The part of the event search that looks at the slip of contacts with Coulomb friction.
#include <functional>

#include "events/root.h"
#include "simulation/event/first_event.h"
#include "simulation/slide_mode.h"

namespace pequod {

// The slip along its direction at the start reaches zero: the contact sticks, or slides back.
std::optional<EventHit> first_halt(const SceneTolerances& tolerance, const TriedStep& step,
                                   std::optional<EventHit> known) {
  Stepper& stepper = step.stepper;
  std::optional<EventHit> hit = known;
  for (std::size_t i = 0; i < stepper.trial().held.set().touching.size(); ++i) {
    if (stepper.trial().held.set().laws[i].slide.kind == SlideMode::Kind::none) continue;
    const auto slip = [&](double tau) {
      stepper.at(tau);
      return stepper.slip_along(i);
    };
    const double limit = hit ? hit->tau : step.h;
    const double at_limit = slip(limit);
    // What starts may have slipped back a little where it starts: it does not halt by that.
    if (at_limit >= -kNoSlip || at_limit >= slip(0.0)) continue;
    const double tau = find_root(std::cref(slip), 0.0, tolerance.slip_held(), limit, at_limit);
    hit = EventHit{EventHit::Kind::halt, tau, stepper.trial().held.set().touching.contacts[i].key};
  }
  return hit;
}

}  // namespace pequod
