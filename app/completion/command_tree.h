// Subcommands and options as plain data, for the scripts that complete them in a shell.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pequod::app {

/// What a shell offers for a word.
enum class Offer {
  nothing,  ///< a number, say
  files,
  folders,
  choice,  ///< one of `choices`
  list     ///< some of `choices`, with commas between them
};

/// An option, or the word of a subcommand that stands without one.
struct OptionWords {
  std::vector<std::string> names;  ///< "--help", "-h"; of a word without an option: "SCENE"
  std::string about;
  bool takes_value = false;
  std::string unit;  ///< what the value is, in the words of --help: "SECONDS"
  Offer offer = Offer::nothing;
  std::vector<std::string> choices;
};

struct CommandTree {
  std::string name, about;
  std::vector<OptionWords> options;
  std::vector<OptionWords> words;  ///< without an option; the last may stand again
  std::vector<CommandTree> commands;
};

[[nodiscard]] CommandTree command_tree(const CLI::App& app);

}  // namespace pequod::app
