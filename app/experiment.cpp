#include "app/experiments/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/command_requests.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/experiments/fit_runs.h"
#include "app/experiments/lcp_notes.h"
#include "app/experiments/pang.h"
#include "app/json_number.h"
#include "app/output.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

constexpr std::array<Play, 17> kAnalytic{
    bouncing_ball, cradles,       double_pendulum, struck_robot,  sliding,     slopes,
    rolling,       rocking_block, rimless_wheel,   tumbling,      shots,       piles,
    ball_grids,    spinning_disk, rolling_cone,    kane_levinson, slider_crank};
constexpr std::array<Play, 7> kLcpNotes{falling_block_notes, sliding_block_notes, traditional_notes,
                                        point_mass_notes,    fit_notes,           gradient_notes,
                                        sticking_notes};
constexpr std::array<Play, 1> kPangSets{pang_data_sets}, kPangGrid{pang_friction_grid},
    kPangRandom{pang_random}, kPangEnumeration{pang_enumeration}, kSlowPush{slow_push},
    kFitRuns{fit_runs};
constexpr std::array<Experiment, 8> kExperiments{
    {{"analytic", "scenes with a closed form or a conserved quantity", kAnalytic,
      "examples/analytic"},
     {"lcp-notes", "blocks and a point mass as LCPs, and how sticking is lost (Pfrommer 2019)",
      kLcpNotes},
     {"fit-runs", "friction and masses identified from our own logs, with noise on them", kFitRuns,
      "examples/fit"},
     {"pang-data-sets", "quasistatic data sets 1 to 4 (Pang, Trinkle & Lo 1994)", kPangSets,
      "examples/quasistatic"},
     {"pang-mu-grid", "data set 2 with 125 choices of friction: which jam", kPangGrid,
      "examples/quasistatic"},
     {"pang-random", "their Table 1: twenty types of random problems, solved or proved unsolvable",
      kPangRandom},
     {"pang-enumeration", "work of linear programs against that of enumeration", kPangEnumeration},
     {"slow-push", "quasistatic against dynamic motion at three speeds", kSlowPush,
      "examples/quasistatic"}}};

std::string table_line(const Finding& finding) {
  return fmt::format("{:<18} {:<58} {:>9.2g} {} {:<7.2g} {:<4} {}\n", finding.scene,
                     finding.quantity, finding.measured, finding.at_least ? "≥" : "≤",
                     finding.asked, finding.holds() ? "" : "NO", finding.peer);
}

nlohmann::ordered_json as_json(const Finding& finding) {
  return {{"scene", finding.scene},
          {"quantity", finding.quantity},
          {"measured", json_number(finding.measured)},
          {"asked", json_number(finding.asked)},
          {"at_least", finding.at_least},
          {"peer", finding.peer},
          {"holds", finding.holds()}};
}

// FILE.svg, then FILE-2.svg, FILE-3.svg, …
std::filesystem::path numbered(std::filesystem::path plot, int number) {
  if (number == 1) return plot;
  const std::string name =
      fmt::format("{}-{}{}", plot.stem().string(), number, plot.extension().string());
  return plot.replace_filename(name);
}

// The folder of an experiment's files: below the working folder, or where the program stands, be
// that a build folder in the source tree (a few folders up) or an installed one (share/pequod).
std::filesystem::path find_examples(std::string_view name) {
  namespace fs = std::filesystem;
  if (name.empty() || fs::is_directory(name)) return name;
  std::error_code code;
  fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
  for (int up = 0; up < 4 && !folder.empty(); ++up, folder = folder.parent_path())
    for (const fs::path& below : {folder, folder / "share/pequod"})
      if (fs::is_directory(below / name, code)) return below / name;
  throw UsageError(fmt::format(
      "experiment: its files, {}, are neither here nor beside the program; --scenes DIR names the "
      "folder that holds them",
      name));
}

std::filesystem::path scenes_folder(const ExperimentRequest& request, const Experiment& chosen) {
  if (request.scenes.empty()) return find_examples(chosen.scenes);
  if (!std::filesystem::is_directory(request.scenes))
    throw UsageError(fmt::format("--scenes: no such folder: {}", request.scenes.string()));
  return request.scenes;
}

}  // namespace

std::span<const Experiment> experiments() { return kExperiments; }

int experiment(const ExperimentRequest& request) {
  const Experiment& chosen =
      *std::find_if(kExperiments.begin(), kExperiments.end(),
                    [&](const Experiment& candidate) { return candidate.name == request.name; });
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  bool all = true;
  Stage stage{scenes_folder(request, chosen), request.quick,
              [&](const Finding& finding) {
                all = all && finding.holds();
                if (request.json)
                  checks.push_back(as_json(finding));
                else
                  print_out(table_line(finding));
              },
              [&](std::string_view words) {
                if (!request.json) print_out(words);
              },
              [&, drawn = 0](std::string_view svg) mutable {
                if (!request.plot.empty())
                  replace_file(numbered(request.plot, ++drawn), std::string(svg), false);
              }};
  if (!request.json)
    print_out(fmt::format("{:<18} {:<58} {:>9}   {:<7} {:<4} {}\n", "scene", "quantity", "measured",
                          "asked", "", "published"));
  try {
    for (const Play play : chosen.parts) play(stage);
  } catch (const BadScene& error) {
    print_error(error.what());
    return kBadInput;
  }
  if (request.json)
    print_out(nlohmann::ordered_json{{"experiment", request.name}, {"checks", checks}}.dump(2) +
              "\n");
  return all ? kDone : kFailed;
}

}  // namespace pequod::app
