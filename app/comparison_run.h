// One run of a comparison: a process, its folder, and what an earlier comparison left there.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/child_process.h"
#include "app/comparison.h"
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
[[nodiscard]] ChildProcess start_run(const ComparisonRun& run, bool resume,
                                     const std::vector<std::string>& more = {});

/// Why a process ended with this code: the first error of its messages, else their first line; of
/// one that was killed, by what.
[[nodiscard]] std::string reason_of(const ChildProcess& child, int code);

/// Once the process has ended with this code: status, reason and figures of the row. The processor
/// time, with that of earlier processes if it was resumed, is kept in the folder as cost.json.
void finish_run(const ComparisonRun& run, const ChildProcess& child, bool resume, int code,
                ComparisonRow& row);

}  // namespace pequod::app
