// Ctrl-C: the first asks the run to end, the second ends it.
#pragma once

namespace pequod::app {

/// From now on SIGINT and SIGTERM are noted instead of ending the process; a second one ends it at
/// once with exit code 130. Signals about broken pipes and file size limits become write errors.
void catch_signals();

[[nodiscard]] bool interrupted();

}  // namespace pequod::app
