// Whether two runs were asked to do the same.
#pragma once

#include <cstdint>
#include <filesystem>

#include "scene/scene.h"

namespace pequod::app {

/// Hash of all that a run depends on: the scene file, the files it names, the shapes read from
/// meshes, and the settings, whether from the file or from the command line.
/// @throws FileError
[[nodiscard]] std::uint64_t hash_scene(const std::filesystem::path& path,
                                       const SceneOptions& options, const Scenario& scenario);

}  // namespace pequod::app
