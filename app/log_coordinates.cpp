#include "app/log_coordinates.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace pequod::app {
namespace {

// How columns of one quantity end, the first of them first.
struct LogForm {
  std::string_view name, unit;
  std::vector<std::string_view> ends;
};

std::vector<LogCoordinate> shared_coordinates(const StateLog& a, const StateLog& b,
                                              std::span<const LogForm> forms) {
  const auto column = [](const StateLog& log, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(log.names, name) - log.names.begin());
  };
  std::vector<LogCoordinate> shared;
  for (const std::string& name : a.names)
    for (const LogForm& form : forms) {
      if (!name.ends_with(form.ends.front())) continue;
      const std::string stem = name.substr(0, name.size() - form.ends.front().size());
      LogCoordinate one{stem + std::string(form.name), std::string(form.unit), 0, {}, {}};
      bool both = true;
      for (const std::string_view end : form.ends) {
        one.a[one.count] = column(a, stem + std::string(end));
        one.b[one.count] = column(b, stem + std::string(end));
        both = both && one.a[one.count] < a.names.size() && one.b[one.count] < b.names.size();
        ++one.count;
      }
      if (both) shared.push_back(one);
    }
  return shared;
}

}  // namespace

std::vector<LogCoordinate> shared_places(const StateLog& a, const StateLog& b) {
  const std::vector<LogForm> forms{{".position", "m", {".x", ".y", ".z"}},
                                   {".orientation", "rad", {".qw", ".qx", ".qy", ".qz"}},
                                   {".q", "rad or m", {".q"}}};
  return shared_coordinates(a, b, forms);
}

std::vector<LogCoordinate> shared_rates(const StateLog& a, const StateLog& b) {
  const std::vector<LogForm> forms{{".velocity", "m/s", {".vx", ".vy", ".vz"}},
                                   {".angular_velocity", "rad/s", {".wx", ".wy", ".wz"}},
                                   {".v", "rad/s or m/s", {".v"}}};
  return shared_coordinates(a, b, forms);
}

std::vector<LogCoordinate> shared_columns(const StateLog& a, const StateLog& b,
                                          const std::string& prefix, const std::string& unit) {
  std::vector<LogCoordinate> shared;
  for (std::size_t i = 1; i < a.names.size(); ++i) {
    const auto there = std::ranges::find(b.names, a.names[i]);
    if (there == b.names.end()) continue;
    shared.push_back(
        {prefix + a.names[i], unit, 1, {i}, {static_cast<std::size_t>(there - b.names.begin())}});
  }
  return shared;
}

double coordinate_distance(const LogCoordinate& one, const std::vector<double>& a,
                           const std::vector<double>& b) {
  double minus = 0.0, plus = 0.0;
  for (std::size_t i = 0; i < one.count; ++i) {
    const double x = a[one.a[i]], y = b[one.b[i]];
    minus += (x - y) * (x - y);
    plus += (x + y) * (x + y);
  }
  if (one.count < 4) return std::sqrt(minus);
  // |p − q| = 2 sin(θ/4) of unit quaternions; q and −q are one orientation.
  return 4.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(std::min(minus, plus))));
}

double largest_number(const LogCoordinate& one, const StateLog& a) {
  double most = 0.0;
  for (const std::vector<double>& row : a.rows)
    for (std::size_t i = 0; i < one.count; ++i) most = std::max(most, std::abs(row[one.a[i]]));
  return most;
}

bool same_time(const std::vector<double>& a, const std::vector<double>& b) {
  return std::abs(a[0] - b[0]) <= 1e-9 * (1.0 + a[0]);
}

}  // namespace pequod::app
