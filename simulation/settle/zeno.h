// The end of a Zeno sequence: contacts whose next flight would be too short to follow are closed.
#pragma once

#include <vector>

#include "simulation/record/event_row.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

struct SettleWorkspace;

/// Closes the contacts whose next flight would be shorter than kZenoFlight. If none flies on, their
/// rows carry the time at which the series of flights would end, a little after the state's.
/// @param touching  out: the contacts of the state
/// @param approach  m/s, the fastest before the impacts that made them leave
void close_short_flights(const World& world, Evaluator& here, State& state, Touching& touching,
                         double approach, std::vector<EventRow>& events,
                         SettleWorkspace& workspace);

/// The same for one of these contacts, that the event search found to sink at once.
/// @param touching  the contacts of the state
/// @return false if it does not separate, or too fast for that
bool close_hop(const World& world, Evaluator& here, State& state, const Touching& touching,
               const ContactKey& key, std::vector<EventRow>& events, SettleWorkspace& workspace);

}  // namespace pequod
