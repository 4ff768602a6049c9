// What `pequod solve` says about its answers.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "app/answer.h"

namespace pequod::app {

/// One problem and what one solver made of it.
struct Solved {
  std::filesystem::path file;
  std::optional<ProblemKind> kind;  ///< none if the file could not be read
  std::string asked;                ///< the solver that was asked for; empty: the default
  Answer answer;
};

/// One JSON object on a line of its own. A number that is not finite is written as "nan", "inf" or
/// "-inf", because JSON has none.
[[nodiscard]] std::string solved_json(const Solved& solved);

/// The heads of the columns of solved_line(). @param width  of the column of file names
[[nodiscard]] std::string solved_head(std::size_t width);
/// Status, file, solver, natural map, pivots, time and start; the reason on a second line if not
/// solved.
/// @param with_x  the unknowns too, if they are few
[[nodiscard]] std::string solved_line(const Solved& solved, std::size_t width, bool with_x);

/// A row a solver and kind, and one for all kinds of a solver if there are several: problems,
/// solved, without a solution, failed, worst natural map of the solved, time of all.
[[nodiscard]] std::string summary_table(std::span<const Solved> all);

}  // namespace pequod::app
