#include "app/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/comparison_errors.h"
#include "app/csv_table.h"
#include "app/json_number.h"
#include "app/machine.h"
#include "simulation/record/event_row.h"

namespace pequod::app {
namespace {

using ComparisonJson = nlohmann::ordered_json;

std::string table_cell(double x, const char* format) {
  return std::isnan(x) ? "-" : fmt::format(fmt::runtime(format), x);
}

std::string finished_cells(const ComparisonRow& row) {
  return fmt::format(
      "{:>9} {:>8} {:>6} {:>8} {:>8} {:>7} {:>8} {:>9} {:>8} {:>8} {:>8} {:>9} {:>11} {:>5}  {}\n",
      error_text(row), table_cell(row.bar, "{:.1e}"), order_text(row),
      table_cell(row.processor_time, "{:.3g}"), table_cell(row.wall_time, "{:.3g}"),
      table_cell(row.speed, "{:.3g}"), row.steps, table_cell(row.worst_gap, "{:.1e}"),
      table_cell(row.energy_residual, "{:.1e}"), table_cell(row.drift, "{:.1e}"),
      table_cell(row.slip, "{:.1e}"), table_cell(row.residual, "{:.1e}"),
      fmt::format("{}/{}", table_cell(row.pivots, "{:.2g}"), table_cell(row.most_pivots, "{:g}")),
      row.fallbacks + row.switches, kinds_text(row));
}

std::string references_text(const Comparison& comparison) {
  std::string text = fmt::format("error m: {}\n", kStateNorm);
  for (const ComparisonReference& reference : comparison.references)
    text +=
        fmt::format("of {}: against {}{}\n", reference.model, reference.what,
                    reference.bar > 0.0 ? fmt::format(", which is known to {:.1e} m", reference.bar)
                                        : std::string());
  if (!comparison.references.empty() && !std::isnan(comparison.equal_cost))
    text += fmt::format("pairs in order of their error at {:.2g} s of processor time\n",
                        comparison.equal_cost);
  return text;
}

std::string csv_number(double x) { return std::isnan(x) ? "" : fmt::format("{:.17g}", x); }

long count_of_kind(const ComparisonRow& row, std::string_view kind) {
  for (const auto& [name, count] : row.kinds)
    if (name == kind) return count;
  return 0;
}

// "exact", "parted", or empty if it is a number or not known.
std::string order_word(const ComparisonRow& row) {
  if (row.parted) return "parted";
  return std::isinf(row.order) ? "exact" : "";
}

ComparisonJson order_json(const ComparisonRow& row) {
  if (std::string word = order_word(row); !word.empty()) return word;
  return std::isnan(row.order) ? ComparisonJson() : ComparisonJson(row.order);
}

// null where there is none.
ComparisonJson maybe(double x) { return std::isnan(x) ? ComparisonJson() : json_number(x); }

ComparisonJson row_json(const ComparisonRow& row) {
  ComparisonJson kinds = ComparisonJson::object();
  for (const auto& [kind, count] : row.kinds) kinds[kind] = count;
  return {{"integrator", row.integrator},
          {"model", row.model},
          {"solver", row.solver},
          {"step", row.step},
          {"effective_step", row.effective},
          {"status", row.status},
          {"reason", row.reason},
          {"error_m", maybe(row.error)},
          {"difference_m", maybe(row.difference)},
          {"reference", row.reference},
          {"error_bar_m", maybe(row.bar)},
          {"order", order_json(row)},
          {"formal_order", row.formal_order},
          {"error_at_equal_cost_m", maybe(row.error_at_equal_cost)},
          {"processor_time_s", maybe(row.processor_time)},
          {"wall_time_s", maybe(row.wall_time)},
          {"real_time_factor", maybe(row.speed)},
          {"simulated_time_s", maybe(row.simulated)},
          {"steps", row.steps},
          {"events", kinds},
          {"worst_gap_m", maybe(row.worst_gap)},
          {"energy_residual_max_J", maybe(row.energy_residual)},
          {"drift_m", maybe(row.drift)},
          {"worst_slip_mps", maybe(row.slip)},
          {"worst_solver_residual", maybe(row.residual)},
          {"pivots_mean", maybe(row.pivots)},
          {"pivots_max", maybe(row.most_pivots)},
          {"fallbacks", row.fallbacks},
          {"solver_switches", row.switches}};
}

ComparisonJson shadows_json(const ComparisonShadows& shadows) {
  ComparisonJson models = ComparisonJson::array();
  for (const ShadowTotals& totals : shadows.totals)
    models.push_back({{"model", totals.model},
                      {"problems", totals.problems},
                      {"unsolved", totals.unsolved},
                      {"differing", totals.differing},
                      {"impulse_Ns", json_number(totals.impulse)},
                      {"difference_Ns", json_number(totals.difference)},
                      {"loss_J", json_number(totals.loss)},
                      {"motion_max_J", json_number(totals.motion)},
                      {"worst",
                       {{"share", json_number(totals.worst_share)},
                        {"t", json_number(totals.worst_t)},
                        {"a", totals.worst_a},
                        {"b", totals.worst_b}}}});
  return {{"of", shadows.of}, {"failure", shadows.failure}, {"models", models}};
}

std::string step_text(double step) {
  return step < 1.0 ? fmt::format("{:.4g} ms", 1e3 * step) : fmt::format("{:.4g} s", step);
}

using Rows = std::vector<const ComparisonRow*>;

// Whether a is the better advice: near enough and cheaper, else nearer, else of the smaller step.
bool better(const ComparisonRow& a, const ComparisonRow& b, double wanted) {
  const bool near_a = a.error <= wanted, near_b = b.error <= wanted;
  if (near_a != near_b) return near_a;
  if (near_a) return a.processor_time < b.processor_time;
  return a.error != b.error ? a.error < b.error : a.effective < b.effective;
}

// nullptr if no error is known.
const ComparisonRow* best_of(const Rows& rows, double wanted) {
  const ComparisonRow* best = nullptr;
  for (const ComparisonRow* row : rows)
    if (!std::isnan(row->error) && (best == nullptr || better(*row, *best, wanted))) best = row;
  return best;
}

// "rk4 with steps of 1 ms (0.8 s of processor time, error 1.2e-10 m)".
std::string praise(const ComparisonRow& row, const std::string& name) {
  return fmt::format("{} with steps of {} ({:.2g} s of processor time, error {}{:.1e} m)", name,
                     step_text(row.effective), row.processor_time,
                     is_upper_bound(row) ? "below " : "", row.error);
}

std::string blame(const ComparisonRow& row, const std::string& name) {
  return fmt::format("none is that near: the nearest, {} with steps of {}, is off by {:.1e} m",
                     name, step_text(row.effective), row.error);
}

// Whether the errors of a model's runs are known from enough steps to be advised by.
bool carries_advice(const Comparison& comparison, const std::string& model) {
  return comparison.compared_rows >= kFewestCompared &&
         std::ranges::none_of(comparison.references, [&](const ComparisonReference& reference) {
           return reference.model == model && !reference.carries_advice;
         });
}

constexpr const char* kFewSteps = "no advice from fewer than three steps of different lengths";

std::string advice_of_model(const std::string& model, const ComparisonRow* best, bool enough,
                            double wanted) {
  if (!enough) return fmt::format("; with {} {}", model, kFewSteps);
  if (best == nullptr) return fmt::format("; with {} no error is known", model);
  return fmt::format("; with {} {}", model,
                     best->error <= wanted ? "it is " + praise(*best, best->integrator)
                                           : blame(*best, best->integrator));
}

std::string why_no_advice(const Comparison& comparison) {
  if (comparison.compared_rows == 0) return "no error is known: no run has a row after its start";
  if (comparison.compared_rows < kFewestCompared)
    return fmt::format(
        "no order and no advice from {} {} of state.csv after the start: take a shorter "
        "record.every, steps that divide each other, or a longer --duration",
        comparison.compared_rows, comparison.compared_rows == 1 ? "row" : "rows");
  return fmt::format("{}: give three at one ratio (--steps h,h/2,h/4)", kFewSteps);
}

}  // namespace

bool is_upper_bound(const ComparisonRow& row) {
  return row.reference || row.difference < row.error;
}

std::string number_text(double x, int digits) {
  return std::isnan(x) ? "-" : fmt::format("{:.{}g}", x, digits);
}

std::string order_text(const ComparisonRow& row) {
  if (std::string word = order_word(row); !word.empty()) return word;
  return table_cell(row.order, "{:.2f}");
}

std::string error_text(const ComparisonRow& row) {
  if (std::isnan(row.error)) return row.reference ? "reference" : "-";
  return fmt::format("{}{:.1e}", is_upper_bound(row) ? "<" : "", row.error);
}

std::string kinds_text(const ComparisonRow& row) {
  std::string text;
  for (const auto& [kind, count] : row.kinds)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text.empty() ? "none" : text;
}

std::string comparison_table(const Comparison& comparison) {
  std::string text = fmt::format(
      "{:<17} {:<16} {:>8} {:>9} {:>9} {:>8} {:>6} {:>8} {:>8} {:>7} {:>8} {:>9} {:>8} {:>8} {:>8} "
      "{:>9} {:>11} {:>5}  {}\n",
      "integrator", "model", "step s", "effective", "error m", "bar m", "order", "cpu s", "wall s",
      "x real", "steps", "gap m", "energy J", "drift m", "slip m/s", "residual", "pivots", "fall.",
      "events");
  for (const ComparisonRow& row : comparison.rows) {
    text += fmt::format("{:<17} {:<16} {:>8g} {:>9.3g} ", row.integrator, row.model, row.step,
                        row.effective);
    text += row.status == "finished" ? finished_cells(row)
                                     : fmt::format(" {}: {}\n", row.status, row.reason);
  }
  return text + references_text(comparison);
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "integrator,model,solver,step,effective_step,status,reason,error_m,difference_m,reference,"
      "error_bar_m,order,formal_order,error_at_equal_cost_m,processor_time_s,wall_time_s,"
      "real_time_factor,steps,events,worst_gap_m,energy_residual_max_J,drift_m,worst_slip_mps,"
      "worst_solver_residual,pivots_mean,pivots_max,fallbacks,solver_switches";
  for (int kind = 0; kind < kEventKinds; ++kind)
    text += fmt::format(",{}", event_name(static_cast<EventKind>(kind)));
  text += '\n';
  for (const ComparisonRow& row : comparison.rows) {
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
        row.integrator, row.model, row.solver, csv_number(row.step), csv_number(row.effective),
        row.status, csv_word(row.reason), csv_number(row.error), csv_number(row.difference),
        row.reference ? 1 : 0, csv_number(row.bar),
        order_word(row).empty() ? csv_number(row.order) : order_word(row), row.formal_order,
        csv_number(row.error_at_equal_cost), csv_number(row.processor_time),
        csv_number(row.wall_time), csv_number(row.speed), row.steps, row.events,
        csv_number(row.worst_gap), csv_number(row.energy_residual), csv_number(row.drift),
        csv_number(row.slip), csv_number(row.residual), csv_number(row.pivots),
        csv_number(row.most_pivots), row.fallbacks, row.switches);
    for (int kind = 0; kind < kEventKinds; ++kind)
      text += fmt::format(",{}", count_of_kind(row, event_name(static_cast<EventKind>(kind))));
    text += '\n';
  }
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  ComparisonJson json, references = ComparisonJson::array(), rows = ComparisonJson::array();
  for (const ComparisonReference& reference : comparison.references)
    references.push_back({{"model", reference.model},
                          {"what", reference.what},
                          {"error_bar_m", maybe(reference.bar)}});
  for (const ComparisonRow& row : comparison.rows) rows.push_back(row_json(row));
  json["scene"] = comparison.scene;
  json["machine"] = machine();
  json["norm"] = kStateNorm;
  json["wanted_error_m"] = comparison.wanted;
  json["equal_cost_s"] = maybe(comparison.equal_cost);
  json["wall_time_s"] = maybe(comparison.wall_time);
  json["references"] = references;
  json["rows"] = rows;
  json["notes"] = comparison.notes;
  if (!comparison.shadows.of.empty()) json["shadows"] = shadows_json(comparison.shadows);
  json["advice"] = comparison_advice(comparison);
  return json.dump(2, ' ', false, ComparisonJson::error_handler_t::replace) + "\n";
}

std::string comparison_advice(const Comparison& comparison) {
  std::vector<std::string> models;
  Rows all;
  for (const ComparisonRow& row : comparison.rows) {
    if (std::ranges::find(models, row.model) == models.end()) models.push_back(row.model);
    if (row.status == "finished" && carries_advice(comparison, row.model)) all.push_back(&row);
  }
  const double wanted = comparison.wanted;
  const ComparisonRow* best = best_of(all, wanted);
  if (best == nullptr) return why_no_advice(comparison);
  const std::string pair = best->integrator + " x " + best->model;
  std::string text = fmt::format(
      "at {:g} m {}", wanted,
      best->error <= wanted ? "the cheapest is " + praise(*best, pair) : blame(*best, pair));
  for (const std::string& model : models) {
    if (model == best->model) continue;
    Rows of_model;
    std::copy_if(all.begin(), all.end(), std::back_inserter(of_model),
                 [&](const ComparisonRow* row) { return row->model == model; });
    text += advice_of_model(model, best_of(of_model, wanted), carries_advice(comparison, model),
                            wanted);
  }
  return text;
}

}  // namespace pequod::app
