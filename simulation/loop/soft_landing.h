// Velocity level: contacts that close so slowly that the impulses of a step stop them.
#pragma once

#include <vector>

#include "simulation/record/event_row.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

/// m/s, of what lands softly at most.
[[nodiscard]] double fastest_landing(const World& world);

/// Whether contacts may: not under no slip, which would hold them along the surface before.
[[nodiscard]] bool lands_softly(const World& world);

/// Within which is what touches, and what may come to touch in a step of the scene at no more than
/// the speed that kSoftLanding tells. Not of facets, of which too many would be within reach.
[[nodiscard]] TouchRange landing_range(const World& world);

/// Keeps of these what touches, and the contacts without rebound that are as near as they may come
/// in a step of length h (s) and no faster: its impulses stop them where they meet, as those of
/// time-stepping do, and no event is sought.
/// @param kin, v    of the state
/// @param touching  in and out
void keep_landing(const World& world, const Kinematics& kin, const VectorXd& v, double h,
                  Touching& touching);

/// Rows `touch` for those that a step has closed.
/// @param touching  of its start
/// @param start     m/s and rad/s there, with its kinematics
void append_landings(const World& world, const Touching& touching, const Kinematics& kin,
                     const VectorXd& start, const State& end, std::vector<EventRow>& rows);

}  // namespace pequod
