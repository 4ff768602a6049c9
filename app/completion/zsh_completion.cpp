#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/completion/completion.h"

namespace pequod::app {
namespace {

constexpr const char* kZsh = R"(#compdef pequod
# Completion of pequod in zsh, written by: pequod completion zsh
_pequod() {{
  local curcontext=$curcontext state line
  typeset -A opt_args
  local -a commands=(
{})
  _arguments -C \
{}    '1:command:->command' '*::word:->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
{}      esac
      ;;
  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pequod "$@"; else compdef _pequod pequod; fi
)";

// Between single quotes, with a backslash before what zsh gives a meaning to there.
std::string zsh_text(const std::string& text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_offer(const OptionWords& option) {
  const std::string unit = zsh_text(option.unit, ":");
  switch (option.offer) {
    case Offer::nothing:
      return fmt::format(":{}: ", unit);
    case Offer::files:
      return fmt::format(":{}:_files", unit);
    case Offer::folders:
      return fmt::format(":{}:_files -/", unit);
    case Offer::choice:
      return fmt::format(":{}:({})", unit, fmt::join(option.choices, " "));
    case Offer::list:
      return fmt::format(":{0}:_values -s , {0} {1}", unit, fmt::join(option.choices, " "));
  }
  return "";
}

std::string zsh_arguments(const CommandTree& command, std::string_view indent) {
  std::string lines;
  for (const OptionWords& option : command.options)
    for (const std::string& name : option.names)
      lines += fmt::format("{}'{}[{}]{}' \\\n", indent, name, zsh_text(option.about, "[]:"),
                           option.takes_value ? zsh_offer(option) : "");
  for (const OptionWords& word : command.words)
    lines += fmt::format("{}'*{}' \\\n", indent, zsh_offer(word));
  return lines;
}

}  // namespace

std::string zsh_completion(const CommandTree& tree) {
  std::string commands, cases;
  for (const CommandTree& command : tree.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.about, ":"));
    cases +=
        fmt::format("        {})\n          _arguments \\\n{}            && return\n          ;;\n",
                    command.name, zsh_arguments(command, "            "));
  }
  return fmt::format(kZsh, commands, zsh_arguments(tree, "    "), cases);
}

}  // namespace pequod::app
