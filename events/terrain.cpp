#include "events/terrain.h"

#include <algorithm>
#include <cmath>

#include "events/ground_normals.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

/// Cells along one axis that touch [low, high]; a border point belongs to both cells.
void cell_range(double low, double high, double origin, double width, int cells, int& first,
                int& last) {
  // Clamped before the conversion: a far position does not fit into an int.
  const double a = std::clamp(std::ceil((low - origin) / width) - 1.0, -2.0, double(cells));
  const double b = std::clamp(std::floor((high - origin) / width), -2.0, double(cells));
  first = std::max(0, static_cast<int>(a));
  last = std::min(cells - 1, static_cast<int>(b));
}

Vector3d unscaled_normal(const std::array<Vector3d, 3>& corner) {
  return (corner[1] - corner[0]).cross(corner[2] - corner[0]);
}

Vector3d unit_normal(const std::array<Vector3d, 3>& corner) {
  return unscaled_normal(corner).normalized();
}

// Whether p is on the inner side of these sides, along `up`.
bool is_within(const std::array<Vector3d, 3>& corner, std::uint8_t sides, const Vector3d& up,
               const Vector3d& p) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(sides >> k & 1)) continue;
    const Vector3d edge = corner[(k + 1) % 3] - corner[k], inward = up.cross(edge);
    if (inward.dot(p - corner[k]) < -kMerge * inward.norm() * edge.norm()) return false;
  }
  return true;
}

/// Calls visit(unit normal) for the facets around a sample. @return whether there are six
template <typename Visit>
bool visit_facets_around(const HeightField& field, int i, int j, Visit visit) {
  constexpr int kAround[6][3] = {{0, 0, 0},   {0, 0, 1},   {-1, 0, 0},
                                 {-1, -1, 1}, {-1, -1, 0}, {0, -1, 1}};
  bool whole = true;
  for (const auto& [di, dj, half] : kAround) {
    const int ci = i + di, cj = j + dj;
    const bool inside = ci >= 0 && cj >= 0 && ci < field.nx - 1 && cj < field.ny - 1;
    whole = whole && inside;
    if (inside) visit(unit_normal(triangle(field, ci, cj, half)));
  }
  return whole;
}

/// By how much the facets around a sample lean from n, and whether they are all around it.
struct LeanAround {
  double most = 0.0;
  bool whole = true;

  LeanAround(const HeightField& field, int i, int j, const Vector3d& n)
      : whole(visit_facets_around(
            field, i, j, [&](const Vector3d& m) { most = std::max(most, lean_from(n, m)); })) {}
  [[nodiscard]] double known() const { return whole ? most : kInfinity; }
};

/// Corners of the triangles of a cell, as offsets of (i, j).
constexpr int kCorners[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};

}  // namespace

GridRange cells_near(const HeightField& field, double x0, double x1, double y0, double y1) {
  GridRange range;
  cell_range(x0, x1, field.origin.x(), field.dx, field.nx - 1, range.i0, range.i1);
  cell_range(y0, y1, field.origin.y(), field.dy, field.ny - 1, range.j0, range.j1);
  return range;
}

double height_above(const HeightField& field, const Vector3d& p) {
  const double u = (p.x() - field.origin.x()) / field.dx;
  const double v = (p.y() - field.origin.y()) / field.dy;
  if (!(u >= 0.0 && v >= 0.0 && u <= field.nx - 1 && v <= field.ny - 1)) return -kInfinity;
  const int i = std::min(static_cast<int>(u), field.nx - 2);
  const int j = std::min(static_cast<int>(v), field.ny - 2);
  const double a = u - i, b = v - j;
  const double low = field.sample(i, j).z(), high = field.sample(i + 1, j + 1).z();
  const double side = a >= b ? field.sample(i + 1, j).z() : field.sample(i, j + 1).z();
  const double height = a >= b ? low + a * (side - low) + b * (high - side)
                               : low + b * (side - low) + a * (high - side);
  return p.z() - height;
}

double segment_above(const HeightField& field, const Vector3d& from, double from_above,
                     const Vector3d& to, double to_above) {
  const double run = field.max_slope * (to - from).head<2>().norm();
  // The surface rises by at most half the run between the ends over their mean; the segment is no
  // lower than its lower end.
  const double ground = 0.5 * (from.z() - from_above + to.z() - to_above + run);
  return std::min(from.z(), to.z()) - ground;
}

std::array<Vector3d, 3> triangle(const HeightField& field, int i, int j, int half) {
  const Vector3d low = field.sample(i, j), high = field.sample(i + 1, j + 1);
  if (half == 0) return {low, field.sample(i + 1, j), high};
  return {low, high, field.sample(i, j + 1)};
}

bool is_over_facet(const std::array<Vector3d, 3>& corner, std::uint8_t sides, const Vector3d& p) {
  const Vector3d normal = unscaled_normal(corner);
  const bool below = normal.dot(p - corner[0]) < 0.0;
  return is_within(corner, sides, below ? Vector3d::UnitZ() : normal, p);
}

bool is_lowest_over_facet(const std::array<Vector3d, 3>& corner, const Vector3d& p) {
  const Vector3d normal = unscaled_normal(corner);
  const bool below = normal.dot(p - corner[0]) < 0.0;
  return is_within(corner, kAllSides, normal, p) ||
         (below && is_within(corner, kAllSides, Vector3d::UnitZ(), p));
}

bool terrain_edge(const HeightField& field, int i, int j, int k, TerrainEdge& edge) {
  const int di = k < 2 ? 1 : 0, dj = k > 0 ? 1 : 0;
  if (i + di >= field.nx || j + dj >= field.ny) return false;
  edge.from = field.sample(i, j);
  edge.to = field.sample(i + di, j + dj);
  // The corners beside it, as offsets of (i, j): left and right of the direction.
  constexpr int kLeft[3][2] = {{1, 1}, {0, 1}, {-1, 0}}, kRight[3][2] = {{0, -1}, {1, 0}, {1, 1}};
  edge.opposites = 0;
  for (const auto& offset : {kLeft[k], kRight[k]}) {
    const int oi = i + offset[0], oj = j + offset[1];
    if (oi < 0 || oj < 0 || oi >= field.nx || oj >= field.ny) continue;
    nth(edge.opposite, edge.opposites++) = field.sample(oi, oj);
  }
  return true;
}

NamedFeature ground_edge(const TerrainEdge& edge, int index) {
  const Vector3d along = (edge.to - edge.from).normalized();
  NamedFeature out = line_feature(edge.from, along, FeatureClass::edge, index);
  if (edge.is_border()) return out;
  const Vector3d upwards = (Vector3d::UnitZ() - along.z() * along).normalized();
  const Vector3d left = upwards.cross(along);
  out.feature.b = upwards;
  for (int k = 0; k < 2; ++k) {
    const Vector3d beside = nth(edge.opposite, k) - edge.from;
    const double width = left.dot(beside), lean = -upwards.dot(beside) / width;
    (width > 0.0 ? out.feature.lean_high : out.feature.lean_low) = lean;
  }
  return out;
}

NamedFeature ground_corner(const HeightField& field, int i, int j) {
  NamedFeature out = point_feature(field.sample(i, j), FeatureClass::vertex, i * field.ny + j);
  Vector3d sum = Vector3d::Zero();
  if (!visit_facets_around(field, i, j, [&](const Vector3d& n) { sum += n; })) return out;
  out.feature.a = sum.normalized();
  out.feature.lean_high = LeanAround(field, i, j, out.feature.a).known();
  return out;
}

void set_leans(const HeightField& field, int i, int j, int half, Feature& feature) {
  const std::array<Vector3d, 3> corner = triangle(field, i, j, half);
  const Vector3d normal = unit_normal(corner);
  feature.lean_high = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int oi = i + kAcross[half][k][0], oj = j + kAcross[half][k][1];
    const bool inside = oi >= 0 && oj >= 0 && oi < field.nx && oj < field.ny;
    const Vector3d out = (corner[(k + 1) % 3] - corner[k]).cross(normal).normalized();
    feature.side_lean[k] =
        inside ? lean_beyond(normal, out, field.sample(oi, oj) - corner[k]) : kInfinity;
    const int ci = i + kCorners[half][k][0], cj = j + kCorners[half][k][1];
    feature.lean_high = std::max(feature.lean_high, LeanAround(field, ci, cj, normal).known());
  }
}

double unevenness(const HeightField& field, int i, int j, int half) {
  const Vector3d normal = unit_normal(triangle(field, i, j, half));
  double most = 0.0;
  for (const auto& [di, dj] : kCorners[half])
    most = std::max(most, LeanAround(field, i + di, j + dj, normal).most);
  return most;
}

bool is_valley(const TerrainEdge& edge, const Feature& line) {
  if (edge.is_border()) return false;
  // A normal n = b + x left, less its length, passes if lean_low − x and x − lean_high are at most
  // kCrossingSlack |n| |beside| / width.
  const Vector3d left = line.b.cross(line.a);
  double slack = 0.0;
  for (const Vector3d& opposite : edge.opposite) {
    const Vector3d beside = opposite - edge.from;
    slack += kCrossingSlack * beside.norm() / std::abs(left.dot(beside));
  }
  const double steepest = std::max(std::abs(line.lean_low), std::abs(line.lean_high));
  return line.lean_low - line.lean_high > 2.0 * slack * std::hypot(1.0, steepest);
}

bool is_ridge_normal(const TerrainEdge& edge, const Vector3d& n) {
  if (n.z() <= 0.0) return false;  // in a valley the surface seen from below is a ridge
  for (int k = 0; k < edge.opposites; ++k) {
    const Vector3d beside = nth(edge.opposite, k) - edge.from;
    if (n.dot(beside) > kCrossingSlack * beside.norm()) return false;
  }
  return true;
}

bool is_peak_normal(const HeightField& field, int i, int j, const Vector3d& n) {
  if (n.z() <= 0.0) return false;
  constexpr int kRing[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
  const Vector3d p = field.sample(i, j);
  for (const auto& offset : kRing) {
    const int oi = i + offset[0], oj = j + offset[1];
    if (oi < 0 || oj < 0 || oi >= field.nx || oj >= field.ny) continue;
    const Vector3d beside = field.sample(oi, oj) - p;
    if (n.dot(beside) > kCrossingSlack * beside.norm()) return false;
  }
  return true;
}

}  // namespace pequod
