// Problems in the text layouts that Siconos writes.
#pragma once

#include "scene/problem.h"
#include "scene/problem_words.h"

namespace pequod {

/// Reads a problem of this kind and stops behind its last number; docs/problems.md has the layouts.
/// @throws ProblemError  also for qp and least-distance, which have no text layout
[[nodiscard]] Problem read_problem_text(ProblemWords& words, ProblemKind kind);

}  // namespace pequod
