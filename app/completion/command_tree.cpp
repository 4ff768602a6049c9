#include "app/completion/command_tree.h"

#include "app/command_choices.h"

namespace pequod::app {
namespace {

Offer offer_of(const OptionWords& option, bool list) {
  if (!option.takes_value) return Offer::nothing;
  if (!option.choices.empty()) return list ? Offer::list : Offer::choice;
  if (option.unit == "DIR") return Offer::folders;
  const bool file = option.unit == "FILE" || option.unit == "SCENE" || option.unit == "PROBLEM" ||
                    option.unit == "DATA";
  return file ? Offer::files : Offer::nothing;
}

OptionWords words_of(const CLI::App& app, const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  if (option.get_positional()) words.names = {option.get_single_name()};
  words.about = option.get_description();
  words.takes_value = option.get_positional() || option.get_items_expected_max() > 0;
  words.unit = option.get_positional() ? words.names.front() : option.get_type_name();
  words.choices = choices_of(app.get_name(), words.names.front());
  words.offer = offer_of(words, option.get_delimiter() == ',');
  return words;
}

}  // namespace

CommandTree command_tree(const CLI::App& app) {
  CommandTree tree;
  tree.name = app.get_name();
  tree.about = app.get_description();
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? tree.words : tree.options).push_back(words_of(app, *option));
  for (const CLI::App* command : app.get_subcommands({}))
    tree.commands.push_back(command_tree(*command));
  return tree;
}

}  // namespace pequod::app
