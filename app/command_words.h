// What the command line may say, as CLI11 reads it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pequod::app {

/// What the words said, as text: numbers are checked where scenes check theirs.
struct Words {
  std::string scene, output, record_problems, checkpoint_every = "1", threads;
  std::string integrator, model, solver, step, every, duration;
  std::string experiment, scenes, report, shell;
  std::vector<std::string> packages;
  std::vector<std::string> files, compare;
  std::string kind, plot, margin = "0", l1 = "0", noise = "1e-6", forces = "1";
  std::vector<std::string> bias, what;
  std::string format = "svg";
  std::vector<std::string> integrators, models, steps, shadow;
  std::string jobs, error = "1e-4", video, frames = "30";
  bool resume = false, quiet = false, json = false, version = false, quick = false, all = false,
       overwrite = false, warm = false, shadows = false, view = false, certify = false,
       profile = false;
};

struct Commands {
  CLI::App app{"Event-driven impulse simulator for rigid and articulated bodies in contact",
               "pequod"};
  Words words;
  CLI::App *run = nullptr, *compare = nullptr, *check = nullptr, *solve = nullptr,
           *experiment = nullptr, *quasistatic = nullptr, *fit = nullptr, *list = nullptr,
           *schema = nullptr, *plot = nullptr, *view = nullptr, *report = nullptr,
           *completion = nullptr;
};

/// Declares every subcommand, its options and its help; parsing then fills `commands.words`.
void declare(Commands& commands);

}  // namespace pequod::app
