#include "events/face_distance.h"

#include <algorithm>
#include <cmath>

#include "events/polytope_queries.h"

namespace pequod {
namespace {

/// Heights of vertices over faces that are looked at: from about here on the search by support
/// points is cheaper. Two boxes have 96.
constexpr int kFewHeights = 200;

/// The face of a body that the other one is farthest beyond, all in the frame of the body.
struct FarthestFace {
  int face = -1;
  double height = -kInfinity;  ///< m, of the other body's lowest vertex
};

/// @param X_BO  of the other body in the frame of B
FarthestFace farthest_face(const Polytope& B, const Polytope& other, const Pose& X_BO) {
  FarthestFace best;
  for (int f = 0; f < B.face_count(); ++f) {
    const Vector3d n = B.normal(f), n_O = X_BO.R.transpose() * n;
    const double offset = B.offset(f) - n.dot(X_BO.p);
    double height = kInfinity;
    for (int v = 0; v < other.vertex_count(); ++v)
      height = std::min(height, n_O.dot(other.vertex(v)) - offset);
    if (height > best.height) best = {f, height};
  }
  return best;
}

/// m, of x from all of B. A triangle has no inside; beside it, one that is farther is told.
double distance_from(const Polytope& B, int face, const Vector3d& x) {
  if (!B.is_triangle()) return nearest_part(B, x).distance;
  if (!is_over_face(B, face, x, 0.0)) return kInfinity;
  return std::abs(B.normal(face).dot(x) - B.offset(face));
}

/// Whether a vertex of the other body that is lowest over the face is as near to all of B.
bool is_met(const Polytope& B, const FarthestFace& found, const Polytope& other, const Pose& X_BO,
            double certificate) {
  const Vector3d n = B.normal(found.face);
  for (int v = 0; v < other.vertex_count(); ++v) {
    const Vector3d x = X_BO * other.vertex(v);
    const double most = found.height + certificate;
    if (n.dot(x) - B.offset(found.face) <= most && distance_from(B, found.face, x) <= most)
      return true;
  }
  return false;
}

}  // namespace

std::optional<CoreDistance> face_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ,
                                          double certificate) {
  if (P.face_count() * Q.vertex_count() + Q.face_count() * P.vertex_count() > kFewHeights)
    return std::nullopt;
  const Pose X_QP = relative_pose(X_PQ, {});
  const FarthestFace of_p = farthest_face(P, Q, X_PQ), of_q = farthest_face(Q, P, X_QP);
  const bool p_tells = of_p.height >= of_q.height;
  if ((p_tells ? of_p : of_q).face < 0) return std::nullopt;
  if (p_tells) {
    if (!is_met(P, of_p, Q, X_PQ, certificate)) return std::nullopt;
    return CoreDistance{of_p.height, P.normal(of_p.face)};
  }
  if (!is_met(Q, of_q, P, X_QP, certificate)) return std::nullopt;
  return CoreDistance{of_q.height, -(X_PQ.R * Q.normal(of_q.face))};
}

}  // namespace pequod
