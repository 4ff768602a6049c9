#include "app/certify/estimate.h"

#include <algorithm>
#include <cmath>

#include "app/comparison_errors.h"
#include "app/log_coordinates.h"

namespace pequod::app::certify {
namespace {

constexpr double kSolverSafety = 1.25;  // its tolerance is a thousandth, so little is left of it

// Rows of one output in the run and in one beside it; NaN beyond the end of that.
std::vector<double> distances(const LogCoordinate& one, const StateLog& run,
                              const StateLog& beside) {
  std::vector<double> apart;
  std::size_t j = 0;
  for (const std::vector<double>& row : run.rows) {
    while (j < beside.rows.size() && !same_time(row, beside.rows[j]) && beside.rows[j][0] < row[0])
      ++j;
    const bool there = j < beside.rows.size() && same_time(row, beside.rows[j]);
    apart.push_back(there ? coordinate_distance(one, row, beside.rows[j]) : kNaN);
  }
  return apart;
}

// How far an output gets from where it starts.
double span_of(const LogCoordinate& one, const StateLog& run) {
  double span = 0.0;
  for (const std::vector<double>& row : run.rows)
    span = std::max(span, coordinate_distance(one, run.rows.front(), row));
  return span;
}

// s, of the first row from which on the two are apart; NaN if they are not.
double parting(const StateLog& run, const std::vector<double>& apart, double span) {
  const double most = std::max(kParted * span, kSmallestParting);
  for (std::size_t i = 0; i < apart.size(); ++i)
    if (apart[i] > most) return run.rows[i][0];
  return kNaN;
}

// The columns of one output in the run are its own on both sides, for what it spans.
LogCoordinate own(const LogCoordinate& one) {
  LogCoordinate same = one;
  same.b = one.a;
  return same;
}

double rounding_of(double size) { return kLeastEstimate + kRoundingShare * size; }

double bar_at(double halved, double tightened, double ratio, double floor) {
  const double solver = std::isnan(tightened) ? 0.0 : kSolverSafety * tightened;
  return kDoubtful * richardson(halved, ratio, 1.0, true) + solver + floor;
}

// Logs of the run and of those beside it, and what outputs that are parts of one whole are
// measured by: energies by the largest of them, as what is only an error has no size of its own.
struct LogSet {
  const StateLog& run;
  const StateLog& half;
  const StateLog* tight;  // nullptr: none
  const StateLog* other;  // nullptr: none
  double ratio;           // of the steps
  double span = 0.0;      // how far the whole gets, at least
  double size = 0.0;      // its largest number, at least
};

void compare_choice(const StateLog& run, const std::vector<double>& apart, OutputEstimate& out) {
  out.from_choice = apart.back();
  for (std::size_t i = 0; i < apart.size() && std::isnan(out.choice_differs); ++i)
    if (apart[i] > out.bars[i]) out.choice_differs = run.rows[i][0];
}

OutputEstimate estimate_output(const LogCoordinate& one, const LogSet& logs) {
  const auto& [run, half, tight, other, ratio, whole_span, whole_size] = logs;
  OutputEstimate out;
  out.name = one.name;
  out.unit = one.unit;
  const std::vector<double> halves = distances(one, run, half);
  const std::vector<double> tights =
      tight ? distances(one, run, *tight) : std::vector<double>(halves.size(), kNaN);
  const double floor = rounding_of(std::max(whole_size, largest_number(one, run)));
  for (std::size_t i = 0; i < halves.size(); ++i)
    out.bars.push_back(bar_at(halves[i], tights[i], ratio, floor));
  const double span = std::max(whole_span, span_of(own(one), run));
  out.parted = std::fmin(parting(run, halves, span), parting(run, tights, span));
  if (run.rows.empty()) return out;
  for (std::size_t i = 0; i < one.count; ++i) out.value.push_back(run.rows.back()[one.a[i]]);
  out.from_step = halves.back();
  out.from_solver = tights.back();
  out.estimate = out.bars.back();
  if (other) compare_choice(run, distances(one, run, *other), out);
  return out;
}

void append_outputs(const std::vector<LogCoordinate>& coordinates, const LogSet& logs,
                    std::vector<OutputEstimate>& outputs) {
  for (const LogCoordinate& one : coordinates) outputs.push_back(estimate_output(one, logs));
}

void append_energies(const TrackSet& tracks, std::vector<OutputEstimate>& outputs) {
  LogSet logs{tracks.run->energy, tracks.half->energy,
              tracks.tight ? &tracks.tight->energy : nullptr,
              tracks.other ? &tracks.other->energy : nullptr, tracks.ratio};
  const std::vector<LogCoordinate> columns = shared_columns(logs.run, logs.half, "energy.", "J");
  for (const LogCoordinate& one : columns) {
    logs.span = std::max(logs.span, span_of(own(one), logs.run));
    logs.size = std::max(logs.size, largest_number(one, logs.run));
  }
  append_outputs(columns, logs, outputs);
}

// Figures of whole runs, which those that failed do not have.
void append_figures(const TrackSet& tracks, std::vector<OutputEstimate>& outputs) {
  for (std::size_t i = 0; i < tracks.run->figures.size(); ++i) {
    const EndFigure& figure = tracks.run->figures[i];
    OutputEstimate out;
    out.name = figure.name;
    out.unit = figure.unit;
    out.value = {figure.value};
    if (i < tracks.half->figures.size())
      out.from_step = std::abs(figure.value - tracks.half->figures[i].value);
    if (tracks.tight && i < tracks.tight->figures.size())
      out.from_solver = std::abs(figure.value - tracks.tight->figures[i].value);
    if (tracks.other && i < tracks.other->figures.size())
      out.from_choice = std::abs(figure.value - tracks.other->figures[i].value);
    out.estimate =
        bar_at(out.from_step, out.from_solver, tracks.ratio, rounding_of(std::abs(figure.value)));
    outputs.push_back(out);
  }
}

OutputEstimate* find_output(std::vector<OutputEstimate>& outputs, const std::string& name) {
  const auto at = std::ranges::find(outputs, name, &OutputEstimate::name);
  return at == outputs.end() ? nullptr : &*at;
}

void set_errors(std::vector<double> errors, OutputEstimate& out) {
  if (!errors.empty()) out.error = errors.back();
  out.errors = std::move(errors);
}

void measure_places(const StateLog& run, const ClosedForm& form,
                    std::vector<OutputEstimate>& outputs) {
  StateLog truth{form.names, {}};
  for (const std::vector<double>& row : run.rows) truth.rows.push_back(form.row(row[0]));
  for (const LogCoordinate& one : shared_places(run, truth))
    if (OutputEstimate* out = find_output(outputs, one.name))
      set_errors(distances(one, run, truth), *out);
}

// Energy is what it was and what came in, less what went: the residual should be 0.
void measure_residual(const StateLog& energy, std::vector<OutputEstimate>& outputs) {
  OutputEstimate* out = find_output(outputs, "energy.residual");
  const auto column = std::ranges::find(energy.names, "residual");
  if (out == nullptr || column == energy.names.end()) return;
  std::vector<double> errors;
  for (const std::vector<double>& row : energy.rows)
    errors.push_back(std::abs(nth(row, column - energy.names.begin())));
  set_errors(errors, *out);
}

}  // namespace

std::vector<OutputEstimate> estimate_outputs(const TrackSet& tracks,
                                             const std::optional<ClosedForm>& form) {
  std::vector<OutputEstimate> outputs;
  const LogSet states{tracks.run->state, tracks.half->state,
                      tracks.tight ? &tracks.tight->state : nullptr,
                      tracks.other ? &tracks.other->state : nullptr, tracks.ratio};
  append_outputs(shared_places(states.run, states.half), states, outputs);
  append_outputs(shared_rates(states.run, states.half), states, outputs);
  append_energies(tracks, outputs);
  append_figures(tracks, outputs);
  if (form) measure_places(states.run, *form, outputs);
  measure_residual(tracks.run->energy, outputs);
  return outputs;
}

Containment count_contained(const OutputEstimate& output, double least) {
  Containment count;
  for (std::size_t i = 0; i < output.errors.size(); ++i) {
    const double error = output.errors[i], bar = output.bars[i];
    if (!(error > least)) continue;
    ++count.rows;
    count.held += bar >= error ? 1 : 0;
    count.fair += bar >= error && bar <= 10.0 * error ? 1 : 0;
  }
  return count;
}

}  // namespace pequod::app::certify
