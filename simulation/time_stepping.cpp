// Steps of a fixed length without a search for events: contact.scheme time-stepping.
#include <algorithm>

#include "simulation/simulation.h"

namespace pequod {
namespace {

constexpr double kLeastTimeStep = 1.0 / 64;  // of a step, that is halved no more

}  // namespace

// How near two shapes must be to meet within h, m: what the fastest of them travels, twice for two
// of them, and as much again because they may be accelerated.
double Simulation::reach_within(double h) {
  const Kinematics& kin = here().kinematics();
  copy_poses(kin, X_WL_);
  world_.collision.place(X_WL_, step_motion_.X_WS);
  world_.collision.bound_travel(kin, h, step_motion_);
  double most = 0.0;
  for (const double travel : step_motion_.travel) most = std::max(most, travel);
  const double falls = world_.model().gravity.norm() * h * h;
  return 4.0 * (most + falls) + kGapTolerance;
}

// touching_ without what the two shapes of a contact cannot close within h, by what they travel
// themselves: one fast limb makes no contacts of hundreds of corners at a foot that stands.
// step_motion_ is that of reach_within().
void Simulation::drop_out_of_reach(double h) {
  const double falls = world_.model().gravity.norm() * h * h;
  const auto travel = [&](int shape) {
    return step_motion_.travel[static_cast<std::size_t>(shape)];
  };
  std::swap(touching_, other_touching_);
  touching_.clear();
  for (std::size_t i = 0; i < other_touching_.size(); ++i) {
    const Contact& contact = other_touching_.contacts[i];
    const bool limit = is_joint_limit(contact.key);
    if (limit ||
        contact.gap <= kGapTolerance + 4.0 * falls +
                           2.0 * (travel(contact.key.shape_a) + travel(contact.key.shape_b)))
      touching_.add(other_touching_, i);
  }
}

// Every contact in reach may come nearer by its gap within the step, and no further, and is then
// projected to it. What nobody foresaw (features that face each other only within the step, speeds
// that more than double) is projected too, and where that leads nowhere half the step is taken, or
// a fallback step.
void Simulation::take_time_step(double h) {
  const double t_end = state_.t + h;
  for (double part = h; part >= kLeastTimeStep * h; part *= 0.5) {
    find_contacts(reach_within(part));
    drop_out_of_reach(part);
    stepper_.begin(state_, touching_);
    next_ = stepper_.at(part);
    if (measure_gap(stepper_.end()) < -kGapTolerance && !raise_sunk()) continue;
    accept(h, std::nullopt);
    if (part == h) state_.t = t_end;
    return;
  }
  take_fallback_step(h);
}

// next_ with everything that is below zero moved to zero, which may sink others. @return whether
// nothing is below any more
bool Simulation::raise_sunk() {
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    find_touching(world_, next_, kGapTolerance, stepper_.end(), settle_workspace_.touching,
                  other_touching_);
    next_ = stepper_.raise(other_touching_);
    if (measure_gap(stepper_.end()) >= -kGapTolerance) return true;
  }
  return false;
}

}  // namespace pequod
