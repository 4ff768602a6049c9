// Scenes for benchmarks.
#pragma once

#include <filesystem>
#include <stdexcept>

#include "scene/scene.h"

namespace pequod {

/// @throws std::runtime_error  with what is wrong with the scene
inline Scenario load_or_throw(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  Scenario scenario = load_scene(path, {}, diagnostics);
  if (!diagnostics.ok()) throw std::runtime_error(diagnostics.text());
  return scenario;
}

}  // namespace pequod
