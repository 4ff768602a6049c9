// comparison.csv by the names of its columns.
#pragma once

#include <map>
#include <sstream>

#include "test/app/process.h"

namespace pequod::test {

using ComparedRow = std::map<std::string, std::string>;

inline std::vector<ComparedRow> read_comparison(const fs::path& path) {
  std::istringstream stream(read_file(path));
  std::vector<std::string> names;
  std::vector<ComparedRow> rows;
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string> words(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        words.emplace_back();
      else
        words.back() += c;
    }
    if (names.empty()) {
      names = words;
      continue;
    }
    REQUIRE(words.size() == names.size());
    ComparedRow row;
    for (std::size_t i = 0; i < words.size(); ++i) row[names[i]] = words[i];
    rows.push_back(row);
  }
  return rows;
}

inline ComparedRow row_of(const std::vector<ComparedRow>& rows, const std::string& model) {
  for (const ComparedRow& row : rows)
    if (row.at("model") == model) return row;
  FAIL("no row of " << model);
  return {};
}

}  // namespace pequod::test
