// The form of shapes of a quasistatic file.
#pragma once

#include <optional>
#include <string>

#include "contact/quasistatic/planar.h"
#include "scene/yaml.h"

namespace pequod {

/// Object and fingers of a file that has passed check_yaml.
[[nodiscard]] std::optional<PlanarScene> read_planar_scene(const YAML::Node& root,
                                                           const std::string& file,
                                                           Diagnostics& diagnostics);

}  // namespace pequod
