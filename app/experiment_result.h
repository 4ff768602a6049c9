// What an experiment found, as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/experiments/experiment.h"

namespace pequod::app {

struct ExperimentResult {
  std::string name;
  bool quick = false;
  double seconds = 0.0;  ///< of wall time
  std::vector<Table> tables;
  std::vector<Finding> findings;

  [[nodiscard]] bool holds() const;
};

/// {"name", "quick", "seconds", "machine", "rows", "checks": [{"what", "value", "limit",
/// "at_least", "published", "holds"}]}; a row has its table's title and one member a column.
[[nodiscard]] nlohmann::ordered_json as_json(const ExperimentResult& result);

/// How many checks of such an object hold.
[[nodiscard]] std::size_t count_held(const nlohmann::ordered_json& result);

/// "scene: quantity"
[[nodiscard]] std::string what(const Finding& finding);

/// A number as tables show it, and text as it is.
[[nodiscard]] std::string cell_text(const Cell& cell);

/// The table in columns, each as wide as its widest cell.
[[nodiscard]] std::string as_text(const Table& table);

}  // namespace pequod::app
