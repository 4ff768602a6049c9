#include "app/command_line.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "app/command_requests.h"
#include "app/command_words.h"
#include "app/commands.h"
#include "app/completion/completion.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "scene/diagnostics.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Words that CLI11 found no place for: wrong options first, because they shift the rest.
void refuse_extras(const Commands& commands) {
  const std::vector<CLI::App*> chosen = commands.app.get_subcommands();
  const CLI::App& app = chosen.empty() ? commands.app : *chosen.front();
  const std::vector<std::string> extras = commands.app.remaining(true);
  for (const std::string& word : extras) {
    if (!word.starts_with("-")) continue;
    const std::string name = word.substr(0, word.find('='));
    throw UsageError(fmt::format("unknown option {}{}", name, suggest(name, option_names(app))));
  }
  std::vector<std::string> names;
  for (const CLI::App* command : commands.app.get_subcommands({}))
    names.push_back(command->get_name());
  if (chosen.empty() && extras.empty())
    throw UsageError(fmt::format("a subcommand is missing; one of: {}", join(names)));
  if (chosen.empty())
    throw UsageError(
        fmt::format("unknown subcommand \"{}\"{}", extras[0], suggest(extras[0], names)));
  if (!extras.empty())
    throw UsageError(
        fmt::format("{}: unexpected word \"{}\"", chosen.front()->get_name(), extras[0]));
}

int dispatch(const Commands& commands, int argc, const char* const* argv) {
  const Words& words = commands.words;
  if (words.version) {
    print_out(fmt::format("pequod {}\n", version()));
    return kDone;
  }
  refuse_extras(commands);
  if (commands.run->parsed()) return run(run_request(words, argc, argv));
  if (commands.solve->parsed()) return solve(solve_request(words));
  if (commands.compare->parsed()) return compare(compare_request(words));
  if (commands.experiment->parsed()) return experiment(experiment_request(words));
  if (commands.quasistatic->parsed()) return quasistatic(quasistatic_request(words));
  if (commands.fit->parsed()) return fit(fit_request(words));
  if (commands.plot->parsed()) return plot_runs(plot_request(words));
  if (commands.report->parsed()) return report_run(report_request(words));
  if (commands.view->parsed()) return view_runs(view_request(words));
  if (commands.check->parsed()) return check({scene_source(words, "check"), words.json});
  if (commands.schema->parsed()) return schema();
  if (commands.completion->parsed()) {
    print_out(completion_script(command_tree(commands.app), completion_request(words)));
    return kDone;
  }
  return list();
}

// An option whose value is empty, as of a variable that is not set, is none that was left out.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty())
          throw UsageError(
              fmt::format("{}: {} has an empty value", command->get_name(), option->get_name()));
}

int parse_and_run(int argc, const char* const* argv) {
  Commands commands;
  declare(commands);
  try {
    commands.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_out(commands.app.help());
    return kDone;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  refuse_empty_values(commands.app);
  return dispatch(commands, argc, argv);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  ignore_write_signals();
  try {
    return parse_and_run(argc, argv);
  } catch (const UsageError& error) {
    print_error(fmt::format("pequod: {}\nTry: pequod --help\n", error.what()));
    return kBadInput;
  } catch (const RunFolderRefused& error) {
    print_error(fmt::format("pequod: {}\n", error.what()));
    return kBadInput;
  } catch (const std::exception& error) {
    print_error(fmt::format("pequod: error: {}\n", error.what()));
    return kFailed;
  }
}

}  // namespace pequod::app
