// The part of the event search that looks at the slip of contacts with Coulomb friction.
#include <functional>

#include "events/root.h"
#include "simulation/first_event.h"
#include "simulation/slide_mode.h"

namespace pequod {
namespace {

constexpr double kNoSlip = 1e-15;  // m/s: rounding of a slip that starts at zero

}  // namespace

// The slip along its direction at the start reaches zero: the contact sticks, or slides back.
void EventFinder::first_halt(Stepper& stepper, double h, std::optional<EventHit>& hit) {
  for (std::size_t i = 0; i < stepper.held().touching().size(); ++i) {
    if (stepper.held().slide(i).kind == SlideMode::Kind::none) continue;
    const auto slip = [&](double tau) {
      stepper.at(tau);
      return stepper.slip_along(i);
    };
    const double limit = hit ? hit->tau : h;
    const double at_limit = slip(limit);
    if (at_limit >= -kNoSlip) continue;
    const double tau = find_root(std::cref(slip), 0.0, kSlipHeld, limit, at_limit);
    hit = EventHit{EventHit::Kind::halt, tau, stepper.held().touching().contacts[i].key};
  }
}

}  // namespace pequod
