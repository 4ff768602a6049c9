#include <algorithm>
#include <cmath>

#include "events/cone_features.h"
#include "events/ground_contacts.h"
#include "events/terrain.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

/// Rims and tips over the face of a triangle.
template <typename Round>
void rim_contacts(const Round& P, const Pose& X_QP, const HeightField& Q, int i, int j, int half,
                  const ContactSink& sink) {
  const std::uint32_t name = feature_name(FeatureClass::triangle, triangle_index(Q, i, j, half));
  if (!sink.wants(name)) return;
  const std::array<Vector3d, 3> corner = triangle(Q, i, j, half);
  const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
  NamedFeature face = face_feature(corner[0], normal, 0);
  face.name = name;
  visit_extremes(P, -(X_QP.R.transpose() * normal), sink.rim_points(),
                 [&](const NamedFeature& extreme) {
                   const Vector3d p = X_QP * feature_point(extreme.feature);
                   if (normal.dot(p - corner[0]) > sink.range) return;
                   if (!is_lowest_over_facet(corner, p)) return;
                   const auto add = [&](const NamedFeature& feature) { sink.add(feature, face); };
                   if (extreme.feature.kind != FeatureKind::circle) return add(extreme);
                   visit_rim_over(X_QP, corner, unevenness(Q, i, j, half), extreme, add);
                 });
}

/// A sample of the field against caps, side and rims.
template <typename Round>
void sample_contact(const Round& P, const Pose& X_QP, const HeightField& Q, int i, int j,
                    const ContactSink& sink) {
  if (!sink.wants(feature_name(FeatureClass::vertex, i * Q.ny + j))) return;
  const auto may_meet = [&](const Vector3d& n) { return is_peak_normal(Q, i, j, -(X_QP.R * n)); };
  const RoundPart part =
      nearest_part_to_meet(P, X_QP.R.transpose() * (Q.sample(i, j) - X_QP.p), sink.range, may_meet);
  if (part.distance > sink.range || !may_meet(part.normal)) return;
  sink.add(part.feature, ground_corner(Q, i, j));
}

/// An edge of the field against side and rims.
/// @param low  m, a bound on the height of the body's lowest point
template <typename Round>
void edge_contacts(const Round& P, const Pose& X_QP, double low, const TerrainEdge& ridge,
                   int index, const ContactSink& sink) {
  if (!sink.wants(feature_name(FeatureClass::edge, index))) return;
  const NamedFeature line = ground_edge(ridge, index);
  if (is_valley(ridge, line.feature)) return;
  // No facet beyond a border bounds its normals: one that stands beneath the body's end, or beside
  // it, seems to be as deep in its side as it is far from there.
  const double deepest =
      ridge.is_border() ? std::max(0.0, ridge.top() - low) + kMerge * (ridge.to - ridge.from).norm()
                        : kInfinity;
  const auto is_near = [&](double gap) { return gap <= sink.range && -gap <= deepest; };
  const Pose X_PQ = X_QP.inverse();
  const Vector3d from = X_PQ * ridge.from, to = X_PQ * ridge.to;
  SideCrossing sides[2];
  const int side_count = cross_side(P, from, to, sides);
  for (int k = 0; k < side_count; ++k) {
    const Vector3d up = -(X_QP.R * sides[k].normal);
    if (up.z() >= 0.0 && is_near(sides[k].gap) && is_ridge_normal(ridge, up))
      sink.add(sides[k].side, line, sides[k].sign);
  }
  if (!comes_near(P, from, to, sink.range)) return;
  const bool sharp = is_sharp_edge(line.feature);
  for (int cap = 0; cap < cap_count(P); ++cap) {
    if (!rim_can_stand(P, cap, line.feature, X_QP.R)) continue;
    RimCrossing found[4];
    const int count = cross_rim(P, cap, from, to, 0.0, found);
    for (int k = 0; k < count; ++k) {
      if ((sharp && !found[k].stands) || !is_near(found[k].gap) ||
          !is_ridge_normal(ridge, -(X_QP.R * found[k].normal)))
        continue;
      // The line is the simpler side, which the sink's order of curves does not care about.
      sink.add(found[k].rim, line, found[k].sign);
    }
    const auto chord = sharp ? short_chord(P, cap, from, to) : std::nullopt;
    if (!chord || !is_near(chord->gap)) continue;
    const NamedFeature face = cap_feature(P, cap);
    if (is_ridge_normal(ridge, -(X_QP.R * face.feature.a)))
      sink.add(face, point_of(line, chord->s));
  }
}

/// A cone lies in the cylinder of its size.
template <typename Round>
void find_round_contacts(const Round& P, const HeightField& Q, const ContactSink& sink) {
  const Pose X_QP = relative_pose(sink.X_WQ, sink.X_WP);
  const Vector3d axis = X_QP.R.col(2);
  // Half the box around the cylinder in the field's frame.
  Vector3d half;
  for (int k = 0; k < 3; ++k) {
    // Not √(1 − a²), which is zero for inclinations below 1e-8 rad.
    const double sine = std::hypot(axis[(k + 1) % 3], axis[(k + 2) % 3]);
    half[k] = 0.5 * P.length * std::abs(axis[k]) + P.radius * sine + sink.range;
  }
  const double low = X_QP.p.z() - half.z();
  if (low > Q.max_height) return;
  const Vector3d from = X_QP.p - 0.5 * P.length * axis, to = X_QP.p + 0.5 * P.length * axis;
  if (segment_above(Q, from, height_above(Q, from), to, height_above(Q, to)) >
      clear_height(Q, P.radius + sink.range))
    return;
  const GridRange cells = cells_near(Q, X_QP.p.x() - half.x(), X_QP.p.x() + half.x(),
                                     X_QP.p.y() - half.y(), X_QP.p.y() + half.y());
  TerrainEdge ridge;
  for (int i = cells.i0; i <= cells.i1 + 1; ++i) {
    for (int j = cells.j0; j <= cells.j1 + 1; ++j) {
      if (Q.sample(i, j).z() >= low) sample_contact(P, X_QP, Q, i, j, sink);
      for (int k = 0; k < 3; ++k) {
        if (!terrain_edge(Q, i, j, k, ridge)) continue;
        if (ridge.top() < low) continue;
        edge_contacts(P, X_QP, low + sink.range, ridge, edge_index(Q, i, j, k), sink);
      }
      if (i > cells.i1 || j > cells.j1) continue;
      for (int part = 0; part < 2; ++part) rim_contacts(P, X_QP, Q, i, j, part, sink);
    }
  }
}

}  // namespace

void find_terrain_contacts(const Cylinder& P, const HeightField& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}
void find_terrain_contacts(const Cone& P, const HeightField& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}

}  // namespace pequod
