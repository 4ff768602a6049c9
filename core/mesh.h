// Triangle meshes as surfaces that bodies touch.
#pragma once

#include <array>
#include <vector>

#include "core/shape.h"

namespace pequod {

/// The mesh with faces (connected triangles within 1e-12 of the size of one plane), edges (straight
/// stretches merged), corners and the tree of boxes. Vertices at the same place become one;
/// triangles without area are left out. Deterministic.
/// @param vertices   m
/// @param triangles  counter-clockwise seen from outside
/// @throws std::invalid_argument  if an index or coordinate is no good, no triangle has an area, a
/// side belongs to more than two triangles or to two that face opposite ways, or a closed mesh is
/// inside out; with the triangles' numbers
[[nodiscard]] Mesh make_mesh(const std::vector<Vector3d>& vertices,
                             const std::vector<std::array<int, 3>>& triangles);

/// Normal of a triangle times twice its area, m².
[[nodiscard]] inline Vector3d area_vector(const Mesh& mesh, int triangle) {
  const std::array<int, 3>& t = nth(mesh.triangles, triangle);
  const Vector3d& a = nth(mesh.vertices, t[0]);
  return (nth(mesh.vertices, t[1]) - a).cross(nth(mesh.vertices, t[2]) - a);
}

}  // namespace pequod
