// Quasistatic problems from YAML: as matrices, or as shapes in the plane.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "contact/quasistatic/planar.h"
#include "contact/quasistatic/problem.h"
#include "scene/diagnostics.h"
#include "scene/field.h"
#include "simulation/quasistatic_motion.h"

namespace pequod {

struct QuasistaticFile {
  QuasistaticProblem problem;
  std::optional<PlanarScene> scene;             ///< if the file describes shapes
  std::vector<PlanarContact> contacts;          ///< of the scene, in the problem's order
  std::optional<QuasistaticRunOptions> motion;  ///< if the scene shall be followed over time
};

/// Reads a file of docs/quasistatic.md; everything that is wrong is reported.
[[nodiscard]] std::optional<QuasistaticFile> read_quasistatic(const std::filesystem::path& path,
                                                              Diagnostics& diagnostics);

/// All keys of such a file.
[[nodiscard]] const Field& quasistatic_fields();

}  // namespace pequod
