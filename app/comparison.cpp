#include "app/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace pequod::app {
namespace {

using Json = nlohmann::json;

constexpr double kSame = 1e-6;       // relative: steps, which grids know to rounding of times
constexpr double kRounding = 1e-11;  // of 1 + |x|: of thousands of steps

// summary.json writes what is no number as text.
double number_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number() ? json[key].get<double>() : NAN;
}

long count_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number_integer() ? json[key].get<long>() : 0;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  for (const std::string& cell : cells_of(line)) {
    double x = NAN;
    std::from_chars(cell.data(), cell.data() + cell.size(), x);
    numbers.push_back(x);
  }
  return numbers;
}

// Header, first and last row of a table.
struct Ends {
  std::vector<std::string> names;
  std::vector<double> first, last;
};

Ends read_ends(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string header, first, last;
  std::getline(file, header);
  for (std::string line; std::getline(file, line);) {
    if (first.empty()) first = line;
    last = line;
  }
  return {cells_of(header), numbers_of(first), numbers_of(last)};
}

// Sideways displacement of the first free body: B.x, B.y, B.z, B.qw … stand in this order.
double drift_of(const Ends& ends) {
  for (std::size_t i = 0; i + 6 < ends.names.size(); ++i) {
    if (!ends.names[i].ends_with(".x") || !ends.names[i + 3].ends_with(".qw")) continue;
    if (ends.first.size() <= i + 6 || ends.last.size() <= i + 6) return NAN;
    const double w = ends.first[i + 3], x = ends.first[i + 4], y = ends.first[i + 5],
                 z = ends.first[i + 6];
    const double yaw = std::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    const double dx = ends.last[i] - ends.first[i], dy = ends.last[i + 1] - ends.first[i + 1];
    return std::abs(std::cos(yaw) * dy - std::sin(yaw) * dx);
  }
  return NAN;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return NAN;
  double sum = 0.0;
  for (std::size_t i = 1; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

double size(const std::vector<double>& a) {
  return distance(a, std::vector<double>(a.size(), 0.0));
}

bool same_pair(const ComparisonRow& a, const ComparisonRow& b) {
  return a.integrator == b.integrator && a.model == b.model;
}

std::string cell(double x, const char* format) {
  return std::isnan(x) ? "-" : fmt::format(fmt::runtime(format), x);
}

std::string order_text(double order, const char* unknown) {
  if (std::isnan(order)) return unknown;
  return std::isinf(order) ? "exact" : fmt::format("{:.2f}", order);
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double x) { return std::isnan(x) ? "" : fmt::format("{:.17g}", x); }

}  // namespace

void read_summary(const std::filesystem::path& folder, ComparisonRow& row) {
  std::ifstream file(folder / "summary.json");
  const Json json = Json::parse(file, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return;
  row.reason = json.value("reason", row.reason);
  row.solver = json.value("solver", row.solver);
  row.simulated = number_of(json, "simulated_time_s");
  row.wall_time = number_of(json, "wall_time_s");
  row.speed = number_of(json, "real_time_factor");
  row.steps = count_of(json, "steps");
  row.events = 0;
  if (json.contains("events"))
    for (const auto& [kind, count] : json["events"].items()) row.events += count.get<long>();
  row.worst_gap = -number_of(json, "max_penetration_m");
  row.energy_residual = number_of(json, "energy_residual_max_J");
  row.residual = number_of(json, "worst_solver_residual");
  row.fallbacks = count_of(json, "fallbacks");
  row.switches = count_of(json, "solver_switches");
}

void read_run(const std::filesystem::path& folder, ComparisonRow& row) {
  read_summary(folder, row);
  row.drift = drift_of(read_ends(folder / "state.csv"));
}

void set_orders(std::span<ComparisonRow> rows, std::span<const std::filesystem::path> folders) {
  std::vector<std::vector<double>> last;
  for (std::size_t i = 0; i < rows.size(); ++i)
    last.push_back(rows[i].status == "finished" ? read_ends(folders[i] / "state.csv").last
                                                : std::vector<double>{});
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!same_pair(rows[i], rows[j]) || !same_pair(rows[i], rows[k])) continue;
        if (!rows[i].even || !rows[j].even || !rows[k].even) continue;
        const double ratio = rows[j].effective / rows[i].effective;
        if (ratio <= 1.0 + kSame ||
            std::abs(rows[k].effective / rows[j].effective / ratio - 1.0) > kSame)
          continue;
        if (last[i].empty() || last[j].empty() || last[k].empty()) continue;
        const double coarse = distance(last[k], last[j]), fine = distance(last[j], last[i]);
        const bool rounding = std::min(coarse, fine) <= kRounding * (1.0 + size(last[i]));
        rows[i].order = rounding ? INFINITY : std::log(coarse / fine) / std::log(ratio);
      }
}

double whole_interval(std::span<const double> steps, double every) {
  constexpr int kMost = 1000;
  const double longest = *std::max_element(steps.begin(), steps.end());
  const auto whole = [](double interval, double step) {
    return std::abs(interval / step - std::round(interval / step)) <= kSame;
  };
  for (int n = 1; n <= kMost; ++n) {
    const double common = n * longest;
    if (!std::all_of(steps.begin(), steps.end(), [&](double h) { return whole(common, h); }))
      continue;
    if (whole(every, common) && every > 0.5 * common) return every;
    return std::max(1.0, std::round(every / common)) * common;
  }
  return every;
}

std::string comparison_table(std::span<const ComparisonRow> rows) {
  std::string text = fmt::format(
      "{:<17} {:<16} {:>8} {:>9}  {:>9} {:>9} {:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>5} {:>6}\n",
      "integrator", "model", "step s", "effective", "wall s", "x real", "steps", "events", "gap m",
      "energy J", "drift m", "residual", "fall.", "order");
  for (const ComparisonRow& row : rows) {
    text += fmt::format("{:<17} {:<16} {:>8g} {:>9.3g}  ", row.integrator, row.model, row.step,
                        row.effective);
    if (row.status != "finished") {
      text += fmt::format("{}: {}\n", row.status, row.reason);
      continue;
    }
    text +=
        fmt::format("{:>9} {:>9} {:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>5} {:>6}\n",
                    cell(row.wall_time, "{:.3g}"), cell(row.speed, "{:.3g}"), row.steps, row.events,
                    cell(row.worst_gap, "{:.1e}"), cell(row.energy_residual, "{:.1e}"),
                    cell(row.drift, "{:.1e}"), cell(row.residual, "{:.1e}"),
                    row.fallbacks + row.switches, order_text(row.order, "-"));
  }
  return text;
}

std::string comparison_csv(std::span<const ComparisonRow> rows) {
  std::string text =
      "integrator,model,solver,step,effective_step,status,reason,wall_time_s,real_time_factor,"
      "steps,events,"
      "worst_gap_m,energy_residual_max_J,drift_m,worst_solver_residual,fallbacks,solver_switches,"
      "order\n";
  for (const ComparisonRow& row : rows)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.integrator,
                        row.model, row.solver, csv_number(row.step), csv_number(row.effective),
                        row.status, csv_text(row.reason), csv_number(row.wall_time),
                        csv_number(row.speed), row.steps, row.events, csv_number(row.worst_gap),
                        csv_number(row.energy_residual), csv_number(row.drift),
                        csv_number(row.residual), row.fallbacks, row.switches,
                        std::isinf(row.order) ? "exact" : csv_number(row.order));
  return text;
}

}  // namespace pequod::app
