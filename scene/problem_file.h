// Contact and complementarity problems from files.
#pragma once

#include <filesystem>
#include <optional>

#include "scene/diagnostics.h"
#include "scene/problem.h"

namespace pequod {

/// Reads a problem: a file that ends in .yaml or .yml in our own layout, anything else in the text
/// layout of its kind (docs/problems.md). The kind of a text is `kind`, else the name of the file's
/// folder if that is one, else the only kind that the file's counts fit.
/// @return nothing if an error was reported: one, with its line and column
[[nodiscard]] std::optional<Problem> read_problem(const std::filesystem::path& path,
                                                  std::optional<ProblemKind> kind,
                                                  Diagnostics& diagnostics);

}  // namespace pequod
