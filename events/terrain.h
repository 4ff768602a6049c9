// The surface of a height field as vertices, edges and triangles with fixed indices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/shape.h"
#include "events/contact_sink.h"

namespace pequod {

/// A closed range of cells (or samples); empty if a last is below its first.
struct GridRange {
  int i0 = 0, i1 = -1, j0 = 0, j1 = -1;
};

/// Cells that touch the rectangle centre ± half, m, in the field's frame.
[[nodiscard]] GridRange cells_near(const HeightField& field, double x0, double x1, double y0,
                                   double y1);

/// Height of p (field's frame) over the surface below it, m; −∞ beside the field, where nothing is
/// below.
[[nodiscard]] double height_above(const HeightField& field, const Vector3d& p);

/// Height over the surface at which a point is farther than `reach` (m) from all of the ground,
/// because no facet is steeper than max_slope.
[[nodiscard]] inline double clear_height(const HeightField& field, double reach) {
  return reach * std::sqrt(1.0 + field.max_slope * field.max_slope);
}

/// A lower bound of the height over the surface along the segment between two points, m.
/// @param from_above, to_above  height_above of the ends
[[nodiscard]] double segment_above(const HeightField& field, const Vector3d& from,
                                   double from_above, const Vector3d& to, double to_above);

/// Triangle 2c lies below the diagonal of cell c = i (ny − 1) + j, triangle 2c + 1 above it.
[[nodiscard]] constexpr int triangle_index(const HeightField& field, int i, int j, int half) {
  return 2 * (i * (field.ny - 1) + j) + half;
}
/// Corners, counter-clockwise seen from above.
[[nodiscard]] std::array<Vector3d, 3> triangle(const HeightField& field, int i, int j, int half);

/// The third corner of the neighbour across each side of a triangle, as offset of (i, j).
inline constexpr int kAcross[2][3][2] = {{{0, -1}, {2, 1}, {0, 1}}, {{1, 0}, {1, 2}, {-1, 0}}};

/// Whether p is on the inner side of these sides of a triangle, along its normal or, below the
/// surface, vertically: every point there is below one triangle, and none falls between two that
/// meet in a valley.
[[nodiscard]] bool is_over_facet(const std::array<Vector3d, 3>& corner, std::uint8_t sides,
                                 const Vector3d& p);
/// The same of the point of a rim that is lowest along the facet's normal: below the surface, along
/// that as well. Of two facets that meet in a ridge each may have its lowest point vertically below
/// the other.
[[nodiscard]] bool is_lowest_over_facet(const std::array<Vector3d, 3>& corner, const Vector3d& p);

/// Edge k of sample (i, j): 0 to (i+1, j), 1 to (i+1, j+1), 2 to (i, j+1).
[[nodiscard]] constexpr int edge_index(const HeightField& field, int i, int j, int k) {
  return 3 * (i * field.ny + j) + k;
}

struct TerrainEdge {
  Vector3d from, to;
  std::array<Vector3d, 2> opposite;  ///< third corners of the triangles beside it
  int opposites = 0;                 ///< 1 at the border of the field

  [[nodiscard]] bool is_border() const { return opposites < 2; }
  [[nodiscard]] double top() const { return std::max(from.z(), to.z()); }
};

/// @return false where there is no such edge
[[nodiscard]] bool terrain_edge(const HeightField& field, int i, int j, int k, TerrainEdge& edge);

/// The edge as a feature, followed as an infinite line with the normals between its facets.
[[nodiscard]] NamedFeature ground_edge(const TerrainEdge& edge, int index);

/// A sample as a feature, followed as a point with the normals of the facets around it.
[[nodiscard]] NamedFeature ground_corner(const HeightField& field, int i, int j);

/// By how much the facets around a triangle lean, for its sides and corners (see Feature).
void set_leans(const HeightField& field, int i, int j, int half, Feature& triangle);

/// By how much the facets at the corners of a triangle lean from it, m per metre along its normal.
[[nodiscard]] double unevenness(const HeightField& field, int i, int j, int half);

/// Whether the facets beside an edge rise from it, so that no normal passes is_ridge_normal.
/// @param line  ground_edge() of it
[[nodiscard]] bool is_valley(const TerrainEdge& edge, const Feature& line);

/// Whether the surface near an edge or sample lies below the plane through it with normal n, so
/// that n is a normal of contact there. Within kNormalSlack.
[[nodiscard]] bool is_ridge_normal(const TerrainEdge& edge, const Vector3d& n);
[[nodiscard]] bool is_peak_normal(const HeightField& field, int i, int j, const Vector3d& n);

}  // namespace pequod
