#include "app/command_words.h"

#include <fmt/format.h>

#include "app/answer.h"
#include "app/commands.h"
#include "app/experiments/experiment.h"
#include "scene/diagnostics.h"

namespace pequod::app {
namespace {

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
  text("--every", words.every, "SECONDS", "In place of the scene's record.every");
  text("--duration", words.duration, "SECONDS", "In place of the scene's duration");
}

constexpr const char* kSolveHelp =
    R"(FILE is a problem file, a folder (all .dat, .yaml and .yml files in and below it) or a quoted
pattern. A text file is read as the kind of --kind, else as its folder is called, else as the one
kind that its counts fit; YAML files say their kind. Kinds: {}.
docs/problems.md gives the equations and the layouts.

Each problem is answered in one line: status, the solver that produced the answer, the relative
natural map recomputed from the file's numbers, pivots or iterations, wall time, and what it
started from: cold (nothing), file (what the file gives to start from), warm (--warm). "solved" means a
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
  solve.add_flag("--warm", words.warm, "Time each solve from the answer of one before it");
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
  compare.add_option("--jobs", words.jobs, "Runs at once; default as many as processors")
      ->type_name("NUMBER");
  compare.add_option("--error", words.error, "The error that the advice is for; default 1e-4")
      ->type_name("METRES");
  compare.add_flag("--shadow", words.shadows,
                   "Solve the contact problems of the first pair and step by all models too (all "
                   "there are if only one is compared), and tell where and how much they differ");
  compare.add_flag("--resume", words.resume,
                   "Keep the runs of an earlier comparison in the folder that are done, and go on "
                   "with those that are not");
  compare.add_flag("--quiet", words.quiet, "No progress, no warnings");
  compare.footer(
      "One run folder a pair and step, a table, comparison.csv, comparison.json and report.html.\n"
      "A run that fails is a row with its reason. Errors are measured against the scene's closed\n"
      "form where it is known, else against the finest run of the same model; docs/compare.md.\n"
      "Exit codes: 0 all finished, 1 some did not, 2 bad input, 130 interrupted (--resume goes "
      "on).");
}

void build_experiment(Commands& commands) {
  Words& words = commands.words;
  // One command at most, or the word after it could be taken for another: `experiment list`.
  commands.app.require_subcommand(0, 1);
  commands.experiment = add_command(commands, "experiment",
                                    "Run what has a known answer, and print how far off we are");
  CLI::App& experiment = *commands.experiment;
  std::string names;
  for (const Experiment* one : experiments())
    names += fmt::format("  {:<17} {}\n", one->name, one->description);
  experiment
      .add_option("NAME", words.experiment,
                  "One of those below; list: shows their state; all: runs them")
      ->type_name("");
  experiment
      .add_option("--scenes", words.scenes,
                  "Folder of its files; default: its own of the examples, beside the working "
                  "folder or the program")
      ->type_name("DIR");
  experiment.add_flag("--quick", words.quick, "Fewer cases: seconds in place of minutes");
  experiment
      .add_option("--plot", words.plot, "Write the experiment's charts (SVG): FILE, FILE-2, ...")
      ->type_name("FILE");
  experiment.add_flag("--json", words.json, "One JSON object: name, machine, rows, checks");
  experiment
      .add_option(
          "--output", words.output,
          "Folder for its results as JSON and CSV, and its charts; all: those that are there "
          "are not run again; default runs/experiments")
      ->type_name("DIR");
  experiment.add_option("--report", words.report, "all: page to write the tables into (Markdown)")
      ->type_name("FILE");
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

void build_plot(Commands& commands) {
  Words& words = commands.words;
  commands.plot = add_command(commands, "plot", "Draw figures of runs from their folders");
  CLI::App& plot = *commands.plot;
  plot.add_option("DIR", words.files, "Run folders")->type_name("");
  plot.add_option("--what", words.what, "Figures; default: all that a run has something of")
      ->type_name("A,B,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  plot.add_option("--format", words.format,
                  "svg, pdf or png; the last two need rsvg-convert or inkscape; default svg")
      ->type_name("NAME");
  plot.add_option("--output", words.output,
                  "File of a single figure; default WHAT.FORMAT in the run folder")
      ->type_name("FILE");
  std::string names;
  for (const std::string& name : plot_names()) names += (names.empty() ? "" : ", ") + name;
  plot.footer("Figures: " + names +
              ".\nExit codes: 0 drawn, 1 a file could not be written, 2 bad input or usage.");
}

void build_pages(Commands& commands) {
  Words& words = commands.words;
  commands.report =
      add_command(commands, "report", "Write a page with the figures and the data of a run");
  commands.view = add_command(commands, "view", "Write a page that shows the motion of a run");
  for (CLI::App* page : {commands.report, commands.view}) {
    const bool view = page == commands.view;
    page->add_option("DIR", words.files, view ? "Run folder, or two to compare" : "Run folder")
        ->type_name("");
    page->add_option("--output", words.output,
                     view ? "The page; default view.html in the first folder"
                          : "The page; default report.html in the folder")
        ->type_name("FILE");
  }
  commands.view
      ->add_option("--video", words.video,
                   "Write a video in place of the page, .mp4 or .webm: needs chromium and ffmpeg")
      ->type_name("FILE");
  commands.view
      ->add_option("--frames", words.frames, "Pictures of a second of the video; default 30")
      ->type_name("NUMBER");
  commands.report->footer(
      "One file, without requests to anywhere; any browser shows it. Figures can be zoomed and\n"
      "read off where ./dev web has bundled the script for it; PEQUOD_WEB may name its folder.\n"
      "Exit codes: 0 written, 1 it could not be, 2 bad input or usage.");
  commands.view->footer(
      "One file, without requests to anywhere; a browser with WebGL 2 shows it, its keys are in\n"
      "the page. The script of the page comes from ./dev web; PEQUOD_WEB may name its folder.\n"
      "Exit codes: 0 written, 1 it could not be, 2 bad input or usage.");
}

void build_fit(Commands& commands) {
  Words& words = commands.words;
  commands.fit = add_command(commands, "fit",
                             "Learn a contact LCP from samples, or friction and masses from a run");
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
  text("--forces", words.forces, "Samples without lambda: how many there are, 1 to 6; default 1");
  text("--noise", words.noise, "Run: relative noise of its figures; default 1e-6");
  fit.add_flag("--json", words.json, "One JSON object");
  fit.footer(
      "Columns of DATA that are called lambda... are the LCP's unknowns, all others its inputs.\n"
      "Without any, columns called next... are what the inputs lead to, through forces unknown.\n"
      "docs/lcp-notes.md tells what is fitted and what is determined.\n"
      "Exit codes: 0 fitted, 1 some row could not be, 2 bad input.");
}

void build_completion(Commands& commands) {
  commands.completion = add_command(commands, "completion",
                                    "Print what completes these words in a shell: bash, zsh, fish");
  commands.completion->add_option("SHELL", commands.words.shell, "bash, zsh or fish")
      ->type_name("");
  commands.completion->footer(
      "An installed pequod has all three where shells look for them; else, in a running bash:\n"
      "  source <(pequod completion bash)");
}

}  // namespace

void declare(Commands& commands) {
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
  run.add_option("--shadow", words.shadow,
                 "Solve every contact problem by these models too, into shadow.csv")
      ->type_name("C,D,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  run.add_flag("--resume", words.resume,
               "Go on with the run in the folder, bit for bit; a longer duration extends it");
  run.add_flag("--overwrite", words.overwrite,
               "Even an interrupted run of another scene in the folder");
  run.add_flag("--profile", words.profile, "Tell where the wall time went");
  run.add_flag("--view", words.view,
               "Show the motion in a browser of this machine while it goes on: prints the address, "
               "and stays until Ctrl-C");
  run.add_flag(
      "--certify", words.certify,
      "Estimate errors by runs at half the step and a tighter tolerance, check every step; "
      "docs/certify.md");
  run.add_flag("--quiet", words.quiet, "No progress, no warnings");
  run.add_flag("--json", words.json, "Print summary.json instead of the short summary");
  run.add_option("--checkpoint-every", words.checkpoint_every,
                 "Wall time between two checkpoints; default 1")
      ->type_name("SECONDS");
  run.add_option(
         "--threads", words.threads,
         "Threads that advance robots and bodies side by side, the same bits at any number; "
         "default 1")
      ->type_name("N");

  build_compare(commands);
  commands.check =
      add_command(commands, "check",
                  "Tell what is wrong with a scene or a URDF, what will surprise, what it means");
  add_scene(*commands.check, words);
  commands.check->add_flag("--json", words.json, "One JSON document");
  build_solve(commands);
  build_experiment(commands);
  build_quasistatic(commands);
  build_fit(commands);
  build_plot(commands);
  build_pages(commands);
  commands.list = add_command(
      commands, "list", "List integrators, contact models, solvers, controllers and their pairs");
  commands.schema = add_command(commands, "schema", "Print the JSON Schema of scenes, for editors");
  build_completion(commands);
}

}  // namespace pequod::app
