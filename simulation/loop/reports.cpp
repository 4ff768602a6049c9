// What the event loop tells of its steps: rows of events, records, and a report of each step.
#include <algorithm>
#include <cmath>

#include "simulation/joint_friction.h"
#include "simulation/loop/event_loop.h"
#include "simulation/loop/instant.h"

namespace pequod {

void EventLoop::record_if_due() {
  const bool last = past(end_time(*world_.scenario));
  if (!past(multiple(*world_.scenario, state_.records, world_.scenario->record.every)) && !last)
    return;
  ++state_.records;
  const EnergyReport energy = report_energy(world_.model(), here().kinematics(), state_);
  report_.statistics.energy_residual_max =
      std::max(report_.statistics.energy_residual_max, std::abs(energy.residual));
  report_.statistics.viscous_rate_max =
      std::max(report_.statistics.viscous_rate_max, stepper_.viscous_rate());
  const auto outside_time = clock_.during(StepPart::outside);
  if (report_.observer.record) report_.observer.record(state_, here().kinematics(), energy);
}

// Rows for the joints whose mode changed.
// @param before  in and out: the modes that are known
void EventLoop::report_joints(std::vector<JointMode>& before) {
  append_joint_events(world_.model(), before, state_, report_.rows);
  before = state_.joints;
}

// A row for what was taken without an explanation. @param before  J, the ledger's sum so far
void EventLoop::report_suspects(double before) {
  if (state_.ledger.suspect > before)
    report_.rows.push_back(suspect_row(state_.t, state_.ledger.suspect - before));
}

// @param contacts  that were in reach of the step
// @param gap       m, the smallest of the state that was accepted
void EventLoop::report_step(double h, int contacts, const StepStats& stats, double gap) {
  report_.statistics.max_penetration = std::max(report_.statistics.max_penetration, -gap);
  if (!report_.observer.step) return;
  const StepReport report{.t = state_.t,
                          .h = h,
                          .contacts = contacts,
                          .stats = stats,
                          .smallest_gap = gap,
                          .times = clock_.take()};
  const auto outside_time = clock_.during(StepPart::outside);
  report_.observer.step(report);
}

}  // namespace pequod
