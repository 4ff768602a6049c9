// Energy through contact events.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "simulation/simulation.h"

namespace pequod {

// Smooth stretches are integrated at order 4, events located to rounding and impulses booked
// exactly, so the residual falls 16-fold a halving; 3.7 is asked. The ticks stay at 1 ms.
TEST_CASE(
    "with RK4 the energy residual of a trot falls at order 4 through touchdowns and lift-offs") {
  std::vector<double> residual;
  std::vector<EventKind> kinds;
  for (const char* step : {"0.001", "0.0005", "0.00025"}) {
    Diagnostics diagnostics;
    const Scenario scenario = load_scene(
        "examples/quadruped/links_viscous_flat.yaml",
        {.package_paths = {}, .overrides = {{"integrator.step", step}, {"duration", "0.3"}}},
        diagnostics);
    REQUIRE(diagnostics.ok());
    std::vector<EventKind> now;
    Observer observer;
    observer.events = [&](std::span<const EventRow> rows) {
      for (const EventRow& row : rows) now.push_back(row.kind);
    };
    Simulation run(scenario, observer);
    run.run();
    const RunStatistics& statistics = run.statistics();
    CHECK(statistics.fallbacks == 0);
    CHECK(statistics.max_penetration <= 1e-9);
    CHECK(std::count(now.begin(), now.end(), EventKind::impact) > 0);
    CHECK(std::count(now.begin(), now.end(), EventKind::lift_off) > 0);
    if (!kinds.empty()) CHECK(now == kinds);
    kinds = now;
    residual.push_back(statistics.energy_residual_max);
    // Relative to the work of the actuators, 0.11 J: 1e-6 is asked.
    CHECK(statistics.energy_residual_max <= 1e-6 * std::abs(run.state().ledger.actuator_work));
  }
  for (std::size_t i = 1; i < residual.size(); ++i) {
    const double slope = std::log2(residual[i - 1] / residual[i]);
    std::printf("energy residual %.3e -> %.3e J: slope %.2f\n", residual[i - 1], residual[i],
                slope);
    CHECK(slope >= 3.7);
  }
}

}  // namespace pequod
