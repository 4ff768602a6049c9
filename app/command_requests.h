// From the words of a command line to the requests of the commands.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "app/command_words.h"
#include "app/commands.h"

namespace pequod::app {

/// The words make no sense; the message says which and what was probably meant.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// "; did you mean …" or "; one of: …", for the end of a message about an unknown word.
[[nodiscard]] std::string suggest(const std::string& word,
                                  const std::vector<std::string>& candidates);

/// Each throws UsageError where a word is missing, unknown or no number.
[[nodiscard]] SceneSource scene_source(const Words& words, const char* command);
[[nodiscard]] RunRequest run_request(const Words& words, int argc, const char* const* argv);
[[nodiscard]] SolveRequest solve_request(const Words& words);
[[nodiscard]] CompareRequest compare_request(const Words& words);
[[nodiscard]] ExperimentRequest experiment_request(const Words& words);
[[nodiscard]] QuasistaticRequest quasistatic_request(const Words& words);
[[nodiscard]] PlotRequest plot_request(const Words& words);
[[nodiscard]] ReportRequest report_request(const Words& words);
[[nodiscard]] ViewRequest view_request(const Words& words);
[[nodiscard]] FitRequest fit_request(const Words& words);
/// The shell that completion is for.
[[nodiscard]] std::string completion_request(const Words& words);

}  // namespace pequod::app
