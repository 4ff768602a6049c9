// Impulses without an approach: where Coulomb's law has no force, and where nothing may slip.
#pragma once

#include <vector>

#include "simulation/event.h"
#include "simulation/step_stats.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

struct SettleWorkspace;

/// What strike() did.
struct Strike {
  bool any = false;
  StepStats stats;
};

/// The impulse of the touching contacts where no force keeps them apart (Painlevé's paradox): the
/// limit of an approach that free motion just began. Books the loss as one of impacts, appends
/// events.
/// @param touching  out: the contacts of the state
Strike strike(const World& world, Evaluator& here, State& state, Touching& touching,
              std::vector<EventRow>& events, SettleWorkspace& workspace);

/// Whether a touching contact slips that may not: under infinite friction in the stages it does so
/// for no time. @param here  stands at the state
[[nodiscard]] bool must_grip(const World& world, const Evaluator& here, const State& state,
                             const Touching& touching);

}  // namespace pequod
