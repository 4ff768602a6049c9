// What is left to say about a run: summary.json, and a few lines for the reader.
#pragma once

#include <string>
#include <string_view>

#include "app/scene_hash.h"
#include "app/walkers.h"
#include "scene/scene.h"
#include "simulation/record/checkpoint.h"

namespace pequod::app {

enum class RunStatus { running, finished, interrupted, failed };

[[nodiscard]] std::string_view status_name(RunStatus status);

/// Where the scenario came from.
struct SceneSource {
  std::filesystem::path scene;
  SceneOptions options;
};

struct RunReport {
  RunStatus status = RunStatus::running;
  std::string reason;     ///< why it failed or stopped; empty if it did not
  Checkpoint checkpoint;  ///< the last good state
  std::vector<InputPart> inputs;
  std::vector<Walker> walkers;
  bool kept = true;  ///< whether that checkpoint is in the folder, for a resume
};

/// One JSON document, newline at the end. A number that is not finite is written as "nan", "inf" or
/// "-inf", because JSON has none.
[[nodiscard]] std::string summary_json(const SceneSource& source, const Scenario& scenario,
                                       const RunReport& report);

/// The same for people: how far robots with a gait walked and when they fell, steps, events, speed,
/// energy residual, worst gap.
[[nodiscard]] std::string summary_text(const Scenario& scenario, const RunReport& report);

/// "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace pequod::app
