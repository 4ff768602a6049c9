// What happened at an instant, as events.csv tells it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "contact/contact.h"
#include "core/state.h"

namespace pequod {

enum class EventKind {
  impact,
  touch,
  lift_off,
  stick,
  slip,
  reverse,
  limit,
  zeno,
  painleve,
  fallback,
  joint_stick,
  joint_slip,
  suspect
};
inline constexpr int kEventKinds = 13;

[[nodiscard]] std::string_view event_name(EventKind kind);

/// One row: one contact of an event.
struct EventRow {
  double t = 0.0;
  EventKind kind = EventKind::impact;
  ContactKey key;  ///< of joint_stick and joint_slip: joint_event_key()
  Vector3d p_W = Vector3d::Zero(), n_W = Vector3d::Zero();
  double speed_before = 0.0, speed_after = 0.0;  ///< m/s, n·(v_b − v_a)
  double impulse_n = 0.0, impulse_t = 0.0;       ///< N·s
  double energy_change = 0.0;  ///< J, of the whole event on its first row; of a suspect row what
                               ///< other rows or losses of steps have already
};

/// A row about one contact, or about a contact that opens. @param speed  m/s, before the event
[[nodiscard]] EventRow contact_row(double t, const Contact& contact, EventKind kind, double speed);
/// Says that a bound on work was met and how: by a step of impulses, or impacts without bounce.
[[nodiscard]] EventRow fallback_row(double t);
/// A loss that physics does not explain. @param loss  J
[[nodiscard]] EventRow suspect_row(double t, double loss);
[[nodiscard]] EventRow lift_off_row(double t, const ContactMode& mode);
/// Rows for the contacts that were closed before and where their shapes no longer touch after, at
/// the time of `after`.
void append_lift_offs(std::span<const ContactMode> before, const State& after,
                      std::vector<EventRow>& rows);

/// Names a joint in rows about its friction; direction: sign of the velocity it slides with, or 0.
[[nodiscard]] constexpr ContactKey joint_event_key(int link, int direction) {
  return {-1 - link, -1, static_cast<unsigned>(direction + 1)};
}

}  // namespace pequod
