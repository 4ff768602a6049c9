#include <algorithm>
#include <cmath>

#include "events/facet_part.h"
#include "events/ground_contacts.h"
#include "events/mesh_view.h"
#include "events/polytope_queries.h"
#include "events/terrain.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

/// The vertices of a body in the field's frame, and their heights over the surface; +∞ for those
/// that no ground reaches.
struct PlacedVertices {
  std::vector<Vector3d> p_Q;
  std::vector<double> above;

  /// @param ceiling  m, no ground is within reach of what is higher
  template <typename Body>
  void place(const Body& P, const Pose& X_QP, const HeightField& Q, double ceiling) {
    p_Q.clear();
    above.clear();
    for (int v = 0; v < P.vertex_count(); ++v) {
      p_Q.push_back(X_QP * P.vertex(v));
      const bool high = p_Q.back().z() > ceiling;
      above.push_back(high ? kInfinity : height_above(Q, p_Q.back()));
    }
  }

  [[nodiscard]] bool high(std::size_t v) const { return above[v] == kInfinity; }
};

/// Whether the segment between two of the vertices passes over all ground by more than `clear`, m.
bool passes_over(const PlacedVertices& placed, std::size_t from, std::size_t to,
                 const HeightField& Q, double clear) {
  if (placed.high(from) && placed.high(to)) return true;
  const auto above = [&](std::size_t v) {
    return placed.high(v) ? height_above(Q, placed.p_Q[v]) : placed.above[v];
  };
  return segment_above(Q, placed.p_Q[from], above(from), placed.p_Q[to], above(to)) > clear;
}

/// Bit k: beyond side k of the triangle the surface goes on, flat or rising (see Feature::open).
std::uint8_t open_sides(const HeightField& Q, int i, int j, int half,
                        const std::array<Vector3d, 3>& corner, const Vector3d& normal) {
  std::uint8_t open = 0;
  for (int k = 0; k < 3; ++k) {
    const int oi = i + kAcross[half][k][0], oj = j + kAcross[half][k][1];
    if (oi < 0 || oj < 0 || oi >= Q.nx || oj >= Q.ny) continue;
    const Vector3d beyond = Q.sample(oi, oj) - nth(corner, k);
    if (normal.dot(beyond) >= -kMerge * beyond.norm() * normal.norm())
      open |= static_cast<std::uint8_t>(1u << k);
  }
  return open;
}

NamedFeature triangle_feature(const HeightField& Q, int i, int j, int half) {
  const std::array<Vector3d, 3> corner = triangle(Q, i, j, half);
  NamedFeature out =
      point_feature(corner[0], FeatureClass::triangle, triangle_index(Q, i, j, half));
  out.feature.kind = FeatureKind::triangle;
  out.feature.a = corner[1];
  out.feature.b = corner[2];
  out.feature.open =
      open_sides(Q, i, j, half, corner, (corner[1] - corner[0]).cross(corner[2] - corner[0]));
  return out;
}

/// A vertex over a triangle. Beyond open sides the neighbour carries what is there. A sharp vertex
/// stands on the plane: held to a border it would be nailed to it, where it only slides past. A
/// rounded one rolls over borders to the next facet, but not from there on: one that is over that
/// one now may come to face this.
void vertex_contact(const HeightField& Q, int i, int j, int half, const NamedFeature& point,
                    bool rounded, const Vector3d& p_Q, const ContactSink& sink) {
  NamedFeature facet = triangle_feature(Q, i, j, half);
  const Feature& f = facet.feature;
  const std::array<Vector3d, 3> corner = {f.p, f.a, f.b};
  if (!is_over_facet(corner, f.open, p_Q)) return;
  if (!rounded && is_over_facet(corner, kAllSides, p_Q)) facet.feature.open = kAllSides;
  if (!sink.add(point, facet) || !rounded) return;
  set_leans(Q, i, j, half, facet.feature);
  if (!leaves_facet(facet.feature, p_Q)) sink.feature_of_Q() = facet.feature;
}

/// From p to the box over a cell, which reaches down for ever; m².
double cell_distance_squared(const HeightField& Q, int i, int j, const Vector3d& p) {
  const Vector3d low = Q.sample(i, j), high = Q.sample(i + 1, j + 1);
  const double top = std::max({low.z(), high.z(), Q.sample(i + 1, j).z(), Q.sample(i, j + 1).z()});
  const double x = std::max({low.x() - p.x(), p.x() - high.x(), 0.0});
  const double y = std::max({low.y() - p.y(), p.y() - high.y(), 0.0});
  const double z = std::max(p.z() - top, 0.0);
  return x * x + y * y + z * z;
}

/// A vertex of P, rounded, against the triangles around it.
template <typename Body>
void vertex_contacts(const Body& P, int vertex, const Vector3d& p_Q, const HeightField& Q,
                     const ContactSink& sink) {
  const double reach = P.rounding() + sink.range;
  const double above = std::max(0.0, p_Q.z() - Q.max_height);
  if (above > reach) return;
  // Triangles at height max_height or less, within reach.
  const double side = std::sqrt(reach * reach - above * above);
  const GridRange cells =
      cells_near(Q, p_Q.x() - side, p_Q.x() + side, p_Q.y() - side, p_Q.y() + side);
  const NamedFeature point = vertex_of(P, vertex);
  for (int i = cells.i0; i <= cells.i1; ++i) {
    for (int j = cells.j0; j <= cells.j1; ++j) {
      if (cell_distance_squared(Q, i, j, p_Q) > reach * reach) continue;
      for (int half = 0; half < 2; ++half)
        vertex_contact(Q, i, j, half, point, P.rounding() > 0.0, p_Q, sink);
    }
  }
}

/// A sample of the field against the faces and edges of P.
void sample_contact(const Polytope& P, const Pose& X_QP, int i, int j, const HeightField& Q,
                    const ContactSink& sink) {
  const Vector3d p_P = X_QP.R.transpose() * (Q.sample(i, j) - X_QP.p);
  const double slack = P.rounding() > 0.0 ? 0.0 : kMerge * (Q.dx + Q.dy);
  // n is out of P, towards the sample.
  const auto may_meet = [&](const Vector3d& n) { return is_peak_normal(Q, i, j, -(X_QP.R * n)); };
  const NearestPart part = nearest_part_to_meet(P, p_P, P.rounding() + sink.range, slack, may_meet);
  if (part.distance - P.rounding() > sink.range || !may_meet(part.normal)) return;
  const NamedFeature sample = ground_corner(Q, i, j);
  if (part.face >= 0) {
    sink.add(face_feature(P.vertex(P.face_vertices(part.face)[0]), P.normal(part.face), part.face),
             sample);
  } else if (part.edge >= 0) {
    sink.add(edge_of(P, part.edge), sample);
  }
}

/// A sample of the field against the faces of a mesh.
void sample_contact(const MeshView& P, const Pose& X_QP, int i, int j, const HeightField& Q,
                    const ContactSink& sink) {
  const Vector3d p_P = X_QP.R.transpose() * (Q.sample(i, j) - X_QP.p);
  const NamedFeature sample = point_feature(Q.sample(i, j), FeatureClass::vertex, i * Q.ny + j);
  const InBox box{p_P.array() - sink.range, p_P.array() + sink.range};
  const std::size_t first = sink.out.size();
  visit_triangles(P.mesh(), box, [&](int t) {
    const Mesh::Face& face = face_around(P.mesh(), t);
    const double height = face.normal.dot(p_P - face.point);
    if (std::abs(height) > sink.range || !is_over_triangle(P.mesh(), t, p_P, 0.0)) return;
    if (!is_peak_normal(Q, i, j, -(X_QP.R * face.normal))) return;
    if (height < 0.0 && point_distance(P.mesh(), p_P) > 0.0) return;
    const NamedFeature plane = face_of(P.mesh(), nth(P.mesh().face_of, t));
    const std::uint64_t name = sink.name(plane.name, sample.name);
    if (std::none_of(sink.out.begin() + static_cast<std::ptrdiff_t>(first), sink.out.end(),
                     [&](const ContactPoint& contact) { return contact.key.feature == name; }))
      sink.add(plane, sample);
  });
}

/// m, how far P reaches below the top of a border.
template <typename Body>
double depth_below(const Body& P, const Pose& X_QP, const TerrainEdge& border) {
  const Vector3d lowest = X_QP * P.vertex(P.support(-X_QP.R.row(2).transpose()));
  return border.top() - lowest.z() + P.rounding();
}

/// An edge of P against an edge of the field. One that passes over a sample crosses each edge that
/// meets there: rounding would have it cross none.
template <typename Body>
void edge_contact(const Body& P, int edge, const Vector3d& from_Q, const Vector3d& to_Q,
                  const Pose& X_QP, const TerrainEdge& ridge, int name, const ContactSink& sink) {
  const double slack = kMerge * std::min((to_Q - from_Q).norm(), (ridge.to - ridge.from).norm());
  const EdgeCrossing crossing = cross_edges(from_Q, to_Q, ridge.from, ridge.to, slack);
  if (!crossing.interior) return;
  // Out of the ground is up, whichever of the two edges is higher.
  const Vector3d up = crossing.normal.z() > 0.0 ? crossing.normal : Vector3d(-crossing.normal);
  const double gap = up.dot(crossing.on_first - crossing.on_second) - P.rounding();
  if (gap > sink.range || !is_ridge_normal(ridge, up)) return;
  if (!is_edge_normal(P, edge, -(X_QP.R.transpose() * up))) return;
  // As of round bodies: a border that stands beside the body is none that it is in.
  if (ridge.is_border() && gap < -slack && -gap > depth_below(P, X_QP, ridge) + slack) return;
  NamedFeature line = edge_of(P, edge);
  NamedFeature ground = ground_edge(ridge, name);
  line.feature.parameter = (crossing.on_first - from_Q).norm();
  ground.feature.parameter = (crossing.on_second - ridge.from).norm();
  const double turn = (X_QP.R * line.feature.a).cross(ground.feature.a).dot(up);
  sink.add(line, ground, turn < 0.0 ? 1.0 : -1.0);  // n = −up
}

/// Seen from above: between which lines of the grid an edge of P lies, in cells, wider by how far
/// an edge of the field may pass beside it and still meet it.
struct Footprint {
  Eigen::Array3d low, high;  ///< across the lines along x, along the diagonals, and along y

  [[nodiscard]] bool meets(int i, int j, int k) const {
    const int across[] = {j, j - i, i};
    return !(across[k] < low[k] || across[k] > high[k]);
  }
};

/// Two edges that meet are apart, or overlap, along a normal of the surface between theirs, which
/// leans over by the greatest slope and its slack at most; where they overlap, by no more than P
/// hangs below the field. A slope not known (NaN) leaves nothing out.
Footprint footprint_of(const HeightField& Q, const Vector3d& from, const Vector3d& to,
                       double reach) {
  const double square = 1.0 + Q.max_slope * Q.max_slope;
  const double slack = 2.0 * kNormalSlack * std::hypot(Q.dx, Q.dy) / std::min(Q.dx, Q.dy) * square;
  const double overlap = std::max(0.0, Q.max_height - std::min(from.z(), to.z()));
  const double rounding = kMerge * ((to - from).norm() + Q.dx + Q.dy);
  const double beside = reach + (Q.max_slope + slack) * overlap + rounding;
  const auto across = [&](const Vector3d& p) {
    const double u = (p.x() - Q.origin.x()) / Q.dx, v = (p.y() - Q.origin.y()) / Q.dy;
    return Eigen::Array3d(v, v - u, u);
  };
  const Eigen::Array3d a = across(from), b = across(to);
  const Eigen::Array3d wider(beside / Q.dy, beside / Q.dx + beside / Q.dy, beside / Q.dx);
  return {a.min(b) - wider, a.max(b) + wider};
}

/// Whether it is a border of the field, where one side alone bounds the normals.
bool on_border(const HeightField& Q, int i, int j, int k) {
  return (k == 0 && (j == 0 || j == Q.ny - 1)) || (k == 2 && (i == 0 || i == Q.nx - 1));
}

template <typename Body>
void edge_contacts(const Body& P, int edge, const Vector3d& from, const Vector3d& to,
                   const Pose& X_QP, const HeightField& Q, const ContactSink& sink) {
  const double reach = P.rounding() + sink.range;
  const double low = std::min(from.z(), to.z()) - reach;
  const Footprint footprint = footprint_of(Q, from, to, reach);
  const GridRange cells =
      cells_near(Q, std::min(from.x(), to.x()) - reach, std::max(from.x(), to.x()) + reach,
                 std::min(from.y(), to.y()) - reach, std::max(from.y(), to.y()) + reach);
  TerrainEdge ridge;
  for (int i = cells.i0; i <= cells.i1 + 1; ++i) {
    for (int j = cells.j0; j <= cells.j1 + 1; ++j) {
      for (int k = 0; k < 3; ++k) {
        if (!footprint.meets(i, j, k) && !on_border(Q, i, j, k)) continue;
        if (!terrain_edge(Q, i, j, k, ridge)) continue;
        if (ridge.top() < low) continue;
        edge_contact(P, edge, from, to, X_QP, ridge, edge_index(Q, i, j, k), sink);
      }
    }
  }
}

/// Samples below the box around P, within range of its lowest point.
template <typename Body>
void sample_contacts(const Body& P, const Pose& X_QP, const PlacedVertices& placed,
                     const HeightField& Q, const ContactSink& sink) {
  const double reach = P.rounding() + sink.range;
  Vector3d low = Vector3d::Constant(kInfinity), high = -low;
  for (const Vector3d& p : placed.p_Q) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const GridRange cells =
      cells_near(Q, low.x() - reach, high.x() + reach, low.y() - reach, high.y() + reach);
  for (int i = cells.i0; i <= cells.i1 + 1; ++i) {
    for (int j = cells.j0; j <= cells.j1 + 1; ++j) {
      if (Q.sample(i, j).z() < low.z() - reach) continue;
      sample_contact(P, X_QP, i, j, Q, sink);
    }
  }
}

/// The contacts of that feature of P which the wanted key names, and with a face, of that sample.
/// They are those that the search over all features finds.
template <typename Body>
void find_wanted_contacts(const Body& P, const Pose& X_QP, const HeightField& Q,
                          const ContactSink& sink) {
  const std::uint32_t name = name_of(*sink.wanted, sink.swapped);
  const std::uint32_t ground = name_of(*sink.wanted, !sink.swapped);
  const double clear = clear_height(Q, P.rounding() + sink.range);
  const int index = feature_index(name);
  if (is_of(FeatureClass::vertex, ground)) {
    sample_contact(P, X_QP, feature_index(ground) / Q.ny, feature_index(ground) % Q.ny, Q, sink);
  } else if (is_of(FeatureClass::vertex, name)) {
    const Vector3d p_Q = X_QP * P.vertex(index);
    if (!(height_above(Q, p_Q) > clear) && is_corner(P, index))
      vertex_contacts(P, index, p_Q, Q, sink);
  } else if (is_of(FeatureClass::edge, name)) {
    const Vector3d from = X_QP * P.vertex(P.edge(index)[0]), to = X_QP * P.vertex(P.edge(index)[1]);
    if (!(segment_above(Q, from, height_above(Q, from), to, height_above(Q, to)) > clear))
      edge_contacts(P, index, from, to, X_QP, Q, sink);
  }
}

template <typename Body>
void find_contacts_of(const Body& P, const HeightField& Q, const ContactSink& sink) {
  const Pose X_QP = relative_pose(sink.X_WQ, sink.X_WP);
  if (sink.wanted) return find_wanted_contacts(P, X_QP, Q, sink);
  const Vector3d lowest = X_QP * P.vertex(P.support(-X_QP.R.row(2).transpose()));
  if (lowest.z() - P.rounding() - Q.max_height > sink.range) return;
  thread_local PlacedVertices placed;  // storage only: written before it is read
  const double reach = P.rounding() + sink.range;
  placed.place(P, X_QP, Q, Q.max_height + reach);
  // Written so that an unknown slope (NaN) leaves nothing out.
  const double clear = clear_height(Q, reach);
  for (int v = 0; v < P.vertex_count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (!(placed.above[at] > clear) && is_corner(P, v))
      vertex_contacts(P, v, placed.p_Q[at], Q, sink);
  }
  if (P.edge_count() == 0) return;
  sample_contacts(P, X_QP, placed, Q, sink);
  for (int e = 0; e < P.edge_count(); ++e) {
    const auto from = static_cast<std::size_t>(P.edge(e)[0]);
    const auto to = static_cast<std::size_t>(P.edge(e)[1]);
    if (!passes_over(placed, from, to, Q, clear))
      edge_contacts(P, e, placed.p_Q[from], placed.p_Q[to], X_QP, Q, sink);
  }
}

}  // namespace

void find_terrain_contacts(const Polytope& P, const HeightField& Q, const ContactSink& sink) {
  find_contacts_of(P, Q, sink);
}

void find_terrain_contacts(const MeshView& P, const HeightField& Q, const ContactSink& sink) {
  find_contacts_of(P, Q, sink);
}

}  // namespace pequod
