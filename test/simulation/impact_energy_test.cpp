// What impacts take, by a textbook's kinetic energy.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"
#include "test/support/random.h"
#include "test/support/textbook_model.h"

namespace pequod {
namespace {

constexpr int kBalls = 6;

// Balls of several masses fly to one point and past it: in flight, without gravity, a ball keeps
// its energy to rounding whatever the integrator.
Scenario meeting_balls(const ContactModel& model, const std::string& restitution, double e) {
  Random random(61);
  ModelBuilder builder({0.0, 0.0, 0.0});
  for (int i = 0; i < kBalls; ++i) {
    const double m = random.uniform(0.5, 2.0), r = 0.1;
    builder.add_free_body("ball" + std::to_string(i), ball_inertia(m, r), {{Sphere{r}, {}}});
  }
  Scenario scenario = scenario_with(builder.build({{"*", "*", {0.3, 0.1, e}}}));
  for (int i = 0; i < kBalls; ++i) {
    const double angle = 2.0 * M_PI * i / kBalls;
    const Vector3d p(0.4 * std::cos(angle), 0.4 * std::sin(angle), 0.05 * (i % 3));
    scenario.initial.q.segment<3>(7 * i) = p;
    scenario.initial.v.segment<3>(6 * i) = random.vector(5.0);
    scenario.initial.v.segment<3>(6 * i + 3) = -2.0 * p + random.vector(0.1);
  }
  scenario.duration = 0.5;
  scenario.contact.model = model.name;
  scenario.contact.restitution = restitution;
  const bool slow = model.name == "baraff" || model.name == "viscous";
  scenario.integrator = {slow ? "rk4" : "symplectic-euler", 1e-3, 0.0};
  return scenario;
}

}  // namespace

TEST_CASE("balls that meet in flight lose what the ledger says, and never gain") {
  for (const ContactModel& model : contact_models())
    for (const std::string restitution : {"poisson", "newton"})
      for (const double e : {0.0, 0.4, 1.0}) {
        CAPTURE(model.name);
        CAPTURE(restitution);
        CAPTURE(e);
        const Scenario scenario = meeting_balls(model, restitution, e);
        const auto energy = [&](const State& state) {
          return test::textbook_kinetic(scenario.model, state.q, state.v);
        };
        double rows = 0.0;
        Observer observer;
        observer.events = [&](std::span<const EventRow> now) {
          for (const EventRow& row : now) rows += row.energy_change;
        };
        Simulation run(scenario, observer);
        const double start = energy(run.state());
        double before = start, rise = 0.0;
        while (run.step()) {
          const double now = energy(run.state());
          rise = std::max(rise, (now - before) / start);
          before = now;
        }
        const Ledger& l = run.state().ledger;
        CHECK(rise <= 1e-12);
        CHECK(nth(run.statistics().events, EventKind::impact) > 0);
        CHECK(std::abs(before + l.impact_loss + l.zeno_loss + l.friction_loss + l.normal_loss +
                       l.stabilisation - start) <= 1e-12 * start);
        CHECK(std::abs(rows + l.impact_loss + l.zeno_loss) <= 1e-12 * start);
        // Without friction and with e = 1 there is nothing to lose.
        if (model.name == "frictionless" && e == 1.0) CHECK(l.impact_loss <= 1e-12 * start);
        if (e == 0.0) CHECK(l.impact_loss > 0.1 * start);
      }
}

}  // namespace pequod
