// Core distance of two bodies where one vertex and one face tell it: flush faces, corners on faces.
#pragma once

#include <optional>

#include "events/convex_distance.h"

namespace pequod {

/// The largest separation along the normals of both bodies' faces is at most the core distance, and
/// that of a vertex from the other body is at least as large: outside, as the vertex is a point of
/// its body; inside, as a ball of its depth about it is in the other body, so that no direction
/// parts them by less. Where the two agree to `certificate` (m) they are the answer; elsewhere
/// there is none here. Bodies with many faces or vertices are not tried.
[[nodiscard]] std::optional<CoreDistance> face_distance(const Polytope& P, const Polytope& Q,
                                                        const Pose& X_PQ, double certificate);

}  // namespace pequod
