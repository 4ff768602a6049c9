// Boxes and balls that fall on each other under friction in the stages of RK4: at the instant at
// which a slip ends or a force reaches its bound, the mode that ends is not chosen again.
#include <doctest/doctest.h>

#include <string>

#include "scene/scene.h"
#include "simulation/simulation.h"

namespace pequod {

// Each scene ends just after the event that it is named for, at which one ended anew for ever
// until a fallback step bridged it:
//   slips-back  a contact starts to slide while rounding of the slip before is left, backwards
//   jump        forces jump where a slip ends; those after that are not of the mode before
//   lead        directions of creeping slips lead, by which a force is at its bound from the start
//   goes-on     a slip too slow to be told from rest goes on, against the start of a new one
//   comes-back  edges come to face each other where others have moved them a little below zero
TEST_CASE("a mode that ends in a heap is not chosen again at the same instant") {
  for (const std::string name : {"slips-back", "jump", "lead", "goes-on", "comes-back"}) {
    CAPTURE(name);
    Diagnostics diagnostics;
    const Scenario scenario = load_scene("test/scenes/heaps/" + name + ".yaml", {}, diagnostics);
    REQUIRE_MESSAGE(diagnostics.ok(), diagnostics.text());
    Simulation run(scenario);
    run.run();
    CHECK(run.statistics().fallbacks == 0);
    CHECK(run.statistics().unbalanced == 0);
    CHECK(run.state().ledger.suspect == 0.0);
  }
}

}  // namespace pequod
