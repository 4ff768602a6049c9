// Robots from URDF files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/robot.h"
#include "scene/diagnostics.h"

namespace pequod {

/// What collision meshes stand for.
enum class CollisionMeshes { hulls, surfaces, none };

struct UrdfOptions {
  /// Folders that hold the packages of `package://` paths, searched before the URDF's own parents.
  std::vector<std::filesystem::path> package_paths;
  CollisionMeshes meshes = CollisionMeshes::hulls;
  Place named_at;  ///< where the file is asked for, if it cannot be read
};

/// Reads a URDF. Every element is honoured, reported, or counted in a note: as ignored (sensors,
/// transmissions, tags of other programs), or as a picture that cannot be drawn. The XML is read by
/// tinyxml2 alone, because urdfdom keeps no lines, sorts the joints by name and drops what it does
/// not know.
/// @return the robot; use it only if no error was reported
[[nodiscard]] Robot load_urdf(const std::filesystem::path& path, const UrdfOptions& options,
                              Diagnostics& diagnostics);

/// Splits PEQUOD_PACKAGE_PATH (folders separated by ':').
[[nodiscard]] std::vector<std::filesystem::path> package_paths_from_environment();

}  // namespace pequod
