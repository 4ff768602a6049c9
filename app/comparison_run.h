// One run of a comparison: a process, its folder, and what an earlier comparison left there.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/comparison.h"
#include "app/program.h"
#include "app/summary.h"

namespace pequod::app {

/// How a row is run.
struct ComparisonRun {
  SceneSource source;            ///< with the settings of the row
  std::filesystem::path folder;  ///< of the run
};

/// Whether the folder holds this run, finished by this version: then its row is filled from there.
/// Nothing is started for it, and its files stay as they are.
[[nodiscard]] bool done_before(const ComparisonRun& run, ComparisonRow& row);

/// @param resume  go on with what is in the folder, else start afresh
/// @param more    words of the command line beside those that the run's settings take
[[nodiscard]] Program start_run(const ComparisonRun& run, bool resume,
                                const std::vector<std::string>& more = {});

/// What the run of a row may take, s of processor time: its stages a second, at what a stage has
/// taken in the rows of its pair that have finished. Of a pair that has not been run, ten times
/// what it has taken on average, as it may be the longest; before any has finished, as if that were
/// 1 s.
[[nodiscard]] double expected_cost(const std::vector<ComparisonRow>& rows, std::size_t row);

/// Why a process has ended: the first error of its messages, else their first line; of one that was
/// killed, by what.
[[nodiscard]] std::string reason_of(const Program& program);

/// Once the process has ended: status, reason and figures of the row. The processor time, with that
/// of earlier processes if it was resumed, is kept in the folder as cost.json.
void finish_run(const ComparisonRun& run, const Program& program, bool resume, ComparisonRow& row);

}  // namespace pequod::app
