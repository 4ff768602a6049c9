// Meshes for pictures: with few and whole numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/shape.h"

namespace pequod::app {

/// Triangles between points of a grid.
struct GridMesh {
  Vector3d low = Vector3d::Zero();                   ///< m, where the grid begins
  double unit = kNaN;                                ///< m, from one point of it to the next
  std::vector<std::array<std::int64_t, 3>> corners;  ///< in units from `low`, each once
  std::vector<std::array<int, 3>> triangles;  ///< of corners, in the order of their first use
};

/// The mesh with each vertex at the nearest point of a grid, so that none goes farther than 0.87 of
/// its unit: of 4096 units along the longest side or, where more than `most` triangles are left,
/// half as many, again and again, down to 16. Triangles that become a line, or another one again,
/// are left out (clustering of vertices: Rossignac & Borrel 1993).
[[nodiscard]] GridMesh on_grid(const Mesh& mesh, std::size_t most);

}  // namespace pequod::app
