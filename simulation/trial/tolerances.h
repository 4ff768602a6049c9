// Tolerances and bounds of trial steps.
#pragma once

#include "simulation/tolerances.h"

namespace pequod {

/// m: a projection that leaves more with the rows at hand is out of reach of Newton's method too.
inline constexpr double kNewtonReach = 1e-3;
/// Times the way of the fastest coordinate in the step: a projection that goes farther is none.
inline constexpr double kFarther = 10.0;
/// Rounds of it, each with rows of its own.
inline constexpr int kNewtonRounds = 16;
/// Rounds in which contacts that a projection sinks are held as well.
inline constexpr int kSinkRounds = 10;

/// s: where slip, or a force that grows towards a pole, allows no longer step than this, it jams.
inline constexpr double kShortestSlide = 1e-13;
/// h κ, κ the rate at which directions of slip settle: RK4 is stable to 2.8 and accurate to about
/// this.
inline constexpr double kStiff = 0.75;
/// h Σκ of single contacts from which on κ of all is found.
inline constexpr double kFollowed = 0.5 * kStiff;
/// Of a force within a step, over what it was or the scale of forces.
inline constexpr double kGrowth = 4.0;
/// Times the scale of forces: friction jams.
inline constexpr double kJam = 1e6;
/// Share of the time in which a slip would end that a step may take.
inline constexpr double kSlowing = 0.25;
/// A slip creeps if its velocity changes by less than this share of what its friction would do to
/// it alone, and steps that follow its direction were shorter: some 1/(1.5 · 0.1) of them for each
/// e-fold of the slip.
inline constexpr double kCreeping = 0.05;
/// Share of a step by which directions of creeping slips lead: they then settle within the step,
/// h κ = 2, where RK4 and dopri5 are stable; symplectic Euler takes the direction at its end.
inline constexpr double kLead = 0.5;
/// rad, by which the direction of a creeping slip may turn in a step: what leads, turned back by
/// what it turned in a first trial, is off by an order of that squared.
inline constexpr double kCreepTurn = 0.005;
/// Rounds in which directions of creeping slips are found, each changing the forces of the others.
inline constexpr int kAimRounds = 16;
/// rad, by which directions of all creeping slips may change in rounds that are mixed. Mixed from
/// the first, a box that tumbles found another direction than the one that it went on from.
inline constexpr double kMixedAims = 0.05;
inline constexpr double kAimed = 1e-10;   ///< rad, a change that ends them
inline constexpr double kAimless = 1e-4;  ///< rad, a last change that says that they do not end
/// Of what ends a mode: a force that is past its bound by more is there by more than rounding.
inline constexpr double kAtBound = 0.1;
/// m/s: a held direction is let go a little above kSlipHeld, so that it is not held again at once.
inline constexpr double kRelease = 1.5 * kSlipHeld;

/// Share of the time in which a disc would be flat: it turns by half its inclination in a step.
inline constexpr double kFlattening = 0.5;
/// rad/s, by which the lowest point of a rim may turn about its disc within a step, at the pace of
/// the scene: at 500 rad/s a cone whose base passes flat over a cylinder loses 2e-3 of its energy
/// at 1 ms, at 100 rad/s 2e-6, for a sixth more steps.
inline constexpr double kRimTurnSpeed = 100.0;
/// m: where two curves touch runs along them by at most so far in a step,
inline constexpr double kRun = 1e-2;
/// m/s: and no faster, so that shorter steps are as much better as elsewhere: three times as far as
/// a body slides at 1 m/s. Ten times as far left 1e-4 of the energy of a cone on a capsule at 1 ms.
inline constexpr double kRunSpeed = 3.0;
/// rad, by which the lowest point of a rim may turn about its disc in a step at the velocity level:
/// discs that come down almost flat lose 1.3 % of their energy by that, 0.4 % at three times the
/// cost with 0.03 rad.
inline constexpr double kRimTurn = 0.1;
/// Of the speed that gravity gives within a step of the scene: a slower rim may turn farther, for
/// what it loses is an error of the order of the step. A disc rocks for ever so little, and for
/// long.
inline constexpr double kSlowRim = 1.0;
/// Share of the time to that, to flatness, or to a turn by kMostTurned, that a shortened step
/// takes: ten of them end where a disc is flat but for rounding.
inline constexpr double kLanding = 0.9;
inline constexpr double kFlat = 1e-9;  ///< rad: flat but for rounding
/// rad: a disc that tips about a point of its rim goes on about the moving point from here on.
inline constexpr double kTipped = 1e-7;
inline constexpr double kShortestTurn = 1e-10;  ///< s

/// Of what its tangents turn by within a step of the scene: what slips faster is stopped, or not,
/// by what it slips, and turns by a tenth of that.
inline constexpr double kTurningSlip = 10.0;
/// m/s²: rows of what is held that turn by less do not turn; 1e-7 of gravity.
inline constexpr double kStillTurn = 1e-6;
/// Of an island's velocity, in the norm of its energy: rows that ask for more within a step turn by
/// more than a small angle, of which their rate at the start says nothing.
inline constexpr double kMostTurned = 0.1;
/// Of its lever about the centre of mass of its body: a contact that runs farther within a step has
/// run off what it touched, as where sides cross that are all but parallel.
inline constexpr double kMostRun = 1.0;
/// Of an island's velocity: rows that turn by less within a step do 1e-8 of its energy in work.
inline constexpr double kStraight = 1e-4;
/// Of a step of the scene: normals that turn by that sooner are not followed. One that turns half
/// round, as of capsules that cross nearly in parallel, takes 35 steps that follow it; a sharp edge
/// would ask for steps that are lost in rounding.
inline constexpr double kShortestPart = 1.0 / 1024;
/// Of an island's energy: a projection that takes or gives more without a landing is halved with
/// its step, as of bodies whose contact runs along an edge and turns ten times as fast at its end.
/// Forces that turn with their contacts may do no more work in a step of symplectic Euler, though
/// they do none. A tenth of it would cut steps of 2 ms of a coin that rolls on its rim.
inline constexpr double kMostProjected = 1e-3;
/// Of the energy of what moves: a Runge–Kutta step that gains or loses more than its forces account
/// for is halved. Its own error is of the fifth order, 1e-9 as a rule; more comes of two contacts
/// beside each other that hand over, and whose rows part within the step.
inline constexpr double kMostUnexplained = 1e-3;
/// Times the energy at hand, that a step may add with nothing to explain it: the worst contact
/// problems of tumbling robots add a few times as much, one that diverges more with every step.
inline constexpr double kRunaway = 100.0;
/// Times the speed before, below which energy need not be looked at: it grows with its square.
inline constexpr double kLeap = 10.0;
/// m/s, rad/s: where no coordinate is faster nothing turns by that much, v² over 0.1 mm.
inline constexpr double kStillSpeed = 1e-5;
/// Steps in which a normal turns from one facet of an edge of the ground to the next: where they
/// are fewer the body stands on the facet beyond at once. (2 m/s turn that of a capsule of 0.05 m
/// by 0.04 rad in 1 ms.)
inline constexpr double kStepsOfEdge = 2.5;
/// rad: an edge of the ground that is blunter is none, however slowly it is crossed.
inline constexpr double kFlatEdge = 1e-3;

/// Share of the forces on a coordinate by which Newton's law may be off in a step: solvers end at
/// 1e-8 of a problem, and what they leave is a few roundings.
inline constexpr double kNewton = 1e-8;
/// Of the largest force on a tree, or its momentum over the step: a coordinate on which nothing
/// acts may be off by 1e-13 of that, a few hundred roundings, before it counts.
inline constexpr double kForceNoise = 1e-5;
/// Times a product: less than that is less than the product however both were rounded.
inline constexpr double kSurelyLess = 1.0 - 1e-15;

/// Of the motion that a tree would have without contact: velocities below, after impulses, are
/// rounding of a solve that is exact (some 1e-16, a few hundred times that in towers), and are
/// zero. 1e-14 m/s where gravity acts for 1 ms.
inline constexpr double kRounding = 1e-12;

/// m/s: under least energy a contact that a force pushes apart may leave; slower it is held, which
/// takes nothing worth the name. Solvers leave 1e-9 of those that do not leave.
inline constexpr double kPushedApart = 1e-5;
/// Contacts of an island from which on the solves of one step are worth a warm start each.
inline constexpr int kManyImpulses = 32;
/// From so many contacts in reach that do not touch on, only those that are needed are solved for:
/// with fewer, solving twice costs more than it saves.
inline constexpr int kManyOpen = 12;
/// Rounds of moving bodies apart, each with the gaps that the one before leaves: two or three.
inline constexpr int kApartRounds = 8;
/// Relative: bodies joined in a ring repeat rows.
inline constexpr double kJoinedRank = 1e-12;

}  // namespace pequod
