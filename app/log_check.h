// Whether the logs of a run folder are still what its checkpoint counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "simulation/options.h"
#include "simulation/record/checkpoint.h"

namespace pequod::app {

/// The last bytes of the first `size` of a file. Logs may be larger than memory.
/// @throws FileError
[[nodiscard]] std::string read_end(const std::filesystem::path& file, std::int64_t size,
                                   std::int64_t bytes);

/// Refuses logs that were changed since the checkpoint was written, as far as that shows: each
/// holds as many bytes as are counted, begins with the head line of this scenario and ends with a
/// whole row; each row of its last 16 MiB has a cell a column, numbers where they belong and a time
/// from the start to the checkpoint.
/// @throws RunFolderRefused  with file and line
void check_logs(const std::filesystem::path& folder, const Scenario& scenario,
                const Checkpoint& checkpoint);

}  // namespace pequod::app
