// Columns of a log as the tests read them.
#pragma once

#include <algorithm>

#include "test/app/process.h"

namespace pequod::test {

inline std::vector<std::string> text_column(const fs::path& path, const std::string& name) {
  const auto table = read_table(path);
  const auto found = std::ranges::find(table[0], name);
  REQUIRE_MESSAGE(found != table[0].end(), name);
  std::vector<std::string> column;
  for (std::size_t i = 1; i < table.size(); ++i)
    column.push_back(nth(table[i], found - table[0].begin()));
  return column;
}

inline std::vector<double> number_column(const fs::path& path, const std::string& name) {
  std::vector<double> column;
  for (const std::string& cell : text_column(path, name)) column.push_back(std::stod(cell));
  return column;
}

}  // namespace pequod::test
