// Tolerances that more than one folder of the room goes by.
#pragma once

#include <cstddef>

namespace pequod {

/// m, m/s: gaps and normal speeds below count as zero (measured: 1e-6 … 1e-11 never failed).
inline constexpr double kGapTolerance = 1e-9;
inline constexpr double kSpeedTolerance = 1e-9;
/// m or rad: rounding of a gap, some hundred times that of coordinates of 1 m: gaps below count as
/// closed.
inline constexpr double kGapNoise = 1e-13;
/// m: tolerances with a length are for bodies of this size and more; those of a scene with smaller
/// ones are as much smaller.
inline constexpr double kFullSize = 0.1;
/// Times what stands for rounding: what lengths are multiplied by is no less, where small bodies
/// start far from the origin. The tolerance of a gap is then a hundred roundings.
inline constexpr double kLeastOverRounding = 1e-2;
/// m: up to where facets of height fields and meshes touch at the acceleration level, where the
/// gaps are held to 1e-13 and events are found at their times. What is farther lands by itself:
/// closed from afar it would turn what is held by as much, and where facets differ by 1e-10 m each
/// turn opens another one. Far from the origin gaps are rounded by more: at 1e5 m by 1e-11 each
/// term.
inline constexpr double kTouchingGap = 1e-12, kTouchingRounding = 4e-15;
/// Times that: up to where what is closed touches still. Of more contacts than can be at zero at
/// once those beyond are moved by the others, and one that left would fall within microseconds.
inline constexpr double kStaysTouching = 10.0;
/// m: what opens or sinks by less over a step touches still, with room for another such step.
inline constexpr double kStillTouches = 0.1 * kGapTolerance;
/// Of its way, by which a corner that leaves a face gets beyond its border at least.
inline constexpr double kAlongBorder = 0.01;
/// rad: a side of a corner that leans by less from the face under it lies on that face.
inline constexpr double kFlush = 1e-6;

/// Turns of a loop that a thread takes at a time, a fourth of what there must be for several to
/// share it: some 5 µs of work, a few times what it costs to give some to another thread (1 µs). Of
/// islands a robot's takes about 1 µs, that of a ball on others a fourth.
inline constexpr std::size_t kIslandsOfPart = 8;
inline constexpr std::size_t kContactsOfPart = 32;
inline constexpr std::size_t kCopiesOfPart = 512;
inline constexpr std::size_t kPairsOfPart = 16;
inline constexpr std::size_t kShapesOfPart = 128;
inline constexpr std::size_t kControllersOfPart = 4;

/// rad/s or m/s: a joint that is slower is at rest. Rounding of a step is 1e-15 of the velocities.
inline constexpr double kJointRest = 1e-12;
/// Share of τ_c that friction may be beyond it before that counts as an event.
inline constexpr double kBreakaway = 1e-10;

/// m/s: slip that starts has no direction of its own until it is faster, it keeps its first.
inline constexpr double kSlipHeld = 1e-6;
/// m/s: slip that ends keeps its last direction from here to zero, where all slower slip ends with
/// it: the corners of a body that spins stop one by one within 1e-8 s. What they would still cover,
/// v²/2μg, is 1e-15 m.
inline constexpr double kSlipRest = 1e-7;
/// Coefficient of friction of a contact without slip that no force holds: it would have to pull, or
/// to sink if it opened. Then it slides as under Coulomb's law, which has a solution.
inline constexpr double kYieldFriction = 10.0;

/// Relative residual, in the norm of an island's energy, above which no force exists that contacts
/// may have: what is left of forces that do is 1e-11, or 1e-10 where masses are 1 : 1e10.
inline constexpr double kInfeasible = 1e-9;

/// Growth of small motions over a period of a controller that rounding may show: eigenvalues of
/// equal legs coincide, and split by up to the root of 1e-16 and some.
inline constexpr double kGrowthPerTick = 1e-9;
/// e-folds over a whole run: growth by less is not seen in it.
inline constexpr double kSeenGrowth = 0.1;

/// m: a robot that starts no higher above its ground stands on it at once (robots are set on it by
/// five digits, or lifted by their lowest foot).
inline constexpr double kStandsWithin = 1e-3;
/// rad, m: a posture is kept if no joint sags by more. 0.2 rad lowers a leg of 0.25 m by 50 mm;
/// robots of a public benchmark that are meant to stand sag by 0.18 rad.
inline constexpr double kSagAngle = 0.2;
inline constexpr double kSagLength = 0.05;
/// Condition of the stiffness of a robot that stands beyond which some motion has no gain.
inline constexpr double kLooseMotion = 1e-9;
/// Of the weight of the lighter of two bodies: smaller forces count as zero, those of rounding.
inline constexpr double kForceTolerance = 1e-9;

}  // namespace pequod
