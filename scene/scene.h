// Runs described by YAML files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scene/diagnostics.h"
#include "simulation/options.h"

namespace pequod {

struct SceneOptions {
  /// Folders that hold the packages of `package://` paths, searched before the URDF's own parents.
  std::vector<std::filesystem::path> package_paths;
  /// Dotted keys and the values that replace those of the file: {"integrator.step", "1e-4"}.
  std::vector<std::pair<std::string, std::string>> overrides;
};

/// Reads a scene and everything it names. Reports all errors at once, each with its place; guesses
/// (postures, feet, centres of mass) are notes.
/// @return what to simulate; use it only if no error was reported
[[nodiscard]] Scenario load_scene(const std::filesystem::path& path, const SceneOptions& options,
                                  Diagnostics& diagnostics);

}  // namespace pequod
