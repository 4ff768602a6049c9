#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/completion/completion.h"

namespace pequod::app {
namespace {

std::string fish_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return "'" + out + "'";
}

// -x: a value and no files; -r -F: a value, files too.
std::string fish_offer(const OptionWords& option) {
  switch (option.offer) {
    case Offer::nothing:
      return " -x";
    case Offer::files:
      return " -r -F";
    case Offer::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Offer::choice:
      return fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
    case Offer::list:
      return fmt::format(" -x -a '(__fish_append , {})'", fmt::join(option.choices, " "));
  }
  return "";
}

std::string fish_option(const OptionWords& option, const std::string& when) {
  std::string line = "complete -c pequod" + when;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value) line += fish_offer(option);
  return line + " -d " + fish_text(option.about) + "\n";
}

// -F alone offers files; what fish_offer says belongs to the values of options.
std::string fish_word(const OptionWords& word, const std::string& when) {
  if (word.offer == Offer::files) return "complete -c pequod" + when + " -F\n";
  return "complete -c pequod" + when + fish_offer(word).substr(3) + "\n";
}

}  // namespace

std::string fish_completion(const CommandTree& tree) {
  std::string text =
      "# Completion of pequod in fish, written by: pequod completion fish\ncomplete -c pequod -f\n";
  for (const OptionWords& option : tree.options) text += fish_option(option, "");
  for (const CommandTree& command : tree.commands)
    text += fmt::format("complete -c pequod -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_text(command.about));
  for (const CommandTree& command : tree.commands) {
    const std::string when = fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionWords& option : command.options)
      if (option.names.front() != "--help") text += fish_option(option, when);
    for (const OptionWords& word : command.words) text += fish_word(word, when);
  }
  return text;
}

}  // namespace pequod::app
