// Energy through contact events.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/support/textbook_model.h"

namespace pequod {
namespace {

/// What a trot with RK4 shows of its energy.
struct EnergyRun {
  double residual = 0.0;  ///< J, largest at an accepted state, by a textbook's energies
  double work = 0.0;      ///< J, of the actuators
  std::vector<EventKind> kinds;
};

// total − initial − work + losses.
double residual_of(const Model& model, const State& state) {
  const Ledger& l = state.ledger;
  return test::textbook_kinetic(model, state.q, state.v) +
         test::textbook_potential(model, state.q) - l.initial - l.actuator_work - l.external_work +
         l.damping_loss + l.friction_loss + l.impact_loss + l.zeno_loss + l.stabilisation +
         l.normal_loss;
}

EnergyRun trot(double step, const char* duration) {
  const Scenario scenario = test::load(
      "examples/quadruped/links_viscous_flat.yaml",
      {.package_paths = {},
       .overrides = {{"integrator.step", std::to_string(step)}, {"duration", duration}}});
  EnergyRun out;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) out.kinds.push_back(row.kind);
  };
  Simulation run(scenario, observer);
  while (run.step())
    out.residual = std::max(out.residual, std::abs(residual_of(scenario.model, run.state())));
  out.work = std::abs(run.state().ledger.actuator_work);
  CHECK(run.statistics().fallbacks == 0);
  return out;
}

// Steps of 1, 1/2, 1/4 and 1/8 ms; the ticks stay at 1 ms.
void check_order(const char* duration, std::ptrdiff_t impacts, std::ptrdiff_t lift_offs) {
  EnergyRun before;
  for (int k = 0; k <= 3; ++k) {
    const EnergyRun now = trot(0.001 / (1 << k), duration);
    CHECK(std::ranges::count(now.kinds, EventKind::impact) >= impacts);
    CHECK(std::ranges::count(now.kinds, EventKind::lift_off) >= lift_offs);
    CHECK(now.residual <= 1e-6 * now.work);
    if (k > 0) {
      const double slope = std::log2(before.residual / now.residual);
      std::printf("energy residual %.3e -> %.3e J of %.2f J: slope %.2f\n", before.residual,
                  now.residual, now.work, slope);
      CHECK(now.kinds == before.kinds);
      CHECK(slope >= 3.7);
    }
    before = now;
  }
}

}  // namespace

// Smooth stretches are integrated at order 4, events located to rounding and impulses booked
// exactly, so the residual falls 16-fold a halving; 3.7 and 1e-6 of the actuators' work are asked.
TEST_CASE(
    "with RK4 the energy residual of a trot falls at order 4 through touchdowns and lift-offs") {
  check_order("0.3", 1, 1);
}

TEST_SUITE("long") {
  TEST_CASE("with RK4 the energy residual falls at order 4 through two seconds of trot") {
    check_order("2", 70, 20);
  }
}

}  // namespace pequod
