// Small exact questions about edges, faces and poses that several finders ask.
#pragma once

#include <algorithm>

#include "core/shape.h"
#include "events/polytope.h"

namespace pequod {

/// X_AB from X_WA and X_WB; positions are subtracted first, so it stays exact far from the origin.
[[nodiscard]] inline Pose relative_pose(const Pose& X_WA, const Pose& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

/// Part of a polytope's core that is nearest to a point: a face, else an edge's interior, else a
/// vertex (indices −1 where not).
struct NearestPart {
  int face = -1, edge = -1, vertex = -1;
  double distance = kInfinity;          ///< m from the core; below 0 inside, to the nearest face
  Vector3d normal = Vector3d::UnitZ();  ///< unit, out of the polytope towards the point
};
/// @param range  m: of a part farther away only a lower bound of the distance, above range, is sure
/// @param slack  m: a point this far outside a face's border is over the face. The normal of a
/// sharp
///               edge would be that of rounding there.
[[nodiscard]] NearestPart nearest_part(const Polytope& P, const Vector3d& p,
                                       double range = kInfinity, double slack = 0.0);

/// Where the lines of two segments come closest.
struct EdgeCrossing {
  /// Both points inside their segments (or `slack` beyond the ends), and these not parallel.
  bool interior = false;
  Vector3d on_first, on_second;
  Vector3d normal;  ///< unit, along first × second
};
[[nodiscard]] EdgeCrossing cross_edges(const Vector3d& first_from, const Vector3d& first_to,
                                       const Vector3d& second_from, const Vector3d& second_to,
                                       double slack = 0.0);

/// Whether n (unit, in P's frame) lies between the normals of the faces beside an edge, within the
/// angle that selects features. Always true for the axis of a capsule.
[[nodiscard]] bool is_edge_normal(const Polytope& P, int edge, const Vector3d& n);

/// Whether the foot of p lies in the face, or no farther than `slack` (m) outside its border.
[[nodiscard]] bool is_over_face(const Polytope& P, int face, const Vector3d& p, double slack);

/// nearest_part() to a corner of the ground, whose normals `may_meet` tells: of one inside that may
/// not meet the nearest face, the nearest of the faces over it that it may. A peak that a body has
/// passed over by less than it sinks in is nearest to a side of it.
template <typename MayMeet>
[[nodiscard]] NearestPart nearest_part_to_meet(const Polytope& P, const Vector3d& p, double range,
                                               double slack, const MayMeet& may_meet) {
  NearestPart part = nearest_part(P, p, range, slack);
  if (part.distance >= 0.0 || may_meet(part.normal)) return part;
  NearestPart best;
  best.distance = -kInfinity;
  for (int f = 0; f < P.face_count(); ++f) {
    const double distance = P.normal(f).dot(p) - P.offset(f);
    if (distance > std::max(best.distance, -range) && may_meet(P.normal(f)) &&
        is_over_face(P, f, p, slack))
      best = {.face = f, .distance = distance, .normal = P.normal(f)};
  }
  return best.face < 0 ? part : best;
}

}  // namespace pequod
