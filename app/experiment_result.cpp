#include "app/experiment_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/json_number.h"
#include "app/machine.h"

namespace pequod::app {
namespace {

nlohmann::ordered_json as_json(const Finding& finding) {
  nlohmann::ordered_json published;
  if (!finding.peer.empty()) published = finding.peer;
  return {{"what", what(finding)},
          {"value", json_number(finding.measured)},
          {"limit", json_number(finding.asked)},
          {"at_least", finding.at_least},
          {"published", published},
          {"holds", finding.holds()}};
}

nlohmann::ordered_json as_json(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return json_number(*number);
  return std::get<std::string>(cell);
}

// Columns that a terminal shows, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns) {
  return text + std::string(columns - width(text) + 2, ' ');
}

}  // namespace

bool ExperimentResult::holds() const {
  return std::ranges::all_of(findings, [](const Finding& finding) { return finding.holds(); });
}

nlohmann::ordered_json as_json(const ExperimentResult& result) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(), checks = rows;
  for (const Table& table : result.tables)
    for (const std::vector<Cell>& cells : table.rows) {
      nlohmann::ordered_json row{{"table", table.title}};
      for (std::size_t i = 0; i < cells.size(); ++i) row[table.columns[i]] = as_json(cells[i]);
      rows.push_back(row);
    }
  for (const Finding& finding : result.findings) checks.push_back(as_json(finding));
  return {{"name", result.name},  {"quick", result.quick},   {"seconds", result.seconds},
          {"machine", machine()}, {"rows", std::move(rows)}, {"checks", std::move(checks)}};
}

std::size_t count_held(const nlohmann::ordered_json& result) {
  return static_cast<std::size_t>(
      std::count_if(result["checks"].begin(), result["checks"].end(),
                    [](const auto& check) { return check["holds"].template get<bool>(); }));
}

std::string what(const Finding& finding) {
  return fmt::format("{}: {}", finding.scene, finding.quantity);
}

std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.4g}", *number);
  return std::get<std::string>(cell);
}

std::string as_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    widths.push_back(width(table.columns[i]));
    for (const auto& row : table.rows) widths[i] = std::max(widths[i], width(cell_text(row[i])));
  }
  std::string text = table.title + "\n  ";
  for (std::size_t i = 0; i < widths.size(); ++i) text += padded(table.columns[i], widths[i]);
  for (const auto& row : table.rows) {
    text += "\n  ";
    for (std::size_t i = 0; i < widths.size(); ++i) text += padded(cell_text(row[i]), widths[i]);
  }
  return text + "\n";
}

}  // namespace pequod::app
