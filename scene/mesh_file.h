// Triangle meshes from files, and where to look for them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/shape.h"
#include "scene/diagnostics.h"

namespace pequod {

/// Where `name` may lie: "package://name/rest" in each package folder, then beside each parent of
/// `folder`; "file://…" and absolute paths as they are; anything else relative to `folder`.
[[nodiscard]] std::vector<std::filesystem::path> candidate_paths(
    const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::filesystem::path>& package_paths);

/// The package of a "package://name/rest" if no folder that is searched holds it; else empty.
[[nodiscard]] std::string missing_package(const std::string& name,
                                          const std::filesystem::path& folder,
                                          const std::vector<std::filesystem::path>& package_paths);

/// The first candidate that is a file.
[[nodiscard]] std::optional<std::filesystem::path> existing_file(
    const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::filesystem::path>& package_paths);

/// The same; if there is none, an error lists every path that was tried.
[[nodiscard]] std::optional<std::filesystem::path> find_file(
    const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::filesystem::path>& package_paths, const Place& named_at,
    Diagnostics& diagnostics);

/// All triangles of a file (STL, OBJ, DAE, glTF), its units and up-axis applied, then scaled:
/// vertices and triangles only.
[[nodiscard]] std::optional<Mesh> load_mesh(const std::filesystem::path& path,
                                            const Vector3d& scale, const Place& named_at,
                                            Diagnostics& diagnostics);

/// The mesh with its faces and edges. Reports a surface that no solid has.
[[nodiscard]] std::optional<Mesh> surface_of(const Mesh& mesh, const Place& named_at,
                                             Diagnostics& diagnostics);

/// Convex hull of points. Reports points that span no volume.
[[nodiscard]] std::optional<Convex> hull_of(const std::vector<Vector3d>& points,
                                            const Place& named_at, Diagnostics& diagnostics);

}  // namespace pequod
