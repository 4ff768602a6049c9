// What an event changes: velocities by impacts, and the mode.
#include <algorithm>

#include "simulation/joint_friction.h"
#include "simulation/loop/event_loop.h"
#include "simulation/loop/tolerances.h"
#include "simulation/settle/impacts.h"
#include "simulation/settle/zeno.h"

namespace pequod {

// @param after  where a force has reached its bound: see mode_after()
Ending EventLoop::handle(const EventHit& hit, const ChosenMode& after) {
  Ending ending{.by_event = true};
  if (world_.rubs() && hit.kind != EventHit::Kind::contact) {
    end_friction_mode(hit);
    return ending;
  }
  switch (hit.kind) {
    case EventHit::Kind::contact: {
      const Impacts impacts = settle_contacts();
      ending.endless = std::min(1.0, kEndlessBounce * (1.0 - impacts.restitution));
      ending.contacts = impacts.contacts;
      if (!impacts.any) report_touch(hit.key);
      break;
    }
    case EventHit::Kind::release:
    case EventHit::Kind::slip:
      end_mode(hit, after);
      break;
    case EventHit::Kind::halt:  // of contacts that rub alone
      break;
    case EventHit::Kind::stop:
      state_.v[hit.joint] = 0.0;
      find_joint(state_.joints, hit.joint).slide = 0;  // at a tie it sticks
      find_contacts();
      renew_mode();
      break;
    case EventHit::Kind::sinks:
      hold_too(hit.key);
      break;
  }
  return ending;
}

// A force has reached its bound: the contact leaves its mode, the joint slides.
void EventLoop::end_mode(const EventHit& hit, ChosenMode after) {
  find_contacts();
  const bool slips = hit.kind == EventHit::Kind::slip;
  const int direction = slips && find_joint(state_.joints, hit.joint).force > 0.0 ? -1 : 1;
  if (!slips) leave_mode(state_, hit.key, after.held);
  set_joint_modes(after.joints, state_);
  if (slips) find_joint(state_.joints, hit.joint).slide = direction;
  set_mode(world_, stepper_.terms(), state_, touching_, after.held, report_.rows,
           lend(workspace_.settle.projection));
  state_.loop.mode_due = false;
  state_.loop.released = true;
}

// Nothing was accepted: the same state again, with this contact held.
void EventLoop::hold_too(const ContactKey& key) {
  if (world_.velocity_level()) {
    state_.loop.forced.push_back(key);
    return;
  }
  std::vector<HeldKey> held;
  for (const ContactMode& mode : state_.mode) held.push_back({mode.key, mode.floating, mode.share});
  held.push_back({key, false});
  set_mode(world_, stepper_.terms(), state_, touching_, held, report_.rows,
           lend(workspace_.settle.projection));
}

// A contact that closed without an impulse.
void EventLoop::report_touch(const ContactKey& key) {
  for (const Contact& contact : touching_.contacts) {
    if (contact.key != key) continue;
    const double speed = normal_velocity(world_.model(), here().kinematics(), contact, state_.v);
    report_.rows.push_back(contact_row(
        state_.t, contact, is_joint_limit(key) ? EventKind::limit : EventKind::touch, speed));
    report_.rows.back().speed_after = speed;
  }
}

// Impacts, short flights, and the mode of what stays.
Impacts EventLoop::settle_contacts() {
  if (!state_.loop.resting.empty()) find_contacts();  // what is hit wakes
  if (report_.observer.impact) report_.observer.impact(state_);
  Evaluator& here = stepper_.terms();
  const Impacts impacts =
      resolve_impacts(world_, here, state_, touching_, report_.rows, lend(workspace_.settle));
  if (impacts.any && !bridges())  // a fallback step ends flights without that
    close_short_flights(world_, here, state_, touching_, impacts.approach, report_.rows,
                        lend(workspace_.settle));
  find_contacts();
  state_.loop.mode_due = true;
  StepStats stats = impacts.stats;
  if (!world_.velocity_level() && !bridges()) stats += renew_mode();
  count(stats, report_.statistics);
  return impacts;
}

}  // namespace pequod
