// Tolerances and bounds of what is held.
#pragma once

#include "simulation/tolerances.h"

namespace pequod {

/// Of a row's length: less than this beyond the others repeats them. Closing a gap of 1e-13 m along
/// a row of a smaller remainder would move a body by micrometres.
inline constexpr double kRepeatingRow = 1e-6;
/// The same where impulses hold a contact for one step: the next step's find it again, and a row of
/// a facet that hardly leans from those of others would stop what slides over it.
inline constexpr double kImpulseRow = 1e-3;
/// Times that: what a row that repeated others where the step starts needs to be independent after
/// all.
inline constexpr double kIndependentAgain = 1e3;
/// A projection of velocities may take so many times the energies that the speeds along its rows
/// have each by itself. Two contacts close to each other may stop a turn with as much.
inline constexpr double kOwnLosses = 1e3;
/// Times the ways that would close its gaps one by one: a projection of positions that goes farther
/// closes them by a motion between rows that all but repeat each other. Contacts a thousandth of a
/// body's size apart, which may well be held, turn it by that.
inline constexpr double kAstray = 1e3;
/// Times the widest gap before: a projection that leaves a wider one has closed others by a tilt.
/// Three corners of a rectangle put right may leave the fourth off by three.
inline constexpr double kOpensOthers = 2.0;
/// m: gaps that contradict each other by no more stay where they are. Half of up to where what is
/// closed touches still: what others lift by as much does not leave. At 1e-10 m bodies went astray
/// by micrometres.
inline constexpr double kContradictsBy = 0.5 * kStaysTouching * kTouchingGap;
/// Share of the energy of an island: a smaller loss is not looked at.
inline constexpr double kUnseenLoss = 1e-9;
/// m/s, in the scene's pace: an island that is slower has no energy that a projection could waste.
inline constexpr double kSlowIsland = 1e-3;
/// m/s: a row along which what is held moves by less is at rest: rounding of a solve at the speeds
/// of a step under gravity, 1e-2 m/s, some hundred times over.
inline constexpr double kStillRow = 1e-13;
/// Of the longest distance, and of the largest triangle, of the contacts of two bodies: they are
/// held in their order if the first are as far apart. Three neighbours of seven corners of a face
/// span a fourth.
inline constexpr double kWellSpread = 0.2;
/// Contacts of an island from which on normals without friction are held by a sparse factor.
inline constexpr int kManyHeld = 32;

/// Times the widest gap before: loops that open so far as all is closed are near a dead point; a
/// step within reach of the method closes them at once.
inline constexpr double kLoopOpens = 10.0;
/// m or rad: opening of loops below is rounding.
inline constexpr double kLoopNoise = 1e-9;
/// Iterations of a projection of positions; a body that turns far takes more than the few below.
inline constexpr int kProjections = 40;
/// Iterations after which each is to help, that is to leave this share of the gap or less.
inline constexpr int kFewProjections = 8;
inline constexpr double kHelps = 0.9;
/// Steps in a row, or rounds with rows of their own, that close nothing more and leave nothing
/// below zero: the contacts contradict each other, and some stay open. One such step may only have
/// brought bodies to where others close all.
inline constexpr int kInVain = 2;
/// Times the least gap so far: from there iterations lead nowhere.
inline constexpr double kLeadsAway = 10.0;

/// Share of a gap's response to its own force: less is rounding, where others hold it up as well.
inline constexpr double kRunsAway = 1e-6;
/// m/s²: what is missing of accelerations below counts against this one. A share of kInfeasible of
/// it, 1e-15 m/s², moves nothing that could be seen within hours.
inline constexpr double kBarelyAsked = 1e-6;
/// Relative: forces that do what is asked to this are those that are asked for. Those of the cone
/// problem do it to 1e-12, its last penalty.
inline constexpr double kForcesDo = 1e-11;
/// Ratio of the masses of lighter bodies at contacts of an island from which on forces are sought
/// in units of what they carry: a rounding of the largest is 1e-13 of the smallest there.
inline constexpr double kUnitsDiffer = 1e3;
/// Power iterations for a step length: one that is a few per cent too long is no harm.
inline constexpr int kStiffnessIterations = 12;
/// Power iterations for a rate that users are told, and the relative change at which they end.
inline constexpr int kRateIterations = 200;
inline constexpr double kRateSettled = 1e-9;

}  // namespace pequod
