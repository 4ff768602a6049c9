#include "events/convex_distance.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "events/face_distance.h"
#include "events/gjk.h"
#include "events/polytope_queries.h"

namespace pequod {
namespace {

/// Of the size: the two bounds of an accepted distance agree to this.
constexpr double kCertificate = 1e-12;
/// The same where all features are tried, as of thin triangles, whose normals are rounded more. A
/// gap of 1e-9 m counts as zero, and the lower bound is taken.
constexpr double kLastCertificate = 1e-10;

/// The normal that the features under the simplex imply: two independent edges determine it, one
/// takes its component out of v (else n is wrong by rounding/gap), none leaves v.
/// @param determined  set if two edges did
Vector3d feature_normal(const GjkResult& found, bool& determined) {
  Vector3d edge[6];
  int edges = 0;
  for (int i = 1; i < found.size; ++i) {
    const GjkVertex& a = found.simplex[0];
    const GjkVertex& b = nth(found.simplex, i);
    if (a.p.index != b.p.index) edge[edges++] = (b.p.point - a.p.point).normalized();
    if (a.q.index != b.q.index) edge[edges++] = (b.q.point - a.q.point).normalized();
  }
  Vector3d best = Vector3d::Zero();
  for (int i = 0; i < edges; ++i) {
    for (int j = 0; j < i; ++j) {
      const Vector3d cross = edge[j].cross(edge[i]);
      if (cross.squaredNorm() > best.squaredNorm()) best = cross;
    }
  }
  Vector3d n = found.v.normalized();
  // Less than this apart, edges are parallel for the purpose.
  determined = best.norm() > 1e-8;
  if (determined) {
    best.normalize();
    return best.dot(n) < 0.0 ? Vector3d(-best) : best;
  }
  for (int round = 0; round < 2 && edges > 0; ++round)
    n = (n - edge[0] * edge[0].dot(n)).normalized();
  return n;
}

/// Largest separation over all normals of the difference's faces: P's, Q's and those of edge pairs.
/// Below zero this is the depth (Gottschalk, Lin & Manocha 1996 for boxes).
struct NormalSearch {
  const Polytope& P;
  const Polytope& Q;
  const Pose& X_PQ;
  CoreDistance best;

  void consider(const Vector3d& n) {
    const double s = separation(P, Q, X_PQ, n);
    if (s > best.distance) best = {s, n};
  }
  void faces() {
    for (int f = 0; f < P.face_count(); ++f) consider(P.normal(f));
    for (int f = 0; f < Q.face_count(); ++f) consider(-(X_PQ.R * Q.normal(f)));
  }
  void edge_pairs() {
    for (int j = 0; j < Q.edge_count(); ++j) {
      const Vector3d q = X_PQ * Q.vertex(Q.edge(j)[0]);
      const Vector3d b = X_PQ * Q.vertex(Q.edge(j)[1]) - q;
      for (int i = 0; i < P.edge_count(); ++i) {
        const Vector3d& p = P.vertex(P.edge(i)[0]);
        const Vector3d a = P.vertex(P.edge(i)[1]) - p;
        if (has_own_side(P, i, b) && has_own_side(Q, j, X_PQ.R.transpose() * a)) {
          edge_pair(i, j, p, a, q, b);
        }
      }
    }
  }
  /// Whether the great circle across an edge of the other body may cut the arc of this edge's
  /// normals: their components along that edge differ in sign.
  static bool has_own_side(const Polytope& body, int edge, const Vector3d& other) {
    const std::array<int, 2>& faces = body.edge_faces(edge);
    if (faces[0] < 0) return true;
    const double one = body.normal(faces[0]).dot(other), two = body.normal(faces[1]).dot(other);
    return one * two <= 1e-12 * other.squaredNorm();
  }
  void edge_pair(int i, int j, const Vector3d& p, const Vector3d& a, const Vector3d& q,
                 const Vector3d& b) {
    const Vector3d cross = a.cross(b);
    const double length = cross.norm();
    if (length <= 1e-8 * a.norm() * b.norm()) return;
    for (const double sign : {1.0, -1.0}) {
      const Vector3d n = sign / length * cross;
      // The bodies are at most as far apart along n as the edges.
      if (n.dot(q - p) <= best.distance) continue;
      if (is_edge_normal(P, i, n) && is_edge_normal(Q, j, -(X_PQ.R.transpose() * n))) consider(n);
    }
  }
};

}  // namespace

double pair_size(const Polytope& P, const Polytope& Q) { return std::max(P.radius(), Q.radius()); }

double separation(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const Vector3d& n) {
  const Vector3d n_Q = X_PQ.R.transpose() * n;
  return n_Q.dot(Q.vertex(Q.support(-n_Q))) + n.dot(X_PQ.p) - n.dot(P.vertex(P.support(n)));
}

namespace {

Vector3d centre_of(const Polytope& P) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < P.vertex_count(); ++i) sum += P.vertex(i);
  return sum / P.vertex_count();
}

/// GJK on the bodies shrunk about their centres by `scale`.
GjkResult scaled_gjk(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const Vector3d& start,
                     double size, double scale) {
  const Vector3d move_p = (1.0 - scale) * centre_of(P), move_q = (1.0 - scale) * centre_of(Q);
  const auto support_p = [&](const Vector3d& n) {
    const int i = P.support(n);
    return SupportPoint{scale * P.vertex(i) + move_p, i};
  };
  const auto support_q = [&](const Vector3d& n) {
    const int i = Q.support(X_PQ.R.transpose() * n);
    return SupportPoint{X_PQ * (scale * Q.vertex(i) + move_q), i};
  };
  return gjk(support_p, support_q, start, size);
}

/// GJK and its finish. `upper` becomes the distance of the witness points, 0 if they coincide.
CoreDistance separated_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ,
                                const Vector3d& start, double size, double& upper) {
  const GjkResult found = scaled_gjk(P, Q, X_PQ, start, size, 1.0);
  upper = 0.0;
  if (found.overlap) return {-kInfinity, start.normalized()};
  upper = (found.on_q() - found.on_p()).norm();
  bool determined = false;
  const Vector3d n = feature_normal(found, determined);
  return {separation(P, Q, X_PQ, n), n};
}

/// Bodies that touch: shrunk by 0.4 % they are apart, and the features nearest then are the ones in
/// touch. Answers only where these determine the normal.
CoreDistance touching_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ,
                               const Vector3d& start, double size) {
  const GjkResult found = scaled_gjk(P, Q, X_PQ, start, size, 0.996);
  bool determined = false;
  if (found.overlap || found.v.norm() <= 0.0) return {-kInfinity, start};
  const Vector3d n = feature_normal(found, determined);
  if (!determined) return {-kInfinity, start};
  return {separation(P, Q, X_PQ, n), n};
}

/// The points of two segments that are nearest to each other, as q − p.
Vector3d between_segments(const Vector3d& p, const Vector3d& a, const Vector3d& q,
                          const Vector3d& b) {
  Vector3d best = Vector3d::Constant(kInfinity);
  const auto consider = [&](double s, double t) {
    const Vector3d d = q + t * b - p - s * a;
    if (d.squaredNorm() < best.squaredNorm()) best = d;
  };
  const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
  for (const double s : {0.0, 1.0}) consider(s, clamp((p + s * a - q).dot(b) / b.squaredNorm()));
  for (const double t : {0.0, 1.0}) consider(clamp((q + t * b - p).dot(a) / a.squaredNorm()), t);
  const EdgeCrossing crossing = cross_edges(p, p + a, q, q + b);
  if (crossing.interior) {
    const Vector3d d = crossing.on_second - crossing.on_first;
    if (d.squaredNorm() < best.squaredNorm()) best = d;
  }
  return best;
}

/// A witness less than 1e-8 beside an edge's end is as near as the end to rounding, but its normal
/// is not: a normal across the edges of `body` that are nearly so may show more.
void straighten(const Polytope& body, const Matrix3d& R, const Polytope& P, const Polytope& Q,
                const Pose& X_PQ, CoreDistance& result) {
  constexpr double kNearly = 1e-6;
  for (int i = 0; i < body.edge_count(); ++i) {
    const Vector3d e =
        R * (body.vertex(body.edge(i)[1]) - body.vertex(body.edge(i)[0])).normalized();
    const double along = e.dot(result.normal);
    if (std::abs(along) > kNearly) continue;
    const Vector3d n = (result.normal - along * e).normalized();
    const double s = separation(P, Q, X_PQ, n);
    if (s > result.distance) result = {s, n};
  }
}

/// The distance of bodies that are apart from all their vertices, edges and faces.
/// @param upper  becomes the distance of the nearest points found
CoreDistance enumerated_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ,
                                 double& upper) {
  Vector3d best = Vector3d::Constant(kInfinity);
  const auto consider = [&](const Vector3d& d) {
    if (d.squaredNorm() < best.squaredNorm()) best = d;
  };
  for (int i = 0; i < P.edge_count(); ++i) {
    const Vector3d& p = P.vertex(P.edge(i)[0]);
    for (int j = 0; j < Q.edge_count(); ++j) {
      const Vector3d q = X_PQ * Q.vertex(Q.edge(j)[0]);
      consider(
          between_segments(p, P.vertex(P.edge(i)[1]) - p, q, X_PQ * Q.vertex(Q.edge(j)[1]) - q));
    }
  }
  for (int j = 0; j < Q.vertex_count(); ++j) {
    const NearestPart part = nearest_part(P, X_PQ * Q.vertex(j));
    consider(part.distance * part.normal);
  }
  for (int i = 0; i < P.vertex_count(); ++i) {
    const NearestPart part = nearest_part(Q, X_PQ.R.transpose() * (P.vertex(i) - X_PQ.p));
    consider(-part.distance * (X_PQ.R * part.normal));
  }
  upper = best.norm();
  const Vector3d n = best.normalized();
  CoreDistance result{separation(P, Q, X_PQ, n), n};
  straighten(P, Matrix3d::Identity(), P, Q, X_PQ, result);
  straighten(Q, X_PQ.R, P, Q, X_PQ, result);
  return result;
}

/// Points and segments that touch have no face and perhaps no crossing: any normal of them will do.
Vector3d any_normal(const Polytope& P, const Polytope& Q, const Pose& X_PQ) {
  if (P.edge_count() > 0) return (P.vertex(P.edge(0)[1]) - P.vertex(P.edge(0)[0])).unitOrthogonal();
  if (Q.edge_count() > 0) {
    return X_PQ.R * (Q.vertex(Q.edge(0)[1]) - Q.vertex(Q.edge(0)[0])).unitOrthogonal();
  }
  return Vector3d::UnitZ();
}

}  // namespace

CoreDistance core_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ) {
  // Of coordinates, in whose rounding all is told.
  const double size = std::max(pair_size(P, Q), X_PQ.p.norm());
  if (const auto told = face_distance(P, Q, X_PQ, kCertificate * size)) return *told;
  const Vector3d start = X_PQ.p.norm() > 0.0 ? X_PQ.p : Vector3d(1.0, 0.0, 0.0);
  double upper = 0.0;
  CoreDistance result = separated_distance(P, Q, X_PQ, start, size, upper);
  if (upper - result.distance <= kCertificate * size) return result;

  // Deeper overlaps are searched over all normals: neighbouring ones may show more.
  CoreDistance touching = touching_distance(P, Q, X_PQ, start, size);
  if (std::abs(touching.distance) <= kCertificate * size) return touching;

  NormalSearch search{P, Q, X_PQ, result};
  search.faces();
  search.edge_pairs();
  if (search.best.distance == -kInfinity) search.consider(any_normal(P, Q, X_PQ));
  if (search.best.distance <= kCertificate * size) return search.best;

  // Apart after all, or by more than was shown: a normal of the search starts GJK elsewhere.
  result = separated_distance(P, Q, X_PQ, search.best.normal, size, upper);
  if (upper - result.distance <= kCertificate * size) return result;
  if (upper - search.best.distance <= kCertificate * size) return search.best;
  // Rounding ended GJK early, as with thin triangles: try all features.
  result = enumerated_distance(P, Q, X_PQ, upper);
  if (result.distance < search.best.distance) result = search.best;
  if (upper - result.distance <= kLastCertificate * size) return result;
  std::ostringstream message;  // std::to_string has no digits for what is so small
  message << "distance of two convex bodies not certified: between " << result.distance << " and "
          << upper << " m";
  throw std::runtime_error(message.str());
}

}  // namespace pequod
