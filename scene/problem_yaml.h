// Problems in our own YAML layout.
#pragma once

#include <optional>
#include <string>

#include "scene/diagnostics.h"
#include "scene/problem.h"

namespace pequod {

/// Reads a problem; docs/problems.md has the keys.
/// @param kind  if given, the file must be of this kind
/// @return nothing if the text is no YAML, which is reported
/// @throws ProblemError  if it is no problem
[[nodiscard]] std::optional<Problem> read_problem_yaml(const std::string& text,
                                                       const std::string& file,
                                                       std::optional<ProblemKind> kind,
                                                       Diagnostics& diagnostics);

}  // namespace pequod
