// Scripts that complete the command line in a shell, from its own subcommands and options.
#pragma once

#include <string>
#include <vector>

#include "app/completion/command_tree.h"

namespace pequod::app {

/// Shells that there is a script for.
[[nodiscard]] std::vector<std::string> shell_names();

/// @param shell  one of shell_names()
[[nodiscard]] std::string completion_script(const CommandTree& tree, const std::string& shell);

[[nodiscard]] std::string bash_completion(const CommandTree& tree);
[[nodiscard]] std::string zsh_completion(const CommandTree& tree);
[[nodiscard]] std::string fish_completion(const CommandTree& tree);

}  // namespace pequod::app
