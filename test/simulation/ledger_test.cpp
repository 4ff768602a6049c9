// What the energy log and the rows of events say of each other.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

struct Booked {
  double rows = 0.0;      // J, sum of energy_change
  double turnover = 0.0;  // J, of its absolute values
  double least = 0.0;     // J, smallest increment of impact_loss of a step
  double kinetic = 0.0;   // J, largest at a record
  int events = 0;
  Ledger ledger;
};

Booked book(const Scenario& scenario) {
  Booked booked;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) {
      booked.rows += row.energy_change;
      booked.turnover += std::abs(row.energy_change);
      ++booked.events;
    }
  };
  observer.record = [&](const State&, const Kinematics&, const EnergyReport& energy) {
    booked.kinetic = std::max(booked.kinetic, energy.kinetic);
  };
  Simulation run(scenario, observer);
  double before = 0.0;
  for (bool more = true; more; before = run.state().ledger.impact_loss) {
    more = run.step();
    booked.least = std::min(booked.least, run.state().ledger.impact_loss - before);
  }
  booked.ledger = run.state().ledger;
  return booked;
}

// Rounding of energies that are differences: of the largest there was.
void check_books(const Booked& b) {
  CHECK(std::abs(b.rows + b.ledger.impact_loss + b.ledger.zeno_loss) <= 1e-12 * b.turnover);
  CHECK(b.least >= -1e-12 * b.kinetic);
}

// A ball that bounces, a box that tumbles and a capsule that slides, on the ground and on each
// other.
const std::string kThrown =
    "bodies:\n"
    "  ground: {fixed: true, shape: {plane: {}}}\n"
    "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.4], velocity: [1, 0, "
    "0]}\n"
    "  box: {mass: 2, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0.5, 0, 0.3], velocity: "
    "[-1, 0.3, 0], angular_velocity: [1, 3, 2]}\n"
    "  rod: {mass: 1, shape: {capsule: {radius: 0.05, length: 0.3}}, position: [0, 0.6, 0.05], "
    "orientation: {rpy: [0, 1.5707963267948966, 0]}, velocity: [1, 0.5, 0]}\n"
    "surfaces: [{between: ['*', '*'], friction: 0.4, viscous: 0.5, restitution: 0.5}]\n";

}  // namespace

TEST_CASE("impact_loss is what the rows of events sum up to, and falls with none of them") {
  for (const char* method : {"symplectic-euler", "rk4", "dopri5"})
    for (const char* model : {"frictionless", "viscous", "no-slip", "coulomb", "drumwright-shell",
                              "stewart-trinkle", "anitescu-potra", "baraff"}) {
      const std::string pair = fmt::format("{} x {}", method, model);
      CAPTURE(pair);
      const Folder folder;
      const std::string settings = fmt::format(
          "duration: 0.7\nintegrator: {{method: {}, step: 0.005}}\n"
          "contact: {{model: {}}}\n",
          method, model);
      if (!report(folder, settings + kThrown).empty()) continue;  // the pair has no meaning
      const Booked b = book(load(folder, settings + kThrown));
      CHECK(b.events > 0);
      CHECK(b.ledger.impact_loss > 0.1);
      check_books(b);
    }
}

TEST_CASE("impact_loss of a trot is what its touchdowns took") {
  const Scenario scenario = test::load("examples/quadruped/trot.yaml",
                                       {.package_paths = {}, .overrides = {{"duration", "2"}}});
  const Booked b = book(scenario);
  CHECK(b.ledger.impact_loss > 0.1);
  CHECK(b.ledger.normal_loss != 0.0);  // before, a part of impact_loss that no row had
  check_books(b);
}

TEST_CASE("a step of seconds books what it takes along normals apart from impacts") {
  for (const double step : {0.05, 0.5, 5.0}) {
    const Folder folder;
    const Booked b =
        book(load(folder, fmt::format("duration: 10\nintegrator: {{step: {}}}\n", step) + kThrown));
    CAPTURE(step);
    check_books(b);
  }
}

TEST_CASE("time-stepping has no impacts: what landing takes is in normal_loss") {
  const Folder folder;
  const Booked b = book(load(folder,
                             "duration: 1\ncontact: {model: coulomb, scheme: time-stepping}\n"
                             "bodies:\n  ground: {fixed: true, shape: {plane: {}}}\n  ball: {mass: "
                             "2, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.6]}\n"));
  CHECK(b.ledger.impact_loss == 0.0);
  CHECK(b.ledger.normal_loss == doctest::Approx(2.0 * 9.81 * 0.5).epsilon(0.01));
}

}  // namespace pequod::test
