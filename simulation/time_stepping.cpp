// Steps of a fixed length without a search for events: contact.scheme time-stepping.
#include <algorithm>

#include "simulation/simulation.h"

namespace pequod {

// How near two shapes must be to meet within h, m: what the fastest of them travels, twice for two
// of them, and as much again because they may be accelerated.
double Simulation::reach_within(double h) {
  const Kinematics& kin = here().kinematics();
  copy_poses(kin, X_WL_);
  collision_.place(X_WL_, step_motion_.X_WS);
  collision_.bound_travel(kin, h, step_motion_);
  double most = 0.0;
  for (const double travel : step_motion_.travel) most = std::max(most, travel);
  const double falls = scenario_->model.gravity.norm() * h * h;
  return 4.0 * (most + falls) + kGapTolerance;
}

// Every contact in reach may come nearer by its gap within the step, and no further, and is then
// projected to it. What nobody foresaw (features that face each other only within the step, speeds
// that more than double) shows up as a gap below zero.
void Simulation::take_time_step(double h) {
  const double t_end = state_.t + h;
  settler_.find(state_, touching_, reach_within(h));
  stepper_.begin(state_, touching_);
  next_ = stepper_.at(h);
  measure_gap(stepper_.end());
  accept(h, std::nullopt);
  state_.t = t_end;
}

}  // namespace pequod
