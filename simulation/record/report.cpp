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
                    l.friction_loss + l.impact_loss + l.zeno_loss + l.stabilisation + l.normal_loss;
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
  statistics.unsolved += stats.unsolved;
  statistics.worst_unsolved.take_worse(stats.worst_unsolved);
  statistics.worst_slip = std::max(statistics.worst_slip, stats.slip);
  statistics.worst_gain = std::max(statistics.worst_gain, stats.gain);
}

namespace {

SeriesEnd end_of(const EventRow& row) {
  return {row.t, row.key, row.p_W, row.n_W, row.speed_before, row.energy_change};
}

EventRow row_of(const SeriesEnd& end, double now) {
  return {.t = std::min(end.t, now),
          .kind = EventKind::zeno,
          .key = end.key,
          .p_W = end.point_W,
          .n_W = end.normal_W,
          .speed_before = end.speed,
          .energy_change = end.energy_change};
}

// std::stable_sort asks the heap for room even where nothing is to be moved.
template <typename Row>
void sort_by_time(std::vector<Row>& rows) {
  const auto by_time = [](const Row& a, const Row& b) { return a.t < b.t; };
  if (!std::is_sorted(rows.begin(), rows.end(), by_time))
    std::stable_sort(rows.begin(), rows.end(), by_time);
}

// A series of impacts ends a little after the instant at which it is taken to its limit.
void tell_in_order(std::vector<EventRow>& rows, State& state, bool last) {
  std::vector<SeriesEnd>& ends = state.loop.ends;
  const auto ahead = [&](const auto& x) { return x.t > state.t; };
  for (const EventRow& row : rows)
    if (ahead(row)) ends.push_back(end_of(row));
  std::erase_if(rows, ahead);
  for (const SeriesEnd& end : ends)
    if (last || !ahead(end)) rows.push_back(row_of(end, state.t));
  std::erase_if(ends, [&](const SeriesEnd& end) { return last || !ahead(end); });
  sort_by_time(rows);
  sort_by_time(ends);
}

}  // namespace

void publish(RunReport& report, StepClock& clock, State& state, bool last) {
  if (!report.rows.empty() || !state.loop.ends.empty()) tell_in_order(report.rows, state, last);
  for (const EventRow& row : report.rows) ++nth(report.statistics.events, row.kind);
  const auto outside_time = clock.during(StepPart::outside);
  if (!report.rows.empty() && report.observer.events) report.observer.events(report.rows);
  report.rows.clear();
}

}  // namespace pequod
