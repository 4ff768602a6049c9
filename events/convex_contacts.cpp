#include "events/convex_contacts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "events/convex_distance.h"
#include "events/mesh_view.h"
#include "events/polytope_queries.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

// Feature pairs whose own normal leans from that of the closest points by more than 60° are not
// part of this patch: flush cubes have their side faces at distance 0 too.
constexpr double kAligned = 0.5;
// Cosine of the angle (1e-3 rad) within which normals at one place are one contact's.
constexpr double kSame = 1.0 - 5e-7;

struct Patch {
  const Polytope& P;
  const Polytope& Q;
  const ContactSink& sink;
  Pose X_PQ, X_QP;
  Vector3d n_P, n_Q;  // the normal from P to Q in either frame
  double reach;       // of core gaps
  double size;
  double p_min, q_max;  // features beyond these along n cannot be within reach

  [[nodiscard]] bool near_p(int v) const { return n_P.dot(P.vertex(v)) >= p_min; }
  [[nodiscard]] bool near_q(int v) const { return n_Q.dot(Q.vertex(v)) <= q_max; }
};

/// The face of B (outward side facing −n_B) that a point p_B of the other body stands over within
/// reach, or −1. Of faces whose common edge it stands over, the one that faces −n_B most: rounding
/// shall not choose.
int face_below(const Polytope& B, const Vector3d& p_B, const Vector3d& n_B, double reach,
               double slack) {
  double most = -kInfinity;
  const auto height = [&](int f) { return B.normal(f).dot(p_B) - B.offset(f); };
  for (int f = 0; f < B.face_count(); ++f)
    if (-B.normal(f).dot(n_B) >= kAligned) most = std::max(most, height(f));
  if (most == -kInfinity || most > reach) return -1;
  int best = -1;
  double facing = kAligned;
  for (int f = 0; f < B.face_count(); ++f) {
    const double now = -B.normal(f).dot(n_B);
    if (now < kAligned || (best >= 0 && now <= facing) || height(f) < most - slack) continue;
    facing = now;
    best = f;
  }
  return is_over_face(B, best, p_B, slack) ? best : -1;
}

void vertex_face_contacts(const Patch& patch) {
  const double slack = kMerge * patch.size;
  const std::size_t first = patch.sink.out.size();
  for (int v = 0; v < patch.P.vertex_count(); ++v) {
    if (!patch.near_p(v)) continue;
    const int f =
        face_below(patch.Q, patch.X_QP * patch.P.vertex(v), patch.n_Q, patch.reach, slack);
    if (f < 0) continue;
    patch.sink.add(vertex_of(patch.P, v),
                   face_feature(patch.Q.vertex(patch.Q.face_vertices(f)[0]), patch.Q.normal(f), f));
  }
  const std::size_t last = patch.sink.out.size();
  for (int v = 0; v < patch.Q.vertex_count(); ++v) {
    if (!patch.near_q(v)) continue;
    const int f =
        face_below(patch.P, patch.X_PQ * patch.Q.vertex(v), -patch.n_P, patch.reach, slack);
    if (f < 0) continue;
    if (patch.sink.add(
            face_feature(patch.P.vertex(patch.P.face_vertices(f)[0]), patch.P.normal(f), f),
            vertex_of(patch.Q, v)))
      patch.sink.drop_repeated(first, last, patch.sink.X_WQ * patch.Q.vertex(v), 4.0 * slack);
  }
}

/// Whether one of the contacts from `first` on stands at x (P's frame) with the normal n.
bool stands_already(const Patch& patch, std::size_t first, const Vector3d& x, const Vector3d& n) {
  const Vector3d x_W = patch.sink.X_WP * x;
  const Vector3d n_W = (patch.sink.swapped ? -1.0 : 1.0) * (patch.sink.X_WP.R * n);
  const double slack = kMerge * patch.size;
  return std::any_of(patch.sink.out.begin() + static_cast<std::ptrdiff_t>(first),
                     patch.sink.out.end(), [&](const ContactPoint& contact) {
                       if (contact.n_W.dot(n_W) <= kSame) return false;
                       const Vector3d d = contact.p_W - x_W;  // of either body's surface
                       return (d - n_W * n_W.dot(d)).norm() < 4.0 * slack;
                     });
}

/// An edge with an end within reach, in the frame of P.
struct NearEdge {
  int edge;
  Vector3d from, to;
};

/// @param first  of the contacts of this patch: where edges of flush faces cross at a corner of
///               both, rounding decides whether inside, and the corner stands there already
void edge_edge_contact(const Patch& patch, std::size_t first, const NearEdge& p,
                       const NearEdge& q) {
  const int i = p.edge, j = q.edge;
  const Vector3d across = (p.to - p.from).cross(q.to - q.from);
  if (std::abs(across.dot(patch.n_P)) < kAligned * across.norm()) return;  // most pairs
  const EdgeCrossing crossing = cross_edges(p.from, p.to, q.from, q.to);
  if (!crossing.interior) return;
  const double sign = crossing.normal.dot(patch.n_P) > 0.0 ? 1.0 : -1.0;
  const Vector3d n = sign * crossing.normal;
  if (n.dot(crossing.on_second - crossing.on_first) > patch.reach) return;
  if (!is_edge_normal(patch.P, i, n)) return;
  if (!is_edge_normal(patch.Q, j, -(patch.X_QP.R * n))) return;
  if (stands_already(patch, first, crossing.on_first, n)) return;
  patch.sink.add(edge_of(patch.P, i), edge_of(patch.Q, j), sign);
}

/// @param near   (vertex): whether it is within reach
/// @param place  (point of the body): it in P's frame
template <typename Near, typename Place>
void find_near_edges(const Polytope& body, const Near& near, const Place& place,
                     std::vector<NearEdge>& edges) {
  edges.clear();
  for (int e = 0; e < body.edge_count(); ++e) {
    const auto [from, to] = body.edge(e);
    if (near(from) || near(to))
      edges.push_back({e, place(body.vertex(from)), place(body.vertex(to))});
  }
}

void edge_edge_contacts(const Patch& patch, std::size_t first) {
  thread_local std::vector<NearEdge> of_p, of_q;  // storage only: written before they are read
  find_near_edges(
      patch.P, [&](int v) { return patch.near_p(v); }, [](const Vector3d& x) { return x; }, of_p);
  find_near_edges(
      patch.Q, [&](int v) { return patch.near_q(v); },
      [&](const Vector3d& x) -> Vector3d { return patch.X_PQ * x; }, of_q);
  for (const NearEdge& p : of_p)
    for (const NearEdge& q : of_q) edge_edge_contact(patch, first, p, q);
}

/// Vertices of V beside edges of E, where no face or crossing represents the closest points.
/// @param n_E  from V to E, E's frame
template <typename Add>
void vertex_edge_contacts(const Polytope& V, const Polytope& E, const Pose& X_EV,
                          const Vector3d& n_E, double reach, Add add) {
  for (int v = 0; v < V.vertex_count(); ++v) {
    const Vector3d p = X_EV * V.vertex(v);
    for (int e = 0; e < E.edge_count(); ++e) {
      const Vector3d& from = E.vertex(E.edge(e)[0]);
      const Vector3d along = E.vertex(E.edge(e)[1]) - from;
      const double s = along.dot(p - from) / along.squaredNorm();
      if (s < 0.0 || s > 1.0) continue;
      const Vector3d d = from + s * along - p;
      // Within 1e-3 rad of the closest points' direction: only this patch.
      if (d.norm() > reach || d.dot(n_E) < (1.0 - 5e-7) * d.norm()) continue;
      add(v, e);
    }
  }
}

void border_contacts(const Patch& patch) {
  const Vector3d n_W = patch.sink.X_WP.R * patch.n_P;
  const std::size_t before = patch.sink.out.size();
  vertex_edge_contacts(patch.P, patch.Q, patch.X_QP, patch.n_Q, patch.reach, [&](int v, int e) {
    patch.sink.add(vertex_of(patch.P, v), edge_of(patch.Q, e), 1.0, n_W);
  });
  vertex_edge_contacts(patch.Q, patch.P, patch.X_PQ, -patch.n_P, patch.reach, [&](int v, int e) {
    patch.sink.add(edge_of(patch.P, e), vertex_of(patch.Q, v), 1.0, n_W);
  });
  if (patch.sink.out.size() > before) return;
  patch.sink.add(vertex_of(patch.P, patch.P.support(patch.n_P)),
                 vertex_of(patch.Q, patch.Q.support(-patch.n_Q)), 1.0, n_W);
}

}  // namespace

void find_convex_contacts(const Polytope& P, const Polytope& Q, const ContactSink& sink) {
  const Pose X_PQ = relative_pose(sink.X_WP, sink.X_WQ);
  const double reach = sink.range + P.rounding() + Q.rounding();
  const CoreDistance core = core_distance(P, Q, X_PQ);
  if (core.distance > reach) return;
  Patch patch{P,
              Q,
              sink,
              X_PQ,
              relative_pose(sink.X_WQ, sink.X_WP),
              core.normal,
              {},
              reach,
              pair_size(P, Q),
              kNaN,
              kNaN};
  patch.n_Q = X_PQ.R.transpose() * core.normal;
  const double slab = reach - core.distance;
  patch.p_min = patch.n_P.dot(P.vertex(P.support(patch.n_P))) - slab;
  patch.q_max = patch.n_Q.dot(Q.vertex(Q.support(-patch.n_Q))) + slab;

  const std::size_t before = sink.out.size();
  vertex_face_contacts(patch);
  edge_edge_contacts(patch, before);
  if (core.distance < -kMerge * patch.size) return;
  const double nearest = core.distance - P.rounding() - Q.rounding() + kMerge * patch.size;
  const bool represented =
      std::any_of(sink.out.begin() + static_cast<std::ptrdiff_t>(before), sink.out.end(),
                  [&](const ContactPoint& contact) { return contact.gap <= nearest; });
  if (!represented) border_contacts(patch);
}

double convex_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ) {
  return core_distance(P, Q, X_PQ).distance - P.rounding() - Q.rounding();
}

}  // namespace pequod
