// Scenes in which nothing moves.
#pragma once

#include "simulation/world.h"

namespace pequod {

/// Whether anything may sleep in a run: at the velocity level, by steps of a fixed length.
[[nodiscard]] bool may_sleep(const World& world);

/// Whether a constant force acts from now on for ever, or has ceased for ever.
[[nodiscard]] bool is_settled(const ExternalForce& force, double now);

/// Whether every step from here on would end where it begins, because the last one did: nothing
/// moved before it nor after it, no coordinate and no force of a contact changed by a bit, and no
/// controller or force that begins or ends may change that. (Rest does not depend on the length of
/// a step: all impulses scale with it.) Where it holds impulses of the last step are those of all.
/// @param before, after  the ends of that step
[[nodiscard]] bool falls_asleep(const World& world, const State& before, const State& after);

/// Whether a contact had the same force before, to the bit: a solver that starts from forces may
/// end beside them.
[[nodiscard]] bool presses_as_before(const State& before, const ContactMode& mode);

/// The smallest gap that is told of a state that sleeps, m; +∞ if nothing touches.
[[nodiscard]] double gap_asleep(const State& state);

}  // namespace pequod
