#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>

#include "app/command_requests.h"
#include "app/exit_code.h"
#include "app/experiment_files.h"
#include "app/experiment_run.h"
#include "app/output.h"
#include "app/progress.h"
#include "app/wall_clock.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

std::string table_line(const Finding& finding) {
  return fmt::format("{:<18} {:<58} {:>9.2g} {} {:<7.2g} {:<4} {}\n", finding.scene,
                     finding.quantity, finding.measured, finding.at_least ? "≥" : "≤",
                     finding.asked, finding.holds() ? "" : "NO", finding.peer);
}

// FILE.svg, then FILE-2.svg, FILE-3.svg, …
fs::path numbered(fs::path plot, int number) {
  if (number == 1) return plot;
  const std::string name =
      fmt::format("{}-{}{}", plot.stem().string(), number, plot.extension().string());
  return plot.replace_filename(name);
}

fs::path scenes_folder(const ExperimentRequest& request, const Experiment& chosen) {
  if (request.scenes.empty()) {
    if (const std::optional<fs::path> found = find_examples(chosen.scenes)) return *found;
    throw UsageError(
        fmt::format("experiment: its files, {}, are neither here nor beside the program; --scenes "
                    "DIR names the folder that holds them",
                    chosen.scenes));
  }
  if (!fs::is_directory(request.scenes))
    throw UsageError(fmt::format("--scenes: no such folder: {}", request.scenes.string()));
  return request.scenes;
}

// Whether its files are found; whether its figures hold is told by running it.
int list_experiments(bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::string text;
  for (const Experiment* one : experiments()) {
    const bool ready = find_examples(one->scenes).has_value();
    const std::string state =
        ready ? "ready" : fmt::format("no folder {}", std::string(one->scenes));
    text += fmt::format("{:<18} {:<8} {}\n", one->name, state, one->description);
    all.push_back({{"name", one->name}, {"state", state}, {"description", one->description}});
  }
  print_out(json ? all.dump(2) + "\n" : text);
  return kDone;
}

}  // namespace

std::optional<fs::path> find_examples(std::string_view name) {
  if (name.empty() || fs::is_directory(name)) return name;
  std::error_code code;
  fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
  for (int up = 0; up < 4 && !folder.empty(); ++up, folder = folder.parent_path())
    for (const fs::path& below : {folder, folder / "share/pequod"})
      if (fs::is_directory(below / name, code)) return below / name;
  return {};
}

fs::path charts_in(const fs::path& folder, std::string_view name) {
  return folder / (std::string(name) + ".svg");
}

ExperimentResult run_experiment(const ExperimentRequest& request, const Experiment& chosen) {
  ExperimentResult result{std::string(chosen.name), request.quick, 0.0, {}, {}};
  const auto start = std::chrono::steady_clock::now();
  Progress progress(true);
  std::size_t begun = 0;  // of its parts
  const auto tell = [&] {
    const double share = static_cast<double>(begun - 1) / static_cast<double>(chosen.parts.size());
    progress.draw_share(share, fmt::format("{}: part {} of {}, {:.0f} s so far", chosen.name, begun,
                                           chosen.parts.size(), seconds_since(start)));
  };
  const auto say = [&](std::string_view words) {
    if (request.json) return;
    progress.clear();
    print_out(words);
    if (begun > 0) tell();
  };
  const Stage stage{scenes_folder(request, chosen),
                    request.quick,
                    [&](const Finding& finding) {
                      result.findings.push_back(finding);
                      say(table_line(finding));
                    },
                    [&](const Table& table) {
                      result.tables.push_back(table);
                      say(as_text(table));
                    },
                    say,
                    [&, drawn = 0](std::string_view svg) mutable {
                      if (!request.plot.empty())
                        replace_file(numbered(request.plot, ++drawn), std::string(svg), false);
                    }};
  say(fmt::format("{:<18} {:<58} {:>9}   {:<7} {:<4} {}\n", "scene", "quantity", "measured",
                  "asked", "", "published"));
  for (const Play play : chosen.parts) {
    ++begun;
    tell();
    play(stage);
  }
  result.seconds = seconds_since(start);
  return result;
}

int experiment(const ExperimentRequest& request) {
  if (request.name == kListExperiments) return list_experiments(request.json);
  if (request.name == kAllExperiments) return run_all_experiments(request);
  const std::span<const Experiment* const> all = experiments();
  const Experiment& chosen = **std::ranges::find_if(
      all, [&](const Experiment* candidate) { return candidate->name == request.name; });
  ExperimentRequest asked = request;
  if (!asked.output.empty()) {
    fs::create_directories(asked.output);
    if (asked.plot.empty()) asked.plot = charts_in(asked.output, chosen.name);
  }
  try {
    const ExperimentResult result = run_experiment(asked, chosen);
    const nlohmann::ordered_json object = as_json(result);
    if (!asked.output.empty()) write_results(asked.output, result, object);
    if (asked.json) print_out(object.dump(2) + "\n");
    return result.holds() ? kDone : kFailed;
  } catch (const BadScene& error) {
    print_error(error.what());
    return kBadInput;
  }
}

}  // namespace pequod::app
