// What all experiments found, as a page.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace pequod::app {

/// Markdown: machine and versions, a line for each experiment, then its tables, and its checks as
/// asked and measured.
/// @param results  objects as of `pequod experiment NAME --json`, with their "date"
[[nodiscard]] std::string experiments_report(std::span<const nlohmann::ordered_json> results);

}  // namespace pequod::app
