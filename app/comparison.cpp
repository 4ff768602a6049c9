#include "app/comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/comparison_errors.h"
#include "app/csv_table.h"

namespace pequod::app {
namespace {

using Json = nlohmann::json;

// summary.json writes what is no number as text.
double number_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number() ? json[key].get<double>() : NAN;
}

long count_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number_integer() ? json[key].get<long>() : 0;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  const char *at = line.data(), *end = at + line.size();
  while (at <= end) {
    double x = NAN;
    at = std::from_chars(at, end, x).ptr;
    numbers.push_back(x);
    at = std::find(at, end, ',') + 1;
  }
  return numbers;
}

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
  row.kinds.clear();
  if (json.contains("events"))
    for (const auto& [kind, count] : json["events"].items()) {
      row.events += count.get<long>();
      if (count.get<long>() > 0) row.kinds.emplace_back(kind, count.get<long>());
    }
  row.worst_gap = -number_of(json, "max_penetration_m");
  row.energy_residual = number_of(json, "energy_residual_max_J");
  row.slip = number_of(json, "worst_slip_mps");
  row.residual = number_of(json, "worst_solver_residual");
  row.pivots = number_of(json, "pivots_mean");
  row.most_pivots = number_of(json, "pivots_max");
  row.fallbacks = count_of(json, "fallbacks");
  row.switches = count_of(json, "solver_switches");
}

StateLog read_state_log(const std::filesystem::path& path) {
  std::ifstream file(path);
  return read_state_log(file);
}

StateLog read_state_log(std::istream& file) {
  StateLog log;
  std::string line;
  if (std::getline(file, line)) log.names = csv_cells(line);
  while (std::getline(file, line) && !file.eof()) {
    std::vector<double> row = numbers_of(line);
    if (row.size() == log.names.size()) log.rows.push_back(std::move(row));
  }
  return log;
}

double sideways_drift(const StateLog& log) {
  if (log.rows.empty()) return NAN;
  const std::vector<double>&first = log.rows.front(), &last = log.rows.back();
  // B.x, B.y, B.z, B.qw … stand in this order.
  for (std::size_t i = 0; i + 6 < log.names.size(); ++i) {
    if (!log.names[i].ends_with(".x") || !log.names[i + 3].ends_with(".qw")) continue;
    const double w = first[i + 3], x = first[i + 4], y = first[i + 5], z = first[i + 6];
    const double yaw = std::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    const double dx = last[i] - first[i], dy = last[i + 1] - first[i + 1];
    return std::abs(std::cos(yaw) * dy - std::sin(yaw) * dx);
  }
  return NAN;
}

double whole_interval(std::span<const double> steps, double every) {
  constexpr int kMost = 1000;
  const double longest = *std::max_element(steps.begin(), steps.end());
  const auto whole = [](double interval, double step) {
    return std::abs(interval / step - std::round(interval / step)) <= kSameStep;
  };
  for (int n = 1; n <= kMost; ++n) {
    const double common = n * longest;
    if (!std::ranges::all_of(steps, [&](double h) { return whole(common, h); })) continue;
    if (whole(every, common) && every > 0.5 * common) return every;
    return std::max(1.0, std::round(every / common)) * common;
  }
  return every;
}

}  // namespace pequod::app
