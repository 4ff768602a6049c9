// What counts as zero, and how much work is done, where states are settled after events.
#pragma once

#include <cstddef>

#include "simulation/tolerances.h"

namespace pequod {

/// m/s²: a gap or slip whose speed changes more slowly stays as it is. Of gravity it is 1e-9, well
/// above the residuals of solvers.
inline constexpr double kAccelerationTolerance = 1e-8;
/// Of a motion: what is held misses it by more if it asks for what no pushing forces do. Below
/// kInfeasible, at which a step ends.
inline constexpr double kContradicts = 0.1 * kInfeasible;
/// Share of a step after which the mode that follows an event is read off: long enough that forces
/// which were at a bound have left it, short enough that nothing else happens.
inline constexpr double kLookAhead = 1e-3;

/// Rounds of impacts of one event that bounce. Bodies that throw the same impact back and forth
/// go on so in ever smaller parts; the rounds after these are plastic.
inline constexpr int kBouncingRounds = 50;
/// Rounds in all: what a solver of hundreds of contacts leaves may approach for ever.
inline constexpr int kMaxRounds = 60;
/// Of the velocities: what such a solver may leave of an approach after an impact.
inline constexpr double kLeftApproach = 1e-8;

/// s: a contact whose next flight is no longer is closed; 1e-6 loses 5–10 % of tumbles.
inline constexpr double kZenoFlight = 1e-5;
/// Of a lift to the approach before it: up to here the end of their series is told, which is then
/// at most twenty flights away.
inline constexpr double kSeriesRatio = 0.95;
/// Rounds in which friction that closed flights give back settles, each a share of the one before,
/// and the share that ends them.
inline constexpr int kFrictionRounds = 30;
inline constexpr double kFrictionLeft = 1e-12;
/// m/s: a contact that leaves faster is not back within a flight that short.
inline constexpr double kHop = 1e-3;

/// The approach that asks for the impulse, as a share of the velocities: well above what solvers
/// accept as a residual (1e-8), so that none takes it for no approach.
inline constexpr double kStrikeApproach = 1e-6;
/// Speeds up to this times that approach are what it leaves; they are projected away.
inline constexpr double kStrikeLeft = 10.0;

/// Shares of friction outside [0, 1] by less are rounding: at a tie of two modes either may be
/// taken.
inline constexpr double kShareTolerance = 1e-6;
/// Each contact has three modes: rounds for as many changes, before all are found at once.
inline constexpr int kRoundsPerContact = 3;

/// Of the weight: a force this far outside its cone is in it.
inline constexpr double kForce = 1e-9;
/// Of the weight: a force this far inside its cone is no tie.
inline constexpr double kClearForce = 1e-6;
/// Forces that are not unique and miss what is needed by less are no tie either: where they cease
/// to exist they do by twice that, kMissing of the event search.
inline constexpr double kClearMissing = 0.05 * kInfeasible;
/// Of the longest step that slip allows, for a look-ahead.
inline constexpr double kShortLook = 0.1;
/// A look-ahead past the end of a slip is cut this often …
inline constexpr int kLookCuts = 4;
/// … each time to this share.
inline constexpr double kLookCut = 0.1;
/// m/s: a slip that is more than rounding has begun.
inline constexpr double kSlipBegun = 1e-12;
/// Times kSlipRest: slip that may end with that of others.
inline constexpr double kAlmostAtRest = 10.0;
/// m/s: rounding of a velocity at rest.
inline constexpr double kVelocityNoise = 1e-15;
/// Rounds in which the directions of slips from rest settle, and the largest turn at which they
/// have.
inline constexpr std::size_t kDirectionRounds = 40;
inline constexpr double kDirectionTurn = 1e-9;
/// Rounds after which these turn less, or do not settle: of four feet that are to slide together
/// some are turned about in each.
inline constexpr std::size_t kStuckRounds = 5;

}  // namespace pequod
