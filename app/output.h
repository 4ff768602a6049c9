// The two streams of the program.
#pragma once

#include <string_view>

namespace pequod::app {

/// Writes to standard output and waits until it is out.
/// @throws FileError  if nobody takes it: a full disk, a closed pipe
void print_out(std::string_view text);

/// Writes to standard error; a failure there has nobody left to hear of it.
void print_error(std::string_view text);

}  // namespace pequod::app
