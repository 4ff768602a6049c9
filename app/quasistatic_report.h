// What `pequod quasistatic` says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "contact/quasistatic/quasistatic.h"
#include "scene/quasistatic_file.h"

namespace pequod::app {

[[nodiscard]] std::string_view name(QuasistaticStatus status);

/// Status, method, counts, and each motion with its forces, modes and residuals.
[[nodiscard]] nlohmann::ordered_json quasistatic_json(const QuasistaticSolution& solution);

/// The same as words and tables.
[[nodiscard]] std::string quasistatic_text(const QuasistaticSolution& solution);

/// A motion over time: its events, where it ended, and with JSON every step.
[[nodiscard]] nlohmann::ordered_json motion_json(const QuasistaticRun& run);
[[nodiscard]] std::string motion_text(const QuasistaticRun& run, const PlanarScene& scene);

/// The contacts with their friction cones, forces and velocities, and the shapes if there are any:
/// one SVG document. Contacts of the form of matrices stand where their wrenches say.
/// Only in the plane: three velocities of the object.
[[nodiscard]] std::string quasistatic_svg(const QuasistaticFile& file,
                                          const QuasistaticMotion& motion);

}  // namespace pequod::app
