// Ctrl-C: the first asks the run to end, the second ends it.
#pragma once

namespace pequod::app {

/// From now on SIGINT and SIGTERM are noted instead of ending the process; a second one ends it at
/// once with exit code 130.
void catch_interrupts();

/// From now on broken pipes and file size limits are write errors instead of ending the process.
void ignore_write_signals();

[[nodiscard]] bool interrupted();

}  // namespace pequod::app
