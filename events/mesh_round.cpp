#include <algorithm>
#include <cmath>

#include "events/cone_features.h"
#include "events/mesh_contacts.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

constexpr double kReach = 0.1;  // of the body's width, as for polytopes

template <typename Round>
double width(const Round& P) {
  double most = 0.0;
  for (const Vector3d n : {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()})
    most = std::max(most, extent(P, n) + extent(P, -n));
  return most;
}

template <typename Round>
struct RoundMeshPair {
  const Round& P;
  const Mesh& Q;
  const ContactSink& sink;
  Pose X_QP, X_PQ;
  double slack;

  RoundMeshPair(const Round& body, const Mesh& mesh, const ContactSink& s)
      : P(body),
        Q(mesh),
        sink(s),
        X_QP(relative_pose(s.X_WQ, s.X_WP)),
        X_PQ(relative_pose(s.X_WP, s.X_WQ)),
        slack(kMerge * std::min(mesh.size, width(body))) {}

  /// See MeshPair::is_behind; p is a point of P that is farthest against `normal`, or nearly. One
  /// on the surface stands on another face, round an edge.
  [[nodiscard]] bool is_behind(const Vector3d& p, const Vector3d& normal) const {
    const Vector3d n = -(X_QP.R.transpose() * normal);
    const double beyond = extent(P, n) - n.dot(X_PQ * p);
    return point_distance(Q, p) < -slack && beyond <= kReach * (extent(P, n) + extent(P, -n));
  }
  void triangle_contacts(int t, std::size_t first) const;
  void corner_contact(int corner) const;
  void edge_contacts(int e) const;
};

/// Rims and tips over the plane of a triangle's face.
template <typename Round>
void RoundMeshPair<Round>::triangle_contacts(int t, std::size_t first) const {
  const int face_index = nth(Q.face_of, t);
  if (!sink.wants(feature_name(FeatureClass::face, face_index))) return;
  const Mesh::Face& face = face_around(Q, t);
  const NamedFeature plane = face_of(Q, face_index);
  visit_extremes(
      P, -(X_QP.R.transpose() * face.normal), sink.rim_points(), [&](const NamedFeature& feature) {
        const Vector3d p = X_QP * feature_point(feature.feature);
        const double height = face.normal.dot(p - face.point);
        if (std::abs(height) > sink.range || !is_over_triangle(Q, t, p, slack)) return;
        if (height < -slack && !is_behind(p, face.normal)) return;
        const std::uint64_t name = sink.name(feature.name, plane.name);
        const bool again =
            std::any_of(sink.out.begin() + static_cast<std::ptrdiff_t>(first), sink.out.end(),
                        [&](const ContactPoint& contact) { return contact.key.feature == name; });
        if (again) return;
        const auto add = [&](const NamedFeature& found) { sink.add(found, plane); };
        if (feature.feature.kind != FeatureKind::circle || is_merged(Q, t)) return add(feature);
        visit_rim_over(X_QP, corners_of(Q, t), unevenness(Q, t), feature, add);
      });
}

template <typename Round>
void RoundMeshPair<Round>::corner_contact(int corner) const {
  if (!sink.wants(feature_name(FeatureClass::vertex, corner))) return;
  const Vector3d& q = nth(Q.vertices, corner);
  const auto may_meet = [&](const Vector3d& n) {
    return is_corner_normal(Q, corner, -(X_QP.R * n));
  };
  const RoundPart part = nearest_part_to_meet(P, X_PQ * q, sink.range, may_meet);
  if (std::abs(part.distance) > sink.range || !may_meet(part.normal)) return;
  sink.add(part.feature, ground_corner(Q, corner));
}

template <typename Round>
void RoundMeshPair<Round>::edge_contacts(int e) const {
  if (!sink.wants(feature_name(FeatureClass::edge, e))) return;
  const Mesh::Edge& edge = nth(Q.edges, e);
  const Vector3d from = X_PQ * nth(Q.vertices, edge.ends[0]);
  const Vector3d to = X_PQ * nth(Q.vertices, edge.ends[1]);
  const NamedFeature line = edge_of(MeshView(Q), e);
  const auto is_near = [&](double gap, const Vector3d& n_P) {
    return std::abs(gap) <= sink.range && is_edge_normal(Q, e, -(X_QP.R * n_P));
  };
  SideCrossing sides[2];
  const int side_count = cross_side(P, from, to, sides);
  for (int k = 0; k < side_count; ++k) {
    if (!is_near(sides[k].gap, sides[k].normal)) continue;
    if (sides[k].gap < -slack && nearest_part(P, sides[k].on_line).distance > slack) continue;
    sink.add(sides[k].side, line, sides[k].sign);
  }
  if (!comes_near(P, from, to, sink.range)) return;
  const bool sharp = is_sharp_edge(line.feature);
  for (int cap = 0; cap < cap_count(P); ++cap) {
    if (!rim_can_stand(P, cap, line.feature, X_QP.R)) continue;
    RimCrossing found[4];
    const int count = cross_rim(P, cap, from, to, 0.0, found);
    for (int k = 0; k < count; ++k) {
      if ((sharp && !found[k].stands) || !is_near(found[k].gap, found[k].normal)) continue;
      const Vector3d on_rim = feature_point(found[k].rim.feature);
      const Vector3d on_line = on_rim + found[k].gap * found[k].normal;
      if (found[k].gap < -slack &&
          !enters_at_edge(Q, e, X_QP * on_line, X_QP * on_rim,
                          X_QP.R * rim_tangent(found[k].rim.feature), slack))
        continue;
      sink.add(found[k].rim, line, found[k].sign);
    }
    const auto chord = sharp ? short_chord(P, cap, from, to) : std::nullopt;
    if (!chord || chord->gap < -slack) continue;
    const NamedFeature face = cap_feature(P, cap);
    if (is_near(chord->gap, face.feature.a)) sink.add(face, point_of(line, chord->s));
  }
}

template <typename Round>
void find_round_contacts(const Round& P, const Mesh& Q, const ContactSink& sink) {
  const RoundMeshPair<Round> pair(P, Q, sink);
  InBox box;
  for (int k = 0; k < 3; ++k) {
    const Vector3d n = pair.X_QP.R.row(k).transpose();
    box.lo[k] = pair.X_QP.p[k] - extent(P, -n) - sink.range;
    box.hi[k] = pair.X_QP.p[k] + extent(P, n) + sink.range;
  }
  thread_local MeshFeatures near;  // storage only: written before it is read
  near.collect(Q, box);
  const std::size_t first = sink.out.size();
  for (const int t : near.triangles) pair.triangle_contacts(t, first);
  for (const int corner : near.corners) pair.corner_contact(corner);
  for (const int e : near.edges) pair.edge_contacts(e);
}

}  // namespace

void find_mesh_contacts(const Cylinder& P, const Mesh& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}

void find_mesh_contacts(const Cone& P, const Mesh& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}

}  // namespace pequod
