#include "app/comparison_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "app/log_coordinates.h"

namespace pequod::app {
namespace {

constexpr double kRounding = 1e-11;  // of 1 + the largest coordinate: of thousands of steps
constexpr double kSafe = 1.25;       // factor of safety where the order is as it should be

double largest_coordinate(const StateLog& log) {
  double most = 0.0;
  for (const LogCoordinate& one : shared_places(log, log))
    most = std::max(most, largest_number(one, log));
  return most;
}

constexpr double kSmall = 1e-6;  // m: runs that differ by less have not parted, if all rests

// How far a motion goes from where it starts, in the norm of state_distance().
double reach_of(const StateLog& log) {
  double most = 0.0;
  for (const LogCoordinate& one : shared_places(log, log))
    for (const std::vector<double>& row : log.rows)
      most = std::max(most, coordinate_distance(one, log.rows.front(), row));
  return most;
}

// Two runs of a pair, the second with the longer steps.
struct Rung {
  std::size_t fine = 0, coarse = 0;
  double ratio = NAN, distance = NAN;
};

// The runs of one pair from the longest to the shortest step, steps of one length once.
std::vector<std::size_t> ladder_of(const std::vector<ComparisonRow>& rows, std::size_t pair) {
  std::vector<std::size_t> ladder;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].integrator == rows[pair].integrator && rows[i].model == rows[pair].model &&
        rows[i].even && rows[i].status == "finished")
      ladder.push_back(i);
  std::stable_sort(ladder.begin(), ladder.end(), [&](std::size_t i, std::size_t j) {
    return rows[i].effective > rows[j].effective * (1.0 + kSameStep);
  });
  return ladder;
}

bool one_length(const ComparisonRow& a, const ComparisonRow& b) {
  return std::abs(a.effective / b.effective - 1.0) <= kSameStep;
}

std::vector<Rung> rungs_of(const std::vector<ComparisonRow>& rows,
                           const std::vector<std::size_t>& ladder, std::span<const StateLog> logs) {
  std::vector<Rung> rungs;
  for (std::size_t k = 1; k < ladder.size(); ++k) {
    const std::size_t coarse = ladder[k - 1], fine = ladder[k];
    if (one_length(rows[coarse], rows[fine])) continue;
    rungs.push_back({fine, coarse, rows[coarse].effective / rows[fine].effective,
                     state_distance(logs[coarse], logs[fine])});
  }
  return rungs;
}

double order_of(const Rung& upper, const Rung& lower, double rounding) {
  if (std::abs(upper.ratio / lower.ratio - 1.0) > kSameStep) return NAN;
  if (std::min(upper.distance, lower.distance) <= rounding) return INFINITY;
  return std::log(upper.distance / lower.distance) / std::log(lower.ratio);
}

bool as_it_should(double observed, int formal) {
  return std::abs(observed - formal) <= 0.1 * formal;
}

bool has_parted(const Rung& rung, double observed, int formal, double reach) {
  return !std::isnan(observed) && !as_it_should(observed, formal) &&
         rung.distance > std::max(kParted * reach, kSmall);
}

// @param coarse  of the run with the longer steps, else of the other
double bar_of(const Rung& rung, double observed, int formal, double rounding, bool coarse) {
  if (std::isinf(observed) || rung.distance <= rounding)
    return std::max(rounding, coarse ? rung.distance : 0.0);
  double p = 1.0, safety = kDoubtful;
  if (!std::isnan(observed)) {
    if (observed < 0.5) return NAN;
    const bool good = as_it_should(observed, formal);
    p = good ? formal : std::min(observed, static_cast<double>(formal));
    if (good) safety = kSafe;
  }
  return safety * richardson(rung.distance, rung.ratio, p, coarse);
}

bool is_judged(const ComparisonRow& row) {
  return row.parted || !std::isnan(row.bar) || !std::isnan(row.order);
}

// Orders and bars of one pair.
// @param ordered  whether there are rows enough in the logs to tell an order
void judge_pair(std::vector<ComparisonRow>& rows, std::size_t pair, std::span<const StateLog> logs,
                bool ordered) {
  const std::vector<std::size_t> ladder = ladder_of(rows, pair);
  const std::vector<Rung> rungs = rungs_of(rows, ladder, logs);
  if (rungs.empty()) return;
  const StateLog& finest = logs[rungs.back().fine];
  const double rounding = kRounding * (1.0 + largest_coordinate(finest)), reach = reach_of(finest);
  for (std::size_t k = 1; k < rungs.size() && ordered; ++k)
    rows[rungs[k].fine].order = order_of(rungs[k - 1], rungs[k], rounding);
  // Where there are no two longer steps, the order is that of the next shorter ones.
  double order = NAN;
  for (std::size_t k = rungs.size(); k-- > 0;) {
    ComparisonRow& fine = rows[rungs[k].fine];
    if (!std::isnan(fine.order)) order = fine.order;
    fine.parted = has_parted(rungs[k], order, fine.formal_order, reach);
    if (!fine.parted) fine.bar = bar_of(rungs[k], order, fine.formal_order, rounding, false);
  }
  ComparisonRow& longest = rows[rungs.front().coarse];
  if (!rows[rungs.front().fine].parted)
    longest.bar = bar_of(rungs.front(), order, longest.formal_order, rounding, true);
  // Steps that ticks cut to one length are one run.
  for (std::size_t k = 1; k < ladder.size(); ++k)
    for (const auto& [from, to] : {std::pair{k - 1, k}, std::pair{k, k - 1}})
      if (one_length(rows[ladder[from]], rows[ladder[to]]) && !is_judged(rows[ladder[to]])) {
        rows[ladder[to]].bar = rows[ladder[from]].bar;
        rows[ladder[to]].order = rows[ladder[from]].order;
        rows[ladder[to]].parted = rows[ladder[from]].parted;
      }
}

// Which of these runs the others are measured against.
std::size_t finest_of(const std::vector<ComparisonRow>& rows,
                      const std::vector<std::size_t>& of_model) {
  double least = INFINITY;
  for (const std::size_t i : of_model) least = std::fmin(least, rows[i].bar);
  // Bars alone tell little where runs do not converge: then they are all of one size.
  const auto accurate = [&](const ComparisonRow& row) {
    return std::isinf(least) || row.bar <= 10.0 * least;
  };
  return *std::min_element(of_model.begin(), of_model.end(), [&](std::size_t i, std::size_t j) {
    const ComparisonRow &a = rows[i], &b = rows[j];
    if (accurate(a) != accurate(b)) return accurate(a);
    if (a.formal_order != b.formal_order) return a.formal_order > b.formal_order;
    return a.effective < b.effective * (1.0 - kSameStep);
  });
}

// How many lengths of effective steps there are among these rows.
int different_steps(const std::vector<ComparisonRow>& rows,
                    const std::vector<std::size_t>& of_model) {
  int count = 0;
  for (auto i = of_model.begin(); i != of_model.end(); ++i)
    if (std::none_of(of_model.begin(), i,
                     [&](std::size_t other) { return one_length(rows[other], rows[*i]); }))
      ++count;
  return count;
}

// Rows after the start, of the finished run that has fewest; 0 if none has finished.
int fewest_rows(const std::vector<ComparisonRow>& rows, std::span<const StateLog> logs) {
  int fewest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].status == "finished")
      fewest = std::min(fewest, static_cast<int>(logs[i].rows.size()) - 1);
  return fewest == std::numeric_limits<int>::max() ? 0 : std::max(0, fewest);
}

void measure(ComparisonRow& row, double difference, double bar) {
  row.difference = difference;
  row.error = std::isnan(bar) ? difference : std::max(difference, bar);
}

// @param of_model  its rows that have finished
void judge_model(Comparison& comparison, const std::vector<std::size_t>& of_model,
                 std::span<const StateLog> logs, std::span<const std::optional<ClosedLog>> closed) {
  std::vector<ComparisonRow>& rows = comparison.rows;
  const std::optional<ClosedLog>& truth = closed[of_model.front()];
  if (truth) {
    comparison.references.push_back({rows[of_model.front()].model, truth->what, 0.0});
    for (const std::size_t i : of_model)
      if (closed[i]) measure(rows[i], state_distance(closed[i]->log, logs[i]), 0.0);
    return;
  }
  if (of_model.size() < 2) return;
  const std::size_t best = finest_of(rows, of_model);
  rows[best].reference = true;
  rows[best].error = rows[best].bar;
  comparison.references.push_back(
      {rows[best].model,
       fmt::format("its finest run, {} with steps of {:g} s{}", rows[best].integrator,
                   rows[best].effective, rows[best].parted ? "; its runs part" : ""),
       rows[best].bar, different_steps(rows, of_model) >= kFewestCompared});
  for (const std::size_t i : of_model)
    if (i != best) measure(rows[i], state_distance(logs[best], logs[i]), rows[best].bar);
}

}  // namespace

double richardson(double distance, double ratio, double p, bool coarse) {
  const double power = std::pow(ratio, p);
  return distance * (coarse ? power : 1.0) / (power - 1.0);
}

double state_distance(const StateLog& a, const StateLog& b) {
  const std::vector<LogCoordinate> coordinates = shared_places(a, b);
  double most = NAN;
  for (std::size_t i = 0, j = 0; i < a.rows.size() && j < b.rows.size();) {
    if (same_time(a.rows[i], b.rows[j])) {
      for (const LogCoordinate& one : coordinates)
        most = std::fmax(most, coordinate_distance(one, a.rows[i], b.rows[j]));
      ++i;
      ++j;
    } else {
      ++(a.rows[i][0] < b.rows[j][0] ? i : j);
    }
  }
  return most;
}

void judge_errors(Comparison& comparison, std::span<const StateLog> logs,
                  std::span<const std::optional<ClosedLog>> closed) {
  std::vector<ComparisonRow>& rows = comparison.rows;
  std::map<std::pair<std::string, std::string>, std::size_t> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    pairs.emplace(std::pair{rows[i].integrator, rows[i].model}, i);
  comparison.compared_rows = fewest_rows(rows, logs);
  for (const auto& [names, first] : pairs)
    judge_pair(rows, first, logs, comparison.compared_rows >= kFewestCompared);
  std::vector<std::string> judged;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& model = rows[i].model;
    if (rows[i].status != "finished" || std::ranges::find(judged, model) != judged.end()) continue;
    judged.push_back(model);
    std::vector<std::size_t> of_model;
    for (std::size_t j = i; j < rows.size(); ++j)
      if (rows[j].model == model && rows[j].status == "finished") of_model.push_back(j);
    judge_model(comparison, of_model, logs, closed);
  }
}

namespace {

double mean_cost(const std::vector<ComparisonRow>& rows) {
  double sum = 0.0;
  int count = 0;
  for (const ComparisonRow& row : rows)
    if (row.status == "finished" && row.processor_time > 0.0) {
      sum += std::log(row.processor_time);
      ++count;
    }
  return count == 0 ? NAN : std::exp(sum / count);
}

// Of one pair, at that cost; NaN if no error of it is known.
double error_at(double cost, const std::vector<const ComparisonRow*>& pair) {
  const ComparisonRow* nearest = nullptr;
  const auto away = [&](const ComparisonRow& row) {
    return std::abs(std::log(row.processor_time / cost));
  };
  for (const ComparisonRow* row : pair)
    if (!std::isnan(row->error) && row->processor_time > 0.0 &&
        (nullptr == nearest || away(*row) < away(*nearest)))
      nearest = row;
  if (nearest == nullptr) return NAN;
  double p = nearest->parted ? 0.0 : nearest->formal_order;
  if (std::isfinite(nearest->order)) p = std::clamp(nearest->order, 0.0, p);
  return nearest->error * std::pow(nearest->processor_time / cost, p);
}

}  // namespace

void sort_by_error(Comparison& comparison) {
  std::vector<ComparisonRow>& rows = comparison.rows;
  comparison.equal_cost = mean_cost(rows);
  std::map<std::pair<std::string, std::string>, std::vector<const ComparisonRow*>> pairs;
  for (const ComparisonRow& row : rows) pairs[{row.integrator, row.model}].push_back(&row);
  std::map<std::pair<std::string, std::string>, double> errors;
  for (const auto& [names, of_pair] : pairs)
    errors[names] = error_at(comparison.equal_cost, of_pair);
  for (ComparisonRow& row : rows) row.error_at_equal_cost = errors[{row.integrator, row.model}];
  // A pair keeps the place of its first row among those of one error.
  std::map<std::pair<std::string, std::string>, std::size_t> place;
  for (std::size_t i = 0; i < rows.size(); ++i)
    place.emplace(std::pair{rows[i].integrator, rows[i].model}, i);
  std::stable_sort(rows.begin(), rows.end(), [&](const ComparisonRow& a, const ComparisonRow& b) {
    const double x = a.error_at_equal_cost, y = b.error_at_equal_cost;
    if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
    if (!std::isnan(x) && x != y) return x < y;
    const std::size_t i = place[{a.integrator, a.model}], j = place[{b.integrator, b.model}];
    return i != j ? i < j : a.step > b.step;
  });
}

}  // namespace pequod::app
