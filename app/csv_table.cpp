#include "app/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "scene/yaml.h"

namespace pequod::app {
namespace {

struct SplitLine {
  std::vector<std::string> cells;
  std::vector<int> columns;  // where they begin, from 1
};

SplitLine split(const std::string& line) {
  SplitLine result{{""}, {0}};
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ',') {
      result.cells.emplace_back();
      result.columns.push_back(0);
    } else if (c != '\r' && c != ' ' && c != '"') {
      if (result.cells.back().empty()) result.columns.back() = static_cast<int>(i) + 1;
      result.cells.back() += c;
    }
  }
  for (int& column : result.columns) column = std::max(column, 1);
  return result;
}

std::string hint_for_cells(const std::string& line, bool too_many) {
  if (line.find(';') != std::string::npos) return "cells are separated by commas, not by \";\"";
  return too_many ? "decimals are written with a point: 1.5" : "";
}

}  // namespace

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::string csv_word(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

int CsvTable::column(const std::string& name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::optional<CsvTable> read_csv(const std::filesystem::path& path, Diagnostics& diagnostics,
                                 bool rows_needed) {
  const std::string file = path.string();
  const std::optional<std::string> text = read_text(path, {file, 0, 0}, diagnostics);
  if (!text) return std::nullopt;
  CsvTable table;
  table.file = file;
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \r\t") == std::string::npos) continue;
    auto [cells, columns] = split(line);
    if (table.names.empty() && cells.size() == 1 && line.find(';') != std::string::npos) {
      diagnostics.error({file, number, 1}, "one column alone", hint_for_cells(line, false));
      return std::nullopt;
    }
    if (table.names.empty()) {
      table.names = std::move(cells);
    } else if (cells.size() != table.names.size()) {
      diagnostics.error(
          {file, number, 1},
          fmt::format("{} cells, but the head line has {}", cells.size(), table.names.size()),
          hint_for_cells(line, cells.size() > table.names.size()));
    } else {
      table.cells.push_back(std::move(cells));
      table.lines.push_back(number);
      table.columns.push_back(std::move(columns));
    }
  }
  if (!diagnostics.ok()) return std::nullopt;
  if (rows_needed ? table.cells.empty() : table.names.empty())
    diagnostics.error({file, 1, 1}, "a head line and rows of data are needed");
  if (!diagnostics.ok()) return std::nullopt;
  return table;
}

Eigen::VectorXd numbers_of(const CsvTable& table, int column, Diagnostics& diagnostics) {
  const auto c = static_cast<std::size_t>(column);
  Eigen::VectorXd values(static_cast<Eigen::Index>(table.cells.size()));
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const NumberText number = parse_number(table.cells[i][c]);
    values[static_cast<Eigen::Index>(i)] = number.value.value_or(NAN);
    if (!number.value || !std::isfinite(*number.value))
      diagnostics.error(table.place(i, c),
                        fmt::format("column {}: \"{}\" is not a finite number", table.names[c],
                                    table.cells[i][c]),
                        number.hint);
  }
  return values;
}

}  // namespace pequod::app
