// The words that an option takes, where they are known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pequod::app {

/// @param command  a subcommand
/// @param option   "--model", or the name of a word without an option: "NAME"
/// @return         empty where anything may stand, as a number or a file
[[nodiscard]] std::vector<std::string> choices_of(std::string_view command,
                                                  std::string_view option);

}  // namespace pequod::app
