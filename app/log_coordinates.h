// Columns of state.csv that are one quantity: a point, an orientation, a joint, and their rates.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/comparison.h"

namespace pequod::app {

/// Columns that are compared as one: a joint, a vector or a quaternion.
struct LogCoordinate {
  std::string name;                     ///< "crate.position", "dog/knee.q"
  std::string unit;                     ///< of its distance
  std::size_t count = 1;                ///< 1, 3 or 4
  std::array<std::size_t, 4> a{}, b{};  ///< columns in each log
};

/// Origins, orientations and joints that both logs have, in the order of the first.
[[nodiscard]] std::vector<LogCoordinate> shared_places(const StateLog& a, const StateLog& b);
/// Their velocities.
[[nodiscard]] std::vector<LogCoordinate> shared_rates(const StateLog& a, const StateLog& b);

/// Between a row of each log: a length, or of orientations the angle between them (rad).
[[nodiscard]] double coordinate_distance(const LogCoordinate& one, const std::vector<double>& a,
                                         const std::vector<double>& b);

/// The largest number in the columns of a coordinate in the first log.
[[nodiscard]] double largest_number(const LogCoordinate& one, const StateLog& a);

/// Whether two rows are of one time.
[[nodiscard]] bool same_time(const std::vector<double>& a, const std::vector<double>& b);

/// Columns of one log as coordinates of both, each compared by itself, but for the first, t.
/// @param unit  of all
[[nodiscard]] std::vector<LogCoordinate> shared_columns(const StateLog& a, const StateLog& b,
                                                        const std::string& prefix,
                                                        const std::string& unit);

}  // namespace pequod::app
