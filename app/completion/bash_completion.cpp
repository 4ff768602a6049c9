#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/completion/completion.h"

namespace pequod::app {
namespace {

// Two tables and one function that reads them. Bash takes --model=x for three words.
constexpr const char* kBash = R"(# Completion of pequod in bash, written by: pequod completion bash
_pequod() {{
  # Options of each subcommand. What a value may be, by subcommand/option (by subcommand/ where no option
  # stands before): words, of which a comma in front takes several, @files, @folders, or nothing.
  local -A options=(
{})
  local -A values=(
{})
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=pequod word wanted
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  if [[ -n ${{values[$command/$prev]+there}} ]]; then
    wanted=${{values[$command/$prev]}}
  elif [[ $cur == -* ]]; then
    wanted=${{options[$command]-}}
  else
    wanted=${{values[$command/]-}}
  fi
  case $wanted in
    @files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    @folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    ,*)
      compopt -o nospace 2>/dev/null
      word=
      if [[ $cur == *,* ]]; then word=${{cur%,*}},; fi
      mapfile -t COMPREPLY < <(compgen -P "$word" -W "${{wanted#,}}" -- "${{cur##*,}}")
      ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$wanted" -- "$cur") ;;
  esac
}}
complete -F _pequod pequod
)";

std::string bash_offer(const OptionWords& option) {
  switch (option.offer) {
    case Offer::nothing:
      return "";
    case Offer::files:
      return "@files";
    case Offer::folders:
      return "@folders";
    case Offer::choice:
      return fmt::format("{}", fmt::join(option.choices, " "));
    case Offer::list:
      return fmt::format(",{}", fmt::join(option.choices, " "));
  }
  return "";
}

std::string bash_options(const CommandTree& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("    [{}]=\"{}\"\n", command.name, fmt::join(names, " "));
}

std::string bash_values(const CommandTree& command) {
  std::string lines;
  for (const OptionWords& option : command.options)
    for (const std::string& name : option.names)
      if (option.takes_value)
        lines += fmt::format("    [{}/{}]=\"{}\"\n", command.name, name, bash_offer(option));
  for (const OptionWords& word : command.words)
    lines += fmt::format("    [{}/]=\"{}\"\n", command.name, bash_offer(word));
  return lines;
}

}  // namespace

std::string bash_completion(const CommandTree& tree) {
  std::vector<std::string> commands;
  std::string options = bash_options(tree), values;
  for (const CommandTree& command : tree.commands) {
    commands.push_back(command.name);
    options += bash_options(command);
    values += bash_values(command);
  }
  values += fmt::format("    [{}/]=\"{}\"\n", tree.name, fmt::join(commands, " "));
  return fmt::format(kBash, options, values);
}

}  // namespace pequod::app
