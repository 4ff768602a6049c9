// What a scene means, as `pequod check` tells it: a row a topic, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/robot.h"
#include "simulation/options.h"

namespace pequod::app {

/// One topic.
struct MeaningRow {
  std::string name;              ///< "pairs"
  std::string text;              ///< one or more lines, SI units
  nlohmann::ordered_json value;  ///< the same numbers, SI units
};
using Meaning = std::vector<MeaningRow>;

/// Bodies, robots, joints, masses; gravity, integrator, contact.
[[nodiscard]] Meaning what_moves(const Scenario& scenario);
/// Of a robot alone: links, joints, mass.
[[nodiscard]] Meaning what_moves(const Robot& robot);
/// Pairs of shapes that may touch, and why others may not; what touches at the start, and the
/// smallest gaps of what does not.
[[nodiscard]] Meaning what_touches(const Scenario& scenario);
/// How long a step may be for explicit friction and damping, how long a period for gains, and how
/// far joints sag that hold a posture.
[[nodiscard]] Meaning what_is_stable(const Scenario& scenario);

/// A column of names and one of texts.
[[nodiscard]] std::string meaning_text(const Meaning& meaning);
/// One object, a member a row.
[[nodiscard]] nlohmann::ordered_json meaning_json(const Meaning& meaning);

/// At most `most` of them, then how many more there are.
[[nodiscard]] std::string first_of(const std::vector<std::string>& texts, std::size_t most,
                                   const std::string& between);

}  // namespace pequod::app
