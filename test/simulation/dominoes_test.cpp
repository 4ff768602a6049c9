// Dominoes that fall on each other: many contacts that slide and push at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "simulation/simulation.h"
#include "test/simulation/referee.h"
#include "test/support/textbook_model.h"

namespace pequod {
namespace {

constexpr double kMass = 0.1, kApart = 0.035;
const Vector3d kSize(0.01, 0.04, 0.08);  // m

Scenario dominoes(int count) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  const Vector3d squares = kSize.cwiseAbs2();
  const Vector3d moments =
      kMass / 12.0 *
      Vector3d(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  const Inertia inertia{kMass, Vector3d::Zero(), moments.asDiagonal()};
  for (int i = 0; i < count; ++i)
    builder.add_free_body("d" + std::to_string(i), inertia, {{Box{kSize}, {}}});
  Surface surface;
  surface.friction = 0.4;
  Scenario scenario;
  scenario.model = builder.build({{"*", "*", surface}});
  scenario.initial = make_state(scenario.model);
  for (int i = 0; i < count; ++i)
    scenario.initial.q.segment<3>(7 * i) << kApart * i, 0.0, 0.5 * kSize.z();
  const double spin = 3.0;  // rad/s, of the first, about its lower edge
  scenario.initial.v.head<6>() << 0.0, spin, 0.0, spin * scenario.initial.q[2], 0.0, 0.0;
  scenario.contact.model = "coulomb";
  scenario.integrator = {"rk4", 1e-3, 0.0};
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
    CHECK(s.events[static_cast<std::size_t>(EventKind::painleve)] == 0);
    CHECK(s.events[static_cast<std::size_t>(EventKind::impact)] > 0);
    CHECK(s.fallbacks == 0);
    CHECK(s.unbalanced == 0);
    CHECK(s.energy_residual_max <= 1e-9);  // of 0.04 J a domino
    CHECK(referee.overlap() <= 1e-9);
  }
}

}  // namespace pequod
