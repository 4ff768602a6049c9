// Triangles from STL and OBJ files, in double: assimp keeps floats, in which a cube of 0.1 is
// 0.10000000149.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/shape.h"
#include "scene/diagnostics.h"

namespace pequod {

/// The number that a float was written for: the shortest decimal that gives the same float.
[[nodiscard]] double as_written(float x);

/// Vertices, each once, and triangles of an STL file, text or binary.
/// @param named_at  where the file is named, for what has no place in it
[[nodiscard]] std::optional<Mesh> read_stl(const std::string& bytes,
                                           const std::filesystem::path& path, const Place& named_at,
                                           Diagnostics& diagnostics);

/// The same of an OBJ file; polygons are cut into triangles.
[[nodiscard]] std::optional<Mesh> read_obj(const std::string& text,
                                           const std::filesystem::path& path, const Place& named_at,
                                           Diagnostics& diagnostics);

}  // namespace pequod
