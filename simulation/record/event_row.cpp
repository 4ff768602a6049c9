#include "simulation/record/event_row.h"

#include <algorithm>
#include <utility>

#include "simulation/tolerances.h"

namespace pequod {
namespace {

// Whether the contact is closed, or another one of its shapes at its place: where two corners stand
// upon each other rounding alone decides which of their faces is named.
// @param now  its own mode, if it has one
bool touches_there(const State& state, const ContactMode& contact, const ContactMode* now) {
  if (now && now->closed) return true;
  const auto before = [](const ContactMode& a, const ContactMode& b) {
    return std::pair{a.key.shape_a, a.key.shape_b} < std::pair{b.key.shape_a, b.key.shape_b};
  };
  const auto [first, last] =
      std::equal_range(state.mode.begin(), state.mode.end(), contact, before);
  return std::any_of(first, last, [&](const ContactMode& other) {
    return other.closed && (other.point_W - contact.point_W).norm() <= kGapTolerance;
  });
}

}  // namespace

std::string_view event_name(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
      return "impact";
    case EventKind::touch:
      return "touch";
    case EventKind::lift_off:
      return "lift-off";
    case EventKind::stick:
      return "stick";
    case EventKind::slip:
      return "slip";
    case EventKind::reverse:
      return "reverse";
    case EventKind::limit:
      return "limit";
    case EventKind::zeno:
      return "zeno";
    case EventKind::painleve:
      return "painleve";
    case EventKind::fallback:
      return "fallback";
    case EventKind::joint_stick:
      return "joint-stick";
    case EventKind::joint_slip:
      return "joint-slip";
    case EventKind::suspect:
      return "suspect";
  }
  return "";
}

EventRow contact_row(double t, const Contact& contact, EventKind kind, double speed) {
  const bool limit = is_joint_limit(contact.key);
  return {.t = t,
          .kind = kind,
          .key = contact.key,
          .p_W = contact.p_W,
          .n_W = limit ? Vector3d(Vector3d::Zero()) : contact.n_W,
          .speed_before = speed};
}

EventRow fallback_row(double t) { return {.t = t, .kind = EventKind::fallback, .key = {}}; }

EventRow suspect_row(double t, double loss) {
  return {.t = t, .kind = EventKind::suspect, .key = {}, .energy_change = -loss};
}

EventRow lift_off_row(double t, const ContactMode& mode) {
  return {.t = t,
          .kind = EventKind::lift_off,
          .key = mode.key,
          .p_W = mode.point_W,
          .n_W = mode.normal_W};
}

void append_lift_offs(std::span<const ContactMode> before, const State& after,
                      std::vector<EventRow>& rows) {
  ModeFinder modes(after);
  for (const ContactMode& old : before)
    if (old.closed && !touches_there(after, old, modes.find(old.key)))
      rows.push_back(lift_off_row(after.t, old));
}

}  // namespace pequod
