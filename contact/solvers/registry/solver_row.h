#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace pequod {

/// A solver by name, of a registry. @tparam Method  what solvers of its kind look like
template <class Method>
struct SolverRow {
  std::string_view name;         ///< as written in a scene or on the command line
  std::string_view description;  ///< one line: method, source, what it assumes
  std::function<Method> solve;
};

/// The row of this name, or null.
template <class Row>
[[nodiscard]] const Row* find_row(std::span<const Row> rows, std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace pequod
