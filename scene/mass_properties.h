// Mass, centre of mass and inertia of uniform solids.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"
#include "core/robot.h"

namespace pequod {

/// Volume (as mass at density 1), centre of mass and inertia about it, in the shape frame.
/// @throws std::invalid_argument for a plane or height field, or a mesh that encloses no volume
[[nodiscard]] Inertia solid(const Geometry& geometry);

/// All shapes as one uniform solid of the given mass, in the body's frame; overlaps count twice.
[[nodiscard]] Inertia solid(const std::vector<CollisionShape>& shapes, double mass);

/// "" if a body can have this inertia, else why not: principal moments ≥ 0 and none larger than
/// the sum of the others, to 0.1 % (files round their numbers).
[[nodiscard]] std::string why_not_physical(const Matrix3d& about_com);

}  // namespace pequod
