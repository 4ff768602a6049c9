// From words to a subcommand.
#pragma once

namespace pequod::app {

/// Does what the command line says. Prints errors.
/// @return the exit code of the program
int run_command_line(int argc, const char* const* argv);

}  // namespace pequod::app
