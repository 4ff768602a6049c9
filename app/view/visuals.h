// What robots look like, for the page that shows a run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/plot/run_data.h"

namespace pequod::app {

/// Visuals of a run's model.json, their meshes read.
struct PackedVisuals {
  nlohmann::ordered_json list;     ///< those that can be drawn; of files the number of their mesh
  nlohmann::ordered_json meshes;   ///< of each: how many corners and triangles, unit and low corner
  std::string columns;             ///< of each mesh x, y, z and the triangles, by pack_integers()
  std::vector<std::string> notes;  ///< what is left out, and why
};

/// Reads each mesh file once. None that cannot be read fails: the page does without.
/// @throws RunFolderRefused  if the list in model.json is damaged
[[nodiscard]] PackedVisuals pack_visuals(const plot::RunData& run);

}  // namespace pequod::app
