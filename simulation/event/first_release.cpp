// The part of the event search that looks at the forces of held contacts.
#include <algorithm>
#include <functional>

#include "events/root.h"
#include "simulation/event/first_event.h"

namespace pequod {
namespace {

// What must stay positive while the mode of a held contact lasts, N.
double mode_margin(const Stepper& stepper, const ContactMode& mode) {
  if (stepper.method().rubs()) return stepper.trial().friction_margin(mode.key);
  return mode.floating ? stepper.trial().floating_margin(mode.key) : normal_force(mode);
}

// N: a force that is less than zero by no more is zero.
double release_tolerance(const World& world, const ContactKey& key) {
  return kForceTolerance * force_scale(world.model(), key);
}

// What must stay positive while a mode lasts, as a function of τ.
struct Margin {
  std::function<double(double)> at;
  double start;   // what it is at least where the mode is clear
  double noise;   // what of it is rounding
  double stands;  // below zero by so much a mode still stands where it is chosen
};

// s, where a margin ends that is at_limit, below zero, at `limit` (s). One that is rounding about
// zero where the step starts, or as long as its mode was looked ahead for (`look`, s), as that of
// one of two contacts side by side until the body has gone on, ends where the mode would not be
// chosen: at zero it would be chosen again, and end again, for ever at one instant.
double end_of_margin(const Margin& margin, double look, double limit, double at_limit) {
  const double tau =
      find_root(std::cref(margin.at), 0.0, margin.start, limit, at_limit, {.noise = margin.noise});
  if (tau >= look) return tau;
  const bool lasts = look < limit && margin.at(look) >= -margin.stands;
  if (!lasts && !(std::abs(margin.at(0.0)) <= margin.stands)) return tau;
  const std::function<double(double)> clear = [&](double later) {
    return margin.at(later) + margin.stands;
  };
  return find_root(clear, lasts ? look : 0.0, margin.stands, limit, at_limit + margin.stands,
                   {.noise = margin.noise});
}

// Where forces that are not unique cease to exist: a little before they are missed, as what is told
// of the state there is to be what acts.
std::optional<EventHit> first_infeasible(Stepper& stepper, double look, double h) {
  if (stepper.trial().trouble.infeasibility <= kInfeasible) return std::nullopt;
  const Margin margin{[&](double tau) { return kMissing - stepper.at(tau).trouble.infeasibility; },
                      kMissing, 1e-12, kInfeasible - kMissing};
  return EventHit{EventHit::Kind::release, end_of_margin(margin, look, h, margin.at(h)), {}};
}

// The held contacts past the ends of their modes where the step ends: those that push by forces
// that are the only ones of their island, that rub, or that float.
void find_crossed(const World& world, const TriedStep& step, std::vector<ContactKey>& crossed) {
  const Stepper& stepper = step.stepper;
  const HeldFactor& held = stepper.trial().held;
  for (const HeldIsland& part : held.islands())
    for (const int i : part.island.contacts) {
      const auto index = static_cast<std::size_t>(i);
      if (!stepper.method().rubs() && part.repeats() && !held.set().laws[index].floats) continue;
      const ContactKey& key = held.set().touching.contacts[index].key;
      if (mode_margin(stepper, *find_mode(step.end, key)) < -release_tolerance(world, key))
        crossed.push_back(key);
    }
}

}  // namespace

// Held contacts must push: the force of each if its island has no others, else the existence of
// any. The shares of floating contacts must stay within [0, 1].
std::optional<EventHit> first_release(const World& world, const TriedStep& step,
                                      const std::optional<EventHit>& known) {
  Stepper& stepper = step.stepper;
  if (stepper.method().velocity_level()) return known;
  std::optional<EventHit> hit = known;
  const double end = hit ? hit->tau : step.h;
  stepper.at(end);
  std::vector<ContactKey> crossed;
  find_crossed(world, step, crossed);
  if (stepper.method().rubs() || !stepper.trial().held.unique())
    if (const auto missed = first_infeasible(stepper, step.look, end)) hit = missed;
  // What seems to reach zero first is sought first; most others are then known to be later by one
  // look at all of them there.
  const auto expected = [&](const ContactKey& key) {
    const ContactMode* before = find_mode(step.start, key);
    const double from = before ? std::max(0.0, normal_force(*before)) : 0.0;
    return from > 0.0 ? from / (from - normal_force(*find_mode(step.end, key))) : 0.0;
  };
  if (!stepper.method().rubs())
    std::stable_sort(crossed.begin(), crossed.end(), [&](const ContactKey& a, const ContactKey& b) {
      return expected(a) < expected(b);
    });
  for (const ContactKey& key : crossed) {
    const double limit = hit ? hit->tau : step.h;
    const double tolerance = release_tolerance(world, key);
    stepper.at(limit, crossed);
    const Margin force{
        [&](double tau) {
          return mode_margin(stepper, *find_mode(stepper.at(tau, {&key, 1}).state, key));
        },
        tolerance, 1e-3 * tolerance, tolerance};
    const double at_limit = force.at(limit);
    if (at_limit >= -tolerance) continue;
    hit = EventHit{EventHit::Kind::release, end_of_margin(force, step.look, limit, at_limit), key};
  }
  return hit;
}

}  // namespace pequod
