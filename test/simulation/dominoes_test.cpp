// Dominoes that fall on each other: many contacts that slide and push at once.
#include <doctest/doctest.h>

#include "test/simulation/referee.h"
#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

constexpr double kMass = 0.1, kApart = 0.035;
const Vector3d kSize(0.01, 0.04, 0.08);  // m

Scenario dominoes(int count) {
  Bench bench("coulomb", 1e-3);
  for (int i = 0; i < count; ++i) bench.add(box_inertia(kMass, kSize), Box{kSize});
  bench.build(0.4);
  Scenario& scenario = bench.scenario;
  scenario.record = {};  // energies are judged where they are recorded
  for (int i = 0; i < count; ++i)
    scenario.initial.q.segment<3>(7 * i) << kApart * i, 0.0, 0.5 * kSize.z();
  const double spin = 3.0;  // rad/s, of the first, about its lower edge
  scenario.initial.v.head<6>() << 0.0, spin, 0.0, spin * scenario.initial.q[2], 0.0, 0.0;
  return scenario;
}

}  // namespace

// Where each leans on the next, all that slide carry forces that balance, though a contact that
// gave way would have them run away. Of other modes none stands: the impulses that were taken for
// one moved nothing, at every step. Energy goes by friction and impacts alone.
TEST_CASE("dominoes that lean on each other slide with the forces that balance") {
  for (const int count : {3, 6, 10}) {
    CAPTURE(count);
    Scenario scenario = dominoes(count);
    scenario.duration = 0.45;
    Simulation run(scenario);
    test::Referee referee(scenario.model);
    while (run.step()) referee.look(run.state());
    const RunStatistics& s = run.statistics();
    CHECK(nth(s.events, EventKind::painleve) == 0);
    CHECK(nth(s.events, EventKind::impact) > 0);
    CHECK(s.fallbacks == 0);
    CHECK(s.unbalanced == 0);
    CHECK(s.energy_residual_max <= 1e-9);  // of 0.04 J a domino
    CHECK(referee.overlap() <= 1e-9);
  }
}

}  // namespace pequod
