// What counts as nothing where events are looked for.
#pragma once

#include "simulation/tolerances.h"

namespace pequod {

/// m/s: a gap that closes more slowly meets without an impact worth the name: what stops it is a
/// hundredth of a millimetre a second for a body that falls for a microsecond.
inline constexpr double kGrazing = 1e-7;
/// m: stands for a gap that is held, which is no event.
inline constexpr double kHeldGap = 1e-12;
/// m: what nears by more in a step may turn about a feature, not by forces alone.
inline constexpr double kFlight = 5e-3;
/// s: contacts that are held are so to 1e-13 m, and the gaps of others know of it.
inline constexpr double kInstantRoot = 1e-12;
/// Times its rate at the ends of an interval: a gap at the velocity level that changes faster
/// jumps.
inline constexpr double kJump = 100.0;
/// Share of the step after which a contact that starts at zero shows its sign.
inline constexpr double kLook = 1e-3;
/// As kInfeasible: where a step ends that has no forces, they are missed by as much.
inline constexpr double kMissing = 0.1 * kInfeasible;
/// Events so far in a step of the scene, of all its bodies, that are no rocking yet.
inline constexpr double kRocks = 10.0;
inline constexpr double kNoSlip = 1e-15;  ///< m/s: rounding of a slip that starts at zero

/// Bound on |φ̈| in a smooth step from what was sampled: φ̈ may be this many times what the ends
/// show, and the rate may swing by this share of itself in between.
inline constexpr double kCurvatureMargin = 3.0, kRateSwing = 0.1;
/// Travel of a shape in a smooth step: its speed exceeds neither end's by more than this share, and
/// this acceleration, m/s², adds to it.
inline constexpr double kTravelMargin = 1.5, kTravelAcceleration = 10.0;

/// Halvings of an interval; the last leaves 1e-6 of the step.
inline constexpr int kMaxDepth = 20;
/// Looks in the middle of an interval before a step ends where nothing has been met so far: a
/// search takes a dozen or two, but may take a million where bodies spin fast within reach of each
/// other.
inline constexpr int kLooks = 500;

}  // namespace pequod
