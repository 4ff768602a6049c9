// Figures of a body that do not fit its shapes, as those of another unit.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"
#include "core/robot.h"

namespace pequod {

struct UnitDoubt {
  const char* of = "";  ///< "com" or "inertia"
  std::string message, hint;
};

/// What of a centre of mass and an inertia that were given does not fit the body's shapes: a centre
/// farther from all of them than ten times their extent and 1 m, moments 1e4 times as large or as
/// small as those of the shapes filled evenly with the mass. Nothing of bodies without mass or
/// shapes, nor of moments that are zero, as of a point, or little of those of the body it is in.
/// @param body  what the link is welded into by fixed joints, itself included
[[nodiscard]] std::vector<UnitDoubt> unit_doubts(const Inertia& given,
                                                 const std::vector<CollisionShape>& shapes,
                                                 const Inertia& body);

}  // namespace pequod
