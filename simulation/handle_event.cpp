// What an event changes: velocities by impacts, and the mode.
#include "simulation/simulation.h"

namespace pequod {

void Simulation::handle(const EventHit& hit) {
  count_event();
  if (stepper_.rubs() && hit.kind != EventHit::Kind::contact) return end_friction_mode(hit);
  switch (hit.kind) {
    case EventHit::Kind::contact:
      if (!settle_contacts()) report_touch(hit.key);
      break;
    case EventHit::Kind::release:
    case EventHit::Kind::slip:
      end_mode(hit);
      break;
    case EventHit::Kind::halt:  // of contacts that rub alone
      break;
    case EventHit::Kind::stop:
      state_.v[hit.joint] = 0.0;
      find_joint(state_.joints, hit.joint).slide = 0;  // at a tie it sticks
      settler_.find(state_, touching_);
      settler_.choose_mode(state_, touching_, rows_);
      state_.loop.mode_due = false;
      break;
    case EventHit::Kind::sinks:
      hold_too(hit.key);
      break;
  }
}

// A force has reached its bound: the contact leaves its mode, the joint slides.
void Simulation::end_mode(const EventHit& hit) {
  settler_.find(state_, touching_);
  const bool slips = hit.kind == EventHit::Kind::slip;
  const int direction = slips && find_joint(state_.joints, hit.joint).force > 0.0 ? -1 : 1;
  if (!slips) leave_mode(state_, hit.key, keys_);
  settler_.set_joint_modes(state_);
  if (slips) find_joint(state_.joints, hit.joint).slide = direction;
  settler_.set_mode(state_, touching_, keys_, rows_);
  state_.loop.mode_due = false;
  state_.loop.released = true;
}

// Nothing was accepted: the same state again, with this contact held.
void Simulation::hold_too(const ContactKey& key) {
  if (stepper_.velocity_level()) {
    state_.loop.forced.push_back(key);
    return;
  }
  keys_.clear();
  for (const ContactMode& mode : state_.mode) keys_.push_back({mode.key, mode.floating});
  keys_.push_back({key, false});
  settler_.set_mode(state_, touching_, keys_, rows_);
}

// A contact that closed without an impulse.
void Simulation::report_touch(const ContactKey& key) {
  for (const Contact& contact : touching_.contacts) {
    if (contact.key != key) continue;
    rows_.push_back(
        contact_row(state_.t, contact, is_joint_limit(key) ? EventKind::limit : EventKind::touch));
    rows_.back().speed_before = rows_.back().speed_after =
        normal_velocity(scenario_->model, here().kinematics(), contact, state_.v);
  }
}

// Impacts, short flights, and the mode of what stays. @return whether there was an impact
bool Simulation::settle_contacts() {
  settler_.reset_stats();
  const bool impact = settler_.resolve_impacts(state_, touching_, rows_);
  if (impact) settler_.close_short_flights(state_, touching_, rows_);
  settler_.find(state_, touching_);
  state_.loop.mode_due = true;
  if (!stepper_.velocity_level()) choose_mode();
  count(settler_.stats());
  return impact;
}

}  // namespace pequod
