#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/answer.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/experiments/experiment.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "scene/choices.h"
#include "scene/diagnostics.h"
#include "scene/yaml.h"
#include "simulation/run_folder.h"

namespace pequod::app {
namespace {

/// The words make no sense; the message says which and what was probably meant.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the words said, as text: numbers are checked where scenes check theirs.
struct Words {
  std::string scene, output, record_problems, checkpoint_every = "1";
  std::string integrator, model, solver, step, duration;
  std::string experiment, scenes;
  std::vector<std::string> packages;
  std::vector<std::string> files, compare;
  std::string kind, plot, margin = "0", l1 = "0", noise = "1e-6";
  std::vector<std::string> bias;
  std::vector<std::string> integrators, models, steps;
  bool resume = false, quiet = false, json = false, version = false, quick = false, all = false;
};

struct Commands {
  CLI::App app{"Event-driven impulse simulator for rigid and articulated bodies in contact",
               "pequod"};
  Words words;
  CLI::App *run = nullptr, *compare = nullptr, *check = nullptr, *solve = nullptr,
           *experiment = nullptr, *quasistatic = nullptr, *fit = nullptr, *list = nullptr,
           *schema = nullptr;
};

CLI::App* add_command(Commands& commands, const char* name, const char* description) {
  CLI::App* command = commands.app.add_subcommand(name, description);
  command->allow_extras();  // reported here, with what was probably meant
  return command;
}

void add_scene(CLI::App& command, Words& words) {
  command.add_option("SCENE", words.scene, "Scene file (YAML)")->type_name("");
  command
      .add_option("--package-path", words.packages,
                  "Folder that holds the packages of package:// paths; may be repeated")
      ->allow_extra_args(false)
      ->type_name("DIR");
  const auto text = [&](const char* name, std::string& word, const char* unit, const char* about) {
    command.add_option(name, word, about)->type_name(unit);
  };
  text("--integrator", words.integrator, "NAME", "In place of the scene's integrator.method");
  text("--model", words.model, "NAME", "In place of the scene's contact.model");
  text("--solver", words.solver, "NAME", "In place of the scene's contact.solver");
  text("--step", words.step, "SECONDS", "In place of the scene's integrator.step");
  text("--duration", words.duration, "SECONDS", "In place of the scene's duration");
}

constexpr const char* kSolveHelp =
    R"(FILE is a problem file, a folder (all .dat, .yaml and .yml files in and below it) or a quoted
pattern. A text file is read as the kind of --kind, else as its folder is called, else as the one
kind that its counts fit; YAML files say their kind. Kinds: {}.
docs/problems.md gives the equations and the layouts.

Each problem is answered in one line: status, the solver that produced the answer, the relative
natural map recomputed from the file's numbers, pivots or iterations, wall time. "solved" means a
natural map of 1e-8 at most, "no-solution" that the solver proved there is none.

Solvers, the default first:
{}
Exit codes: 0 all solved or proven to have no solution, 1 some failed, 2 some input is bad.)";

std::string solve_help() {
  std::vector<std::string> kinds;
  std::string solvers;
  for (const ProblemKind kind : problem_kinds()) {
    kinds.emplace_back(name(kind));
    std::vector<std::string> names;
    for (const SolverName& solver : solvers_of(kind)) names.push_back(solver.name);
    solvers += fmt::format("  {:<15} {}\n", name(kind), join(names));
  }
  return fmt::format(kSolveHelp, join(kinds), solvers);
}

void build_solve(Commands& commands) {
  Words& words = commands.words;
  commands.solve =
      add_command(commands, "solve", "Solve contact and complementarity problems from files");
  CLI::App& solve = *commands.solve;
  solve.add_option("FILE", words.files, "Problem files, folders or patterns")->type_name("");
  solve.add_option("--kind", words.kind, "What the files hold, in place of folder and counts")
      ->type_name("KIND");
  solve.add_option("--solver", words.solver, "In place of the default of the kind")
      ->type_name("NAME");
  solve.add_option("--compare", words.compare, "Several solvers, side by side")
      ->type_name("A,B,C")
      ->delimiter(',')
      ->allow_extra_args(false);
  solve
      .add_option("--model", words.model,
                  "coulomb or associated (the convex model), in place of the file's")
      ->type_name("NAME");
  solve.add_option("--plot", words.plot, "Write a performance profile of the solvers (SVG)")
      ->type_name("FILE");
  solve.add_flag("--json", words.json, "One JSON object a line, with the solution");
  solve.add_flag("--quiet", words.quiet, "No progress");
  solve.footer(solve_help());
}

void build_compare(Commands& commands) {
  Words& words = commands.words;
  commands.compare =
      add_command(commands, "compare",
                  "Run a scene with every integrator, contact model and step, side by side");
  CLI::App& compare = *commands.compare;
  compare.add_option("SCENE", words.scene, "Scene file (YAML)")->type_name("");
  const auto list = [&](const char* name, std::vector<std::string>& into, const char* unit,
                        const char* about) {
    compare.add_option(name, into, about)->type_name(unit)->delimiter(',')->allow_extra_args(false);
  };
  list("--integrators", words.integrators, "A,B,...", "In place of the scene's integrator.method");
  list("--models", words.models, "C,D,...", "In place of the scene's contact.model");
  list("--steps", words.steps, "SECONDS,...",
       "In place of the scene's integrator.step; three at one ratio show the order");
  list("--package-path", words.packages, "DIR",
       "Folder that holds the packages of package:// paths");
  compare.add_option("--duration", words.duration, "In place of the scene's duration")
      ->type_name("SECONDS");
  compare.add_option("--output", words.output, "Folder of the runs; default runs/NAME-compare")
      ->type_name("DIR");
  compare.add_flag("--quiet", words.quiet, "No progress, no warnings");
  compare.footer(
      "One run folder a pair and step, a table, and comparison.csv. A run that fails is a row with "
      "its reason.\nExit codes: 0 all finished, 1 some did not, 2 bad input, 130 interrupted.");
}

void build_experiment(Commands& commands) {
  Words& words = commands.words;
  commands.experiment = add_command(commands, "experiment",
                                    "Run what has a known answer, and print how far off we are");
  CLI::App& experiment = *commands.experiment;
  std::string names;
  for (const Experiment& one : experiments())
    names += fmt::format("  {:<17} {}\n", one.name, one.description);
  experiment.add_option("NAME", words.experiment, "Name of the experiment")->type_name("");
  experiment
      .add_option("--scenes", words.scenes,
                  "Folder of its files; default examples/analytic or examples/quasistatic")
      ->type_name("DIR");
  experiment.add_flag("--quick", words.quick, "Fewer cases: seconds in place of minutes");
  experiment.add_option("--plot", words.plot, "Write the experiment's chart, if it has one (SVG)")
      ->type_name("FILE");
  experiment.add_flag("--json", words.json, "One JSON object with all checks");
  experiment.footer(fmt::format(
      "{}\nExit codes: 0 every figure is as asked, 1 some are not, 2 bad input or usage.", names));
}

void build_quasistatic(Commands& commands) {
  Words& words = commands.words;
  commands.quasistatic =
      add_command(commands, "quasistatic", "Solve a planar quasistatic contact problem");
  CLI::App& quasistatic = *commands.quasistatic;
  quasistatic.add_option("PROBLEM", words.scene, "Problem file (YAML)")->type_name("");
  quasistatic.add_flag("--all", words.all, "Every solution, by contact modes");
  quasistatic.add_flag("--json", words.json, "One JSON object");
  quasistatic.add_option("--plot", words.plot, "Draw contacts, forces and velocities (SVG)")
      ->type_name("FILE");
  quasistatic.footer(
      "docs/quasistatic.md has the file's keys and the equations.\n"
      "Exit codes: 0 solved or proven to have no solution, 1 neither, 2 bad input.");
}

void build_fit(Commands& commands) {
  Words& words = commands.words;
  commands.fit =
      add_command(commands, "fit", "Learn a contact LCP from samples, or friction from a run");
  CLI::App& fit = *commands.fit;
  fit.add_option("DATA", words.scene, "CSV file of samples, or a run folder")->type_name("");
  const auto text = [&](const char* name, std::string& word, const char* about) {
    fit.add_option(name, word, about)->type_name("NUMBER");
  };
  text("--margin", words.margin, "Samples: M lambda + q is at least this; default 0");
  text("--l1", words.l1, "Samples: weight of the sum of the entries' sizes; default 0");
  fit.add_option("--bias", words.bias,
                 "Samples: rows, from 1, whose q has a constant; default none")
      ->type_name("ROW,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  text("--noise", words.noise, "Run: relative noise of a force; default 1e-6");
  fit.add_flag("--json", words.json, "One JSON object");
  fit.footer(
      "Columns of DATA that are called lambda... are the LCP's unknowns, all others its inputs.\n"
      "docs/lcp-notes.md tells what is fitted and what is determined.\n"
      "Exit codes: 0 fitted, 1 some row could not be, 2 bad input.");
}

void build(Commands& commands) {
  Words& words = commands.words;
  commands.app.allow_extras();
  commands.app.add_flag("--version", words.version, "Print the version and exit");
  commands.app.footer(
      "Exit codes: 0 done, 1 the run failed, 2 bad input or usage, 130 interrupted (resumable).");

  commands.run = add_command(commands, "run", "Simulate a scene and log it to a run folder");
  CLI::App& run = *commands.run;
  add_scene(run, words);
  run.add_option("--output", words.output, "Run folder; default runs/NAME of the scene file")
      ->type_name("DIR");
  run.add_option(
         "--record-problems", words.record_problems,
         "Write every contact problem that is solved to a file of its own, for pequod solve")
      ->type_name("DIR");
  run.add_flag("--resume", words.resume, "Go on with the run in the folder, bit for bit");
  run.add_flag("--quiet", words.quiet, "No progress, no warnings");
  run.add_flag("--json", words.json, "Print summary.json instead of the short summary");
  run.add_option("--checkpoint-every", words.checkpoint_every,
                 "Wall time between two checkpoints; default 1")
      ->type_name("SECONDS");

  build_compare(commands);
  commands.check = add_command(
      commands, "check", "Report everything that is wrong with a scene or a URDF, and every guess");
  add_scene(*commands.check, words);
  build_solve(commands);
  build_experiment(commands);
  build_quasistatic(commands);
  build_fit(commands);
  commands.list = add_command(
      commands, "list", "List integrators, contact models, solvers, controllers and their pairs");
  commands.schema = add_command(commands, "schema", "Print the JSON Schema of scenes, for editors");
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string suggest(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string meant = did_you_mean(word, candidates);
  return meant.empty() ? fmt::format("; one of: {}", join(candidates)) : "; " + meant;
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

SceneSource scene_source(const Words& words, const char* command) {
  if (words.scene.empty())
    throw UsageError(fmt::format("{0}: a scene file is missing: pequod {0} SCENE.yaml", command));
  SceneSource source;
  source.scene = words.scene;
  for (const std::string& folder : words.packages) source.options.package_paths.push_back(folder);
  const std::pair<const char*, const std::string*> overrides[] = {
      {"integrator.method", &words.integrator},
      {"contact.model", &words.model},
      {"contact.solver", &words.solver},
      {"integrator.step", &words.step},
      {"duration", &words.duration}};
  for (const auto& [key, text] : overrides)
    if (!text->empty()) source.options.overrides.emplace_back(key, *text);
  return source;
}

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_of(" \t\n'\"\\$&|;<>()*?#~`") == std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

RunRequest run_request(const Words& words, int argc, const char* const* argv) {
  RunRequest request;
  request.source = scene_source(words, "run");
  request.output = words.output;
  request.record_problems = words.record_problems;
  request.resume = words.resume;
  request.quiet = words.quiet;
  request.json = words.json;
  const NumberText every = parse_number(words.checkpoint_every);
  if (!every.value || !(*every.value >= 0.0))
    throw UsageError(fmt::format("--checkpoint-every: \"{}\" is not a time in seconds ≥ 0",
                                 words.checkpoint_every));
  request.checkpoint_every = *every.value;
  for (int i = 0; i < argc; ++i) request.command_line += (i > 0 ? " " : "") + quoted(argv[i]);
  return request;
}

// One of the words, or the error that tells which was meant.
void require_word(const char* option, const std::string& word,
                  const std::vector<std::string>& candidates) {
  if (std::find(candidates.begin(), candidates.end(), word) == candidates.end())
    throw UsageError(
        fmt::format("{}: unknown name \"{}\"{}", option, word, suggest(word, candidates)));
}

void require_solvers(const char* option, const std::vector<std::string>& solvers) {
  std::vector<std::string> all;
  for (const ProblemKind kind : problem_kinds())
    for (const SolverName& solver : solvers_of(kind))
      if (std::find(all.begin(), all.end(), solver.name) == all.end()) all.push_back(solver.name);
  for (const std::string& solver : solvers) require_word(option, solver, all);
}

SolveRequest solve_request(const Words& words) {
  if (words.files.empty())
    throw UsageError("solve: a problem file is missing: pequod solve FILE...");
  if (!words.solver.empty() && !words.compare.empty())
    throw UsageError("solve: --solver and --compare exclude each other");
  SolveRequest request;
  request.files = words.files;
  request.solvers = words.compare;
  if (!words.solver.empty()) request.solvers = {words.solver};
  require_solvers(words.solver.empty() ? "--compare" : "--solver", request.solvers);
  if (!words.kind.empty()) {
    std::vector<std::string> kinds;
    for (const ProblemKind kind : problem_kinds()) kinds.emplace_back(name(kind));
    require_word("--kind", words.kind, kinds);
    request.kind = find_problem_kind(words.kind);
  }
  if (!words.model.empty()) require_word("--model", words.model, {"coulomb", "associated"});
  request.model = words.model;
  request.plot = words.plot;
  request.json = words.json;
  request.quiet = words.quiet;
  return request;
}

CompareRequest compare_request(const Words& words) {
  CompareRequest request;
  request.source = scene_source(words, "compare");
  for (const std::string& name : words.integrators)
    require_word("--integrators", name, integrator_names());
  for (const std::string& name : words.models)
    require_word("--models", name, contact_model_names());
  request.integrators = words.integrators;
  request.models = words.models;
  for (const std::string& text : words.steps) {
    const NumberText step = parse_number(text);
    if (!step.value || !(*step.value > 0.0))
      throw UsageError(fmt::format("--steps: \"{}\" is not a time in seconds > 0", text));
    request.steps.push_back(*step.value);
  }
  request.output = words.output;
  request.quiet = words.quiet;
  return request;
}

ExperimentRequest experiment_request(const Words& words) {
  std::vector<std::string> names;
  for (const Experiment& one : experiments()) names.emplace_back(one.name);
  if (words.experiment.empty())
    throw UsageError(fmt::format("experiment: a name is missing; one of: {}", join(names)));
  require_word("experiment", words.experiment, names);
  return {words.experiment, words.scenes, words.quick, words.json, words.plot};
}

QuasistaticRequest quasistatic_request(const Words& words) {
  if (words.scene.empty())
    throw UsageError("quasistatic: a problem file is missing: pequod quasistatic PROBLEM.yaml");
  return {words.scene, words.all, words.json, words.plot};
}

double number_word(const char* option, const std::string& text) {
  const NumberText number = parse_number(text);
  if (!number.value || !(*number.value >= 0.0) || !std::isfinite(*number.value))
    throw UsageError(fmt::format("{}: \"{}\" is not a number ≥ 0", option, text));
  return *number.value;
}

FitRequest fit_request(const Words& words) {
  if (words.scene.empty())
    throw UsageError("fit: the data are missing: pequod fit DATA.csv, or pequod fit RUN-FOLDER");
  FitRequest request{
      words.scene, number_word("--margin", words.margin), number_word("--l1", words.l1),
      {},          number_word("--noise", words.noise),   words.json};
  for (const std::string& row : words.bias)
    request.bias.push_back(static_cast<int>(number_word("--bias", row)));
  return request;
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
  if (commands.check->parsed()) return check(scene_source(words, "check"));
  if (commands.schema->parsed()) return schema();
  return list();
}

int parse_and_run(int argc, const char* const* argv) {
  Commands commands;
  build(commands);
  try {
    commands.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_out(commands.app.help());
    return kDone;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
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
