// Small meshes and height fields for tests.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "core/mesh.h"

namespace pequod::test {

/// A sheet over n × n cells of a square of side `size` (m) about the origin, seen from above.
inline Mesh sheet(int n, double size, const std::function<double(double, double)>& height) {
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const double x = (double(i) / n - 0.5) * size, y = (double(j) / n - 0.5) * size;
      vertices.emplace_back(x, y, height(x, y));
    }
  }
  const auto at = [n](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return make_mesh(vertices, triangles);
}

/// A level height field of side × side samples about the origin, `spacing` apart, m.
inline HeightField level_field(int side, double spacing, double height = 0.0) {
  HeightField field;
  field.nx = field.ny = side;
  field.dx = field.dy = spacing;
  field.origin.setConstant(-0.5 * (side - 1) * spacing);
  field.heights.assign(static_cast<std::size_t>(side * side), height);
  measure_heights(field);
  return field;
}

/// A closed prism over a polygon in the x–y plane (counter-clockwise, cut into the given
/// triangles), from z = 0 to `height` (m).
inline Mesh prism(const std::vector<Eigen::Vector2d>& outline,
                  const std::vector<std::array<int, 3>>& cut, double height) {
  const int n = static_cast<int>(outline.size());
  std::vector<Vector3d> vertices;
  for (const double z : {0.0, height})
    for (const Eigen::Vector2d& p : outline) vertices.emplace_back(p.x(), p.y(), z);
  std::vector<std::array<int, 3>> triangles;
  for (const std::array<int, 3>& t : cut) {
    triangles.push_back({t[2], t[1], t[0]});
    triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    triangles.push_back({i, j, j + n});
    triangles.push_back({i, j + n, i + n});
  }
  return make_mesh(vertices, triangles);
}

inline Mesh box_mesh(const Vector3d& size) {
  const double x = 0.5 * size.x(), y = 0.5 * size.y();
  Mesh mesh = prism({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, {{0, 1, 2}, {0, 2, 3}}, size.z());
  for (Vector3d& p : mesh.vertices) p.z() -= 0.5 * size.z();
  return make_mesh(mesh.vertices, mesh.triangles);
}

/// An L of unit depth: x in 0…2, y in 0…1, but for the corner x > 1, y > ½.
inline Mesh step_mesh(double depth) {
  return prism({{0, 0}, {1, 0}, {2, 0}, {2, 0.5}, {1, 0.5}, {1, 1}, {0, 1}, {0, 0.5}},
               {{0, 1, 7}, {1, 4, 7}, {1, 2, 4}, {2, 3, 4}, {7, 4, 5}, {7, 5, 6}}, depth);
}

}  // namespace pequod::test
