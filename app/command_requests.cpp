#include "app/command_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/command_choices.h"
#include "scene/diagnostics.h"
#include "scene/urdf.h"
#include "scene/yaml.h"

namespace pequod::app {
namespace {

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_of(" \t\n'\"\\$&|;<>()*?#~`") == std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// One of the words of a subcommand's option, or the error that tells which was meant.
void require_word(const char* command, const char* option, const std::string& word) {
  const std::vector<std::string> candidates = choices_of(command, option);
  if (std::ranges::find(candidates, word) == candidates.end())
    throw UsageError(fmt::format("{}: unknown name \"{}\"{}", option[0] == '-' ? option : command,
                                 word, suggest(word, candidates)));
}

double number_word(const char* option, const std::string& text) {
  const NumberText number = parse_number(text);
  if (!number.value || !(*number.value >= 0.0) || !std::isfinite(*number.value))
    throw UsageError(fmt::format("{}: \"{}\" is not a number ≥ 0", option, text));
  return *number.value;
}

int whole_word(const char* option, const std::string& text, int least, int most) {
  const NumberText number = parse_number(text);
  if (!number.value || *number.value != std::floor(*number.value) || *number.value < least ||
      *number.value > most)
    throw UsageError(
        fmt::format("{}: \"{}\" is not a whole number from {} to {}", option, text, least, most));
  return static_cast<int>(*number.value);
}

// Those of the command line must be there; those of the environment serve many scenes.
std::vector<std::filesystem::path> package_folders(const Words& words) {
  std::vector<std::filesystem::path> folders;
  std::error_code code;
  for (const std::string& folder : words.packages) {
    if (!std::filesystem::is_directory(folder, code))
      throw UsageError(fmt::format("--package-path: no such folder: {}", folder));
    folders.emplace_back(folder);
  }
  for (const std::filesystem::path& folder : package_paths_from_environment())
    if (std::filesystem::is_directory(folder, code)) folders.push_back(folder);
  return folders;
}

// A drawing comes last: whether it can be written is asked first.
std::filesystem::path plot_file(const std::string& word) {
  std::error_code code;
  if (word.empty()) return word;
  if (std::filesystem::is_directory(word, code))
    throw UsageError(fmt::format("--plot: {} is a folder; name a file in it", word));
  const std::filesystem::path folder = std::filesystem::path(word).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, code))
    throw UsageError(fmt::format("--plot: no such folder: {}", folder.string()));
  return word;
}

}  // namespace

std::string suggest(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string meant = did_you_mean(word, candidates);
  return meant.empty() ? fmt::format("; one of: {}", join(candidates)) : "; " + meant;
}

SceneSource scene_source(const Words& words, const char* command) {
  if (words.scene.empty())
    throw UsageError(fmt::format("{0}: a scene file is missing: pequod {0} SCENE.yaml", command));
  SceneSource source;
  source.scene = words.scene;
  source.options.package_paths = package_folders(words);
  const std::pair<const char*, const std::string*> overrides[] = {
      {"integrator.method", &words.integrator}, {"contact.model", &words.model},
      {"contact.solver", &words.solver},        {"integrator.step", &words.step},
      {"record.every", &words.every},           {"duration", &words.duration}};
  for (const auto& [key, text] : overrides)
    if (!text->empty()) source.options.overrides.emplace_back(key, *text);
  return source;
}

RunRequest run_request(const Words& words, int argc, const char* const* argv) {
  RunRequest request;
  request.source = scene_source(words, "run");
  request.output = words.output;
  request.record_problems = words.record_problems;
  for (const std::string& name : words.shadow) require_word("run", "--shadow", name);
  request.shadow = words.shadow;
  request.resume = words.resume;
  request.overwrite = words.overwrite;
  if (words.resume && !words.shadow.empty())
    throw UsageError(
        "run: --resume and --shadow exclude each other: shadow.csv would lack what came before");
  request.certify = words.certify;
  if (words.resume && words.overwrite)
    throw UsageError("run: --resume and --overwrite exclude each other");
  request.profile = words.profile;
  request.view = words.view;
  request.quiet = words.quiet;
  request.json = words.json;
  const NumberText every = parse_number(words.checkpoint_every);
  if (!every.value || !(*every.value >= 0.0))
    throw UsageError(fmt::format("--checkpoint-every: \"{}\" is not a time in seconds ≥ 0",
                                 words.checkpoint_every));
  request.checkpoint_every = *every.value;
  if (!words.threads.empty())
    request.threads = whole_word("--threads", words.threads, 1, static_cast<int>(kMostThreads));
  for (int i = 0; i < argc; ++i) request.command_line += (i > 0 ? " " : "") + quoted(argv[i]);
  return request;
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
  for (const std::string& solver : request.solvers)
    require_word("solve", words.solver.empty() ? "--compare" : "--solver", solver);
  if (!words.kind.empty()) {
    require_word("solve", "--kind", words.kind);
    request.kind = find_problem_kind(words.kind);
  }
  if (!words.model.empty()) require_word("solve", "--model", words.model);
  request.model = words.model;
  request.plot = plot_file(words.plot);
  request.warm = words.warm;
  request.json = words.json;
  request.quiet = words.quiet;
  return request;
}

CompareRequest compare_request(const Words& words) {
  CompareRequest request;
  request.source = scene_source(words, "compare");
  for (const std::string& name : words.integrators) require_word("compare", "--integrators", name);
  for (const std::string& name : words.models) require_word("compare", "--models", name);
  request.integrators = words.integrators;
  request.models = words.models;
  for (const std::string& text : words.steps) {
    const NumberText step = parse_number(text);
    if (!step.value || !(*step.value > 0.0))
      throw UsageError(fmt::format("--steps: \"{}\" is not a time in seconds > 0", text));
    request.steps.push_back(*step.value);
  }
  request.output = words.output;
  if (!words.jobs.empty()) request.jobs = whole_word("--jobs", words.jobs, 1, 1000);
  request.error = number_word("--error", words.error);
  request.shadow = words.shadows;
  request.resume = words.resume;
  request.quiet = words.quiet;
  return request;
}

ExperimentRequest experiment_request(const Words& words) {
  if (words.experiment.empty())
    throw UsageError(fmt::format("experiment: a name is missing; one of: {}",
                                 join(choices_of("experiment", "NAME"))));
  require_word("experiment", "NAME", words.experiment);
  const bool all = words.experiment == kAllExperiments;
  if (!all && !words.report.empty())
    throw UsageError("experiment: --report is for all of them: experiment all");
  if (words.experiment == kListExperiments && !words.output.empty())
    throw UsageError("experiment: --output is for what is run, not for the list");
  if (all && !(words.scenes.empty() && words.plot.empty()))
    throw UsageError("experiment: --scenes and --plot are for one of them, not for all");
  return {words.experiment,      words.scenes, words.quick, words.json,
          plot_file(words.plot), words.output, words.report};
}

QuasistaticRequest quasistatic_request(const Words& words) {
  if (words.scene.empty())
    throw UsageError("quasistatic: a problem file is missing: pequod quasistatic PROBLEM.yaml");
  return {words.scene, words.all, words.json, plot_file(words.plot)};
}

PlotRequest plot_request(const Words& words) {
  if (words.files.empty())
    throw UsageError("plot: a run folder is missing: pequod plot DIR, as pequod run writes it");
  for (const std::string& name : words.what) require_word("plot", "--what", name);
  require_word("plot", "--format", words.format);
  const std::string ending = std::filesystem::path(words.output).extension().string();
  for (const std::string& other : choices_of("plot", "--format"))
    if (ending == "." + other && other != words.format)
      throw UsageError(fmt::format("plot: --output {0}, but --format {1}: give --format {2}",
                                   words.output, words.format, other));
  PlotRequest request;
  request.folders.assign(words.files.begin(), words.files.end());
  request.what = words.what;
  request.format = words.format;
  request.output = words.output;
  if (!words.output.empty() && (words.files.size() != 1 || words.what.size() != 1))
    throw UsageError(
        "plot: --output names the file of one figure: give one DIR and one word of --what");
  return request;
}

ReportRequest report_request(const Words& words) {
  if (words.files.size() != 1)
    throw UsageError("report: one run folder: pequod report DIR, as pequod run writes it");
  return {words.files.front(), words.output};
}

ViewRequest view_request(const Words& words) {
  if (words.files.empty() || words.files.size() > 2)
    throw UsageError("view: one run folder, or two: pequod view DIR [DIR2]");
  if (!words.output.empty() && !words.video.empty())
    throw UsageError("view: --output is for the page, --video names its own file");
  return {{words.files.begin(), words.files.end()},
          words.output,
          words.video,
          whole_word("--frames", words.frames, 1, 240)};
}

FitRequest fit_request(const Words& words) {
  if (words.scene.empty())
    throw UsageError("fit: the data are missing: pequod fit DATA.csv, or pequod fit RUN-FOLDER");
  FitRequest request;
  request.data = words.scene;
  request.margin = number_word("--margin", words.margin);
  request.l1 = number_word("--l1", words.l1);
  request.noise = number_word("--noise", words.noise);
  request.forces = whole_word("--forces", words.forces, 1, 6);
  request.json = words.json;
  for (const std::string& row : words.bias)
    request.bias.push_back(whole_word("--bias", row, 1, 1000000));
  return request;
}

std::string completion_request(const Words& words) {
  if (words.shell.empty())
    throw UsageError("completion: a shell is missing: pequod completion bash, zsh or fish");
  require_word("completion", "SHELL", words.shell);
  return words.shell;
}

}  // namespace pequod::app
