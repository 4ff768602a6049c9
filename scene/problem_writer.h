// Problems to text that read_problem() reads back to the same bits.
#pragma once

#include <string>
#include <string_view>

#include "scene/problem.h"

namespace pequod {

/// The layout that write_problem() chooses: "yaml" for qp and least-distance, and for what the text
/// layouts have no place for: a warm start, an answer of a run, the scale of a friction problem;
/// else "dat".
[[nodiscard]] std::string_view problem_extension(const Problem& problem);

/// A problem with 17 significant digits, in the text layout of its kind or, if it has none, in our
/// YAML. Of a least-distance problem the leading columns that count are written.
[[nodiscard]] std::string write_problem(const Problem& problem);

}  // namespace pequod
