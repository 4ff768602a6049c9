#include "app/experiment_files.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/csv_table.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

std::string csv_cell(const std::string& word) { return csv_word(word); }
std::string csv_cell(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return csv_word(std::get<std::string>(cell));
}

template <typename Words>
std::string csv_line(const Words& words) {
  std::string line, comma;
  for (const auto& word : words) {
    line += comma + csv_cell(word);
    comma = ",";
  }
  return line + "\n";
}

// With a line of its columns.
std::string as_csv(const Table& table) {
  std::string text = csv_line(table.columns);
  for (const std::vector<Cell>& row : table.rows) text += csv_line(row);
  return text;
}

Table checks_of(const ExperimentResult& result) {
  Table checks{"", {"what", "value", "limit", "at_least", "published", "holds"}, {}};
  for (const Finding& finding : result.findings)
    checks.rows.push_back({what(finding), finding.measured, finding.asked,
                           std::string(finding.at_least ? "true" : "false"), finding.peer,
                           std::string(finding.holds() ? "true" : "false")});
  return checks;
}

}  // namespace

void write_results(const fs::path& folder, const ExperimentResult& result,
                   const nlohmann::ordered_json& object) {
  const auto file = [&](std::string_view ending) {
    return folder / (result.name + std::string(ending));
  };
  for (std::size_t i = 0; i < result.tables.size(); ++i)
    replace_file(file(fmt::format("-table-{}.csv", i + 1)), as_csv(result.tables[i]), false);
  replace_file(file("-checks.csv"), as_csv(checks_of(result)), false);
  replace_file(file(".json"), object.dump(2) + "\n", false);
}

}  // namespace pequod::app
