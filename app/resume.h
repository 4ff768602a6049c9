// What an earlier run in the folder means for this one.
#pragma once

#include <optional>
#include <vector>

#include "app/summary.h"
#include "app/walkers.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {

/// The checkpoint to go on from; none if there is none.
/// @throws RunFolderRefused  if it is of another version, if anything but the duration changed, if
///                           it is beyond the end of the scenario, or if its logs are damaged
[[nodiscard]] std::optional<Checkpoint> find_checkpoint(const RunFolder& folder,
                                                        const std::vector<InputPart>& inputs,
                                                        const Scenario& scenario);

/// Refuses to overwrite a run of another scene that could be gone on with.
/// @throws RunFolderRefused
void keep_interrupted_run(const RunFolder& folder, const SceneSource& source,
                          const std::vector<InputPart>& inputs);

/// Makes a finished run one that goes on: its last rows, written because it ended, go from the
/// logs, and the record is due again.
void reopen(const std::filesystem::path& folder, Checkpoint& checkpoint);

/// When robots fell in the earlier part of a run, from its summary.
void recall_falls(const std::filesystem::path& folder, double t, std::vector<Walker>& walkers);

}  // namespace pequod::app
