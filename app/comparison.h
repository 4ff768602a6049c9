// What pequod compare finds: one row an integrator, contact model and step.
#pragma once

#include <cmath>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/shadow_totals.h"

namespace pequod::app {

/// One run of a comparison and what came of it.
struct ComparisonRow {
  std::string integrator, model, solver;
  double step = NAN;       ///< s
  double effective = NAN;  ///< s, mean of those that no event cuts
  bool even = true;        ///< whether these have one length, so that errors fall as its power
  int formal_order = 1;    ///< of the pair, as pequod list has it

  std::string status = "waiting";  ///< waiting, running, finished, failed, refused, interrupted
  std::string reason;              ///< why it is not finished
  double simulated = NAN;          ///< s
  double wall_time = NAN;          ///< s
  double processor_time = NAN;     ///< s, of its process: the cost
  double speed = NAN;              ///< × real time
  long steps = 0, events = 0;      ///< accepted steps, rows of events.csv
  std::vector<std::pair<std::string, long>> kinds;  ///< of these rows, each kind that there is
  double worst_gap = NAN;                           ///< m
  double energy_residual = NAN;                     ///< J, largest
  double drift = NAN;     ///< m, of the first free body across the heading it had at the start
  double slip = NAN;      ///< m/s, largest of rows that the contact solver holds
  double residual = NAN;  ///< worst of the contact solver, relative
  double pivots = NAN, most_pivots = NAN;  ///< of a solve: mean, and largest
  long fallbacks = 0, switches = 0;

  // From here on: judge_errors(), lengths in the norm of state_distance().
  bool reference = false;   ///< the others of its model are measured against it
  double difference = NAN;  ///< m, from the reference of its model
  double error = NAN;       ///< m, the difference, or the bar of the reference where that is more
  double bar = NAN;         ///< m, error bar by Richardson's extrapolation
  /// From this step and the two next larger ones, at one ratio. Infinite if what they differ by is
  /// rounding.
  double order = NAN;
  /// Whether the run and that with the next longer steps go different ways, so that neither order
  /// nor bar means anything.
  bool parted = false;
  double error_at_equal_cost = NAN;  ///< m, of its pair
};

/// What the errors of a model's runs are measured against.
struct ComparisonReference {
  std::string model, what;
  double bar = NAN;            ///< m, of itself; 0 for a closed form
  bool carries_advice = true;  ///< a closed form, or a run beside enough others of other steps
};

/// The contact problems of one run by all models.
struct ComparisonShadows {
  std::string of;                ///< the run; empty: nobody asked
  std::filesystem::path folder;  ///< of it
  std::string failure;           ///< why it did not go to its end; empty: it did
  std::vector<ShadowTotals> totals;
};

/// All that a comparison knows once its runs have ended.
struct Comparison {
  std::string scene;
  double wanted = 1e-4;     ///< m, the error that the advice is for
  double equal_cost = NAN;  ///< s of processor time
  double wall_time = NAN;   ///< s, from its start to its end
  int compared_rows = 0;  ///< of state.csv, after the start: the fewest of a run that has finished
  std::vector<ComparisonRow> rows;
  std::vector<ComparisonReference> references;
  std::vector<std::string> notes;
  ComparisonShadows shadows;
};

/// Reads what summary.json of a run folder tells, as far as it is there.
void read_summary(const std::filesystem::path& folder, ComparisonRow& row);

/// state.csv of a run, or what it should say.
struct StateLog {
  std::vector<std::string> names;         ///< t first
  std::vector<std::vector<double>> rows;  ///< each as long as names
};
/// Without rows that are not whole.
[[nodiscard]] StateLog read_state_log(const std::filesystem::path& file);
[[nodiscard]] StateLog read_state_log(std::istream& file);

/// How far the first free body is at the end from the line along which it looked at the start, m;
/// NaN if there is none.
[[nodiscard]] double sideways_drift(const StateLog& log);

/// A time between rows near `every` of which all these steps are whole parts, s; `every` where
/// there is none within a thousand of the longest.
[[nodiscard]] double whole_interval(std::span<const double> steps, double every);

}  // namespace pequod::app
