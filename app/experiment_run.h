// Running an experiment, and finding its files.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "app/commands.h"
#include "app/experiment_result.h"

namespace pequod::app {

/// The folder of an experiment's files: below the working folder, or where the program stands, be
/// that a build folder in the source tree (a few folders up) or an installed one (share/pequod).
[[nodiscard]] std::optional<std::filesystem::path> find_examples(std::string_view name);

/// Where its charts go in a folder of results.
[[nodiscard]] std::filesystem::path charts_in(const std::filesystem::path& folder,
                                              std::string_view name);

/// Runs it; prints tables and figures as they come, unless the request is for JSON, and draws. A
/// terminal is told which of its parts is under way.
/// @throws UsageError  if its files are not found
/// @throws BadScene    if they are wrong
[[nodiscard]] ExperimentResult run_experiment(const ExperimentRequest& request,
                                              const Experiment& chosen);

/// Runs all, each into files of request.output (experiment_files.h) with its charts beside them
/// (NAME.svg, NAME-2.svg, ...), and writes the page of request.report. Those whose object is there
/// already, of the same size, or full, and machine, are not run again.
/// @return kFailed if a figure misses what is asked
int run_all_experiments(const ExperimentRequest& request);

}  // namespace pequod::app
