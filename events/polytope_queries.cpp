#include "events/polytope_queries.h"

#include <algorithm>
#include <cmath>

#include "events/tolerances.h"

namespace pequod {
namespace {

// Sine of an angle; it only selects features.
constexpr double kParallel = 1e-6;

/// Nearest edge or vertex of P.
NearestPart nearest_border(const Polytope& P, const Vector3d& p) {
  NearestPart best;
  Vector3d towards = p - P.vertex(0);
  if (P.edge_count() == 0) {
    best.vertex = 0;
    best.distance = towards.norm();
  }
  for (int e = 0; e < P.edge_count(); ++e) {
    const Vector3d& from = P.vertex(P.edge(e)[0]);
    const Vector3d along = P.vertex(P.edge(e)[1]) - from;
    const double s = std::clamp(along.dot(p - from) / along.squaredNorm(), 0.0, 1.0);
    const Vector3d d = p - from - s * along;
    const double distance = d.norm();
    if (distance >= best.distance) continue;
    best.distance = distance;
    best.edge = s > 0.0 && s < 1.0 ? e : -1;
    best.vertex = s <= 0.0 ? P.edge(e)[0] : s >= 1.0 ? P.edge(e)[1] : -1;
    towards = d;
  }
  if (best.distance > 0.0) best.normal = towards / best.distance;
  return best;
}

}  // namespace

NearestPart nearest_part(const Polytope& P, const Vector3d& p, double range, double slack) {
  constexpr double kFarther = 1e-9;  // m, above rounding: one face that tells is enough
  NearestPart best;
  best.distance = -kInfinity;
  for (int f = 0; f < P.face_count(); ++f) {
    const double distance = P.normal(f).dot(p) - P.offset(f);
    if (distance <= best.distance) continue;
    best.distance = distance;
    best.face = f;
    if (distance > range + kFarther) break;
  }
  if (best.face < 0) return nearest_border(P, p);
  best.normal = P.normal(best.face);
  if (best.distance > range) return best;
  // Inside, the nearest face is the nearest part. Outside, if the foot misses the face with the
  // greatest distance, another face with its foot inside would be farther away than this one.
  if (best.distance > 0.0 && !is_over_face(P, best.face, p, slack)) return nearest_border(P, p);
  return best;
}

EdgeCrossing cross_edges(const Vector3d& first_from, const Vector3d& first_to,
                         const Vector3d& second_from, const Vector3d& second_to, double slack) {
  EdgeCrossing out;
  const Vector3d a = first_to - first_from, b = second_to - second_from;
  const Vector3d w = second_from - first_from, normal = a.cross(b);
  const double square = normal.squaredNorm();
  if (square <= kParallel * kParallel * a.squaredNorm() * b.squaredNorm()) return out;
  const double s = w.cross(b).dot(normal) / square, t = w.cross(a).dot(normal) / square;
  const double beyond_a = slack > 0.0 ? slack / a.norm() : 0.0;
  const double beyond_b = slack > 0.0 ? slack / b.norm() : 0.0;
  out.interior = s > -beyond_a && s < 1.0 + beyond_a && t > -beyond_b && t < 1.0 + beyond_b;
  out.on_first = first_from + s * a;
  out.on_second = second_from + t * b;
  out.normal = normal / std::sqrt(square);
  return out;
}

bool is_edge_normal(const Polytope& P, int edge, const Vector3d& n) {
  const std::array<int, 2>& faces = P.edge_faces(edge);
  if (faces[0] < 0) return true;
  const Vector3d e = (P.vertex(P.edge(edge)[1]) - P.vertex(P.edge(edge)[0])).normalized();
  if (P.is_triangle()) return n.dot(P.normal(0).cross(e)) <= kNormalSlack;
  for (int k = 0; k < 2; ++k) {
    const Vector3d normal = P.normal(nth(faces, k));
    const Vector3d other = P.normal(nth(faces, 1 - k));
    // From the edge into the face: away from the other face's outside.
    Vector3d inward = normal.cross(e);
    if (inward.dot(other) > 0.0) inward = -inward;
    if (n.dot(inward) > kNormalSlack) return false;
  }
  return true;
}

bool is_over_face(const Polytope& P, int face, const Vector3d& p, double slack) {
  const std::span<const int> loop = P.face_vertices(face);
  const Vector3d normal = P.normal(face);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3d& from = P.vertex(loop[k]);
    const Vector3d& to = P.vertex(loop[k + 1 < loop.size() ? k + 1 : 0]);
    const Vector3d inward = normal.cross(to - from);
    if (inward.dot(p - from) < -slack * inward.norm()) return false;
  }
  return true;
}

}  // namespace pequod
