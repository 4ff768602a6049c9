// Tables of numbers and words from CSV files.
#pragma once

#include <Eigen/Dense>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/diagnostics.h"

namespace pequod::app {

struct CsvTable {
  std::string file;
  std::vector<std::string> names;               ///< of the columns
  std::vector<std::vector<std::string>> cells;  ///< row by row, as many as names
  std::vector<int> lines;                       ///< of the file, from 1, where the rows stand
  std::vector<std::vector<int>> columns;        ///< of the file, from 1, where the cells stand

  /// Where a cell stands.
  [[nodiscard]] Place place(std::size_t row, std::size_t column) const {
    return {file, lines[row], columns[row][column]};
  }

  /// The column of this name, or −1.
  [[nodiscard]] int column(const std::string& name) const;
};

/// A head line, then rows of as many cells; blank lines are skipped. Reports what is wrong.
/// @param rows_needed  whether a head line alone is wrong
[[nodiscard]] std::optional<CsvTable> read_csv(const std::filesystem::path& path,
                                               Diagnostics& diagnostics, bool rows_needed = true);

/// Cells of a line of which none is quoted, as of the logs.
[[nodiscard]] std::vector<std::string> csv_cells(std::string_view line);

/// A cell as it stands in a file: quoted if it has commas, quotes or line ends (RFC 4180).
[[nodiscard]] std::string csv_word(const std::string& text);

/// A column as finite numbers; each cell that is none is reported.
[[nodiscard]] Eigen::VectorXd numbers_of(const CsvTable& table, int column,
                                         Diagnostics& diagnostics);

}  // namespace pequod::app
