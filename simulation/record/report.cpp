#include "simulation/record/report.h"

#include <algorithm>

namespace pequod {

EnergyReport report_energy(const Model& model, const Kinematics& kin, const State& state) {
  EnergyReport report;
  report.kinetic = kinetic_energy(model, kin, state.v);
  report.potential = potential_energy(model, kin);
  report.total = report.kinetic + report.potential;
  const Ledger& l = state.ledger;
  report.residual = report.total - l.initial - l.actuator_work - l.external_work + l.damping_loss +
                    l.friction_loss + l.impact_loss + l.stabilisation + l.normal_loss;
  return report;
}

void count(const StepStats& stats, RunStatistics& statistics) {
  statistics.solves += stats.solves;
  statistics.pivots += stats.pivots;
  statistics.pivots_max = std::max<std::int64_t>(statistics.pivots_max, stats.pivots);
  statistics.locks += stats.locks;
  statistics.switches += stats.switches;
  statistics.reduced += stats.reduced;
  statistics.worst_residual = std::max(statistics.worst_residual, stats.residual);
  statistics.worst_slip = std::max(statistics.worst_slip, stats.slip);
  statistics.worst_gain = std::max(statistics.worst_gain, stats.gain);
}

void publish(RunReport& report, StepClock& clock) {
  for (const EventRow& row : report.rows)
    ++report.statistics.events[static_cast<std::size_t>(row.kind)];
  const auto outside_time = clock.during(StepPart::outside);
  if (!report.rows.empty() && report.observer.events) report.observer.events(report.rows);
  report.rows.clear();
}

}  // namespace pequod
