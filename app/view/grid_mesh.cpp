#include "app/view/grid_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace pequod::app {
namespace {

constexpr int kFinest = 4096, kCoarsest = 16;  // units along the longest side

// The same for triangles that differ only in the corner which they begin with.
std::array<int, 3> from_least(std::array<int, 3> triangle) {
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

GridMesh clustered(const Mesh& mesh, const Vector3d& low, double unit) {
  GridMesh grid{low, unit, {}, {}};
  std::map<std::array<std::int64_t, 3>, int> corner_at;
  std::set<std::array<int, 3>> known;
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d x = (nth(mesh.vertices, triangle[k]) - low) / unit;
      const std::array<std::int64_t, 3> place{std::llround(x.x()), std::llround(x.y()),
                                              std::llround(x.z())};
      const auto [found, added] = corner_at.emplace(place, static_cast<int>(grid.corners.size()));
      if (added) grid.corners.push_back(place);
      corners[k] = found->second;
    }
    const bool flat =
        corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
    if (!flat && known.insert(from_least(corners)).second) grid.triangles.push_back(corners);
  }
  return grid;
}

}  // namespace

GridMesh on_grid(const Mesh& mesh, std::size_t most) {
  Vector3d low = Vector3d::Constant(kInfinity), high = -low;
  for (const Vector3d& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double side = (high - low).maxCoeff();
  if (!(side > 0.0)) return {low, 1.0, {}, {}};
  int units = kFinest;
  GridMesh grid = clustered(mesh, low, side / units);
  while (grid.triangles.size() > most && units > kCoarsest) {
    units /= 2;
    grid = clustered(mesh, low, side / units);
  }
  return grid;
}

}  // namespace pequod::app
