// What pequod compare finds: one row an integrator, contact model and step.
#pragma once

#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pequod::app {

/// One run of a comparison and what came of it.
struct ComparisonRow {
  std::string integrator, model, solver;
  double step = NAN;       ///< s
  double effective = NAN;  ///< s, mean of those that no event cuts
  bool even = true;        ///< whether these have one length

  std::string status = "waiting";  ///< waiting, running, finished, failed, refused, interrupted
  std::string reason;              ///< why it is not finished
  double simulated = NAN;          ///< s
  double wall_time = NAN;          ///< s
  double speed = NAN;              ///< × real time
  long steps = 0, events = 0;      ///< accepted steps, rows of events.csv
  double worst_gap = NAN;          ///< m
  double energy_residual = NAN;    ///< J, largest
  double drift = NAN;     ///< m, of the first free body across the heading it had at the start
  double residual = NAN;  ///< worst of the contact solver, relative
  long fallbacks = 0, switches = 0;
  /// Of the final state, from this step and the two next larger ones, at one ratio: see
  /// set_orders(). Infinite if what they differ by is rounding.
  double order = NAN;
};

/// Reads what summary.json of a run folder tells, as far as it is there.
void read_summary(const std::filesystem::path& folder, ComparisonRow& row);
/// The same and what state.csv tells, once the run has ended: that file grows long.
void read_run(const std::filesystem::path& folder, ComparisonRow& row);

/// For each three effective steps h, h r, h r² of one pair whose runs have finished: the observed
/// order log(|x(h r²) − x(h r)| / |x(h r) − x(h)|) / log r of their final states, in the row of h.
/// Uneven steps have none.
/// @param folders  one a row
void set_orders(std::span<ComparisonRow> rows, std::span<const std::filesystem::path> folders);

/// A time between rows near `every` of which all these steps are whole parts, s; `every` where
/// there is none within a thousand of the longest.
[[nodiscard]] double whole_interval(std::span<const double> steps, double every);

/// The table for people, and the same as comparison.csv with a header line.
[[nodiscard]] std::string comparison_table(std::span<const ComparisonRow> rows);
[[nodiscard]] std::string comparison_csv(std::span<const ComparisonRow> rows);

}  // namespace pequod::app
