// Tolerances and bounds of the event loop.
#pragma once

namespace pequod {

/// Times a trial step is cut at the event that was found in it because a gap is below zero there:
/// what two or three cuts do not mend, a hundred that shorten it by a rounding do not either.
inline constexpr int kMaxCuts = 3;
/// Of a step: halved no more for gaps below zero that no event explains.
inline constexpr double kLeastPart = 1.0 / 64;
/// Rounds in which what is below zero after a time step is moved up, and may sink others.
inline constexpr int kRaisingRounds = 8;
/// m: gaps above are not told apart where the smallest of all is measured.
inline constexpr double kMeasuredGap = 1e-3;

/// More events than this within kCrowdSpan (s) of each other, which no mode explains, are bridged
/// by a fallback step.
inline constexpr int kCrowd = 8;
inline constexpr double kCrowdSpan = 1e-9;
/// After more events than this at one instant a mode is looked ahead for by this share as long,
/// each time, up to so many times: 1e-9 s of a step of 1 ms.
inline constexpr double kEndsAgain = 2.0, kCloserLook = 0.1, kCloserLooks = 3.0;

/// Steps cut short by events within one step of the scene, and a few more for each body that can
/// move, after which the rest of it is taken in fallback steps, so that a step of the scene costs a
/// bounded number of steps whatever happens in it but elastic bounces. (216 balls that fall on each
/// other have 612 impacts in a step of 10 ms.)
inline constexpr double kStorm = 500.0, kStormOfBody = 2.0;
/// Contacts of an island up to which an impact of it counts one such event; of more it counts as
/// much more as it costs. (A wall of 54 bricks that is hit has impacts of 150 contacts, 60 ms each;
/// all 600 of a step would take half a minute.)
inline constexpr double kContactsOfEvent = 64.0;
/// What a step counts that slip cuts short without an event, where a box rubs on its four corners.
/// (One whose slip turns fast while it ends takes more than 40 000 parts.) Of more contacts it
/// counts as much more as it costs, up to the most: two events, of 24 contacts and more.
inline constexpr double kStormOfSlip = 0.01, kSlipsOfBox = 4.0, kMostOfSlip = 2.0;
/// Where a storm lasts, a step of the scene may cost this share of the one before, down to the
/// least, and twice as much again after one that kept within. (Ten dominoes that lie down on each
/// other slip and part 700 times a millisecond, each time an island of forty contacts.)
inline constexpr double kStormLasts = 0.25, kLeastAllowance = 1.0 / 256, kStormEnds = 2.0;
/// Where the least is spent within this part of a step, steps without events follow, up to so many.
/// (200 balls that collapse have 900 events in a millisecond or two of the 20 of a step.)
inline constexpr double kAtOnce = 1.0 / 16, kLongestWait = 15.0;
/// An impact that bounces counts this times 1 − e of such an event, and no more than one. Bounces
/// of e = 1 are not endless, however many they are (a ball between a wall and a block of 1e8 times
/// its mass: 31 415 within 0.3 ms), and no other scheme keeps their energy. Those that spend the
/// 500 have left at most exp(−2 · 500/50) of theirs.
inline constexpr double kEndlessBounce = 50.0;
/// Events from which on trials are no longer than this many of them are apart: a trial over all
/// that is left of the step would meet hundreds, to find the first of all. From twice as many on
/// the later half of the time that they took tells how far they are apart.
inline constexpr double kManyEvents = 32.0, kEventsAhead = 8.0;

/// Of the speed that gravity gives within a step of the scene: what closes no faster, without
/// rebound, is stopped by the impulses of a step at the velocity level, without an event, and with
/// it by those of a fallback step. That is an error of the order of the step, as all there. (Of the
/// impacts in a pile of balls that settles under 1 ms nine of ten are so slow.)
inline constexpr double kSoftLanding = 0.1;

/// Of a step of the scene: a fallback step is no longer, and is shortened to no less where gaps
/// stay below zero.
inline constexpr double kFallbackStep = 0.1, kShortestFallback = 1e-4;
/// m: it has impulses for everything this near, or as near as the fastest body moves in it.
inline constexpr double kFallbackReach = 1e-3;

/// Rounds of impacts at the start of a step without events: of what would meet within it, then of
/// what these make meet. What meets after them the step stops. (Of 200 balls that have collapsed
/// for 0.2 s impacts take 49.6 J where each is followed, in one round a step 34, in four 43, in
/// eight 45.)
inline constexpr int kMeetingRounds = 8;

}  // namespace pequod
