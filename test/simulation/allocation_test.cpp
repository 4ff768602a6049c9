// Time steps in steady state ask nothing of the heap.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "simulation/controllers/pd.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/support/allocations.h"

namespace pequod {
namespace {

Scenario load(const std::string& example) { return test::load("examples/" + example); }

std::int64_t events(const Simulation& run) {
  const auto& by_kind = run.statistics().events;
  return std::accumulate(by_kind.begin(), by_kind.end(), std::int64_t{0});
}

// What the sizes of vectors depend on: how many contacts touch, and how many of them are held.
std::pair<std::ptrdiff_t, std::ptrdiff_t> contacts(const Simulation& run) {
  const std::vector<ContactMode>& mode = run.state().mode;
  return {std::ssize(mode),
          std::ranges::count_if(mode, [](const ContactMode& contact) { return contact.closed; })};
}

struct Count {
  long steady = 0;                    // allocations in steps that change no contact
  long changing = 0;                  // in the others, and the first after each of them
  int steady_steps = 0, changes = 0;  // how many of each
};

// Over 500 steps after `settled` seconds, in which buffers have grown to their size. Where contacts
// come or go, impacts have temporaries and vectors as long as the number of contacts take another
// size: those steps are counted by themselves.
Count count_allocations(const Scenario& scenario, double settled) {
  Simulation run(scenario);
  while (run.state().t < settled) REQUIRE(run.step());
  Count count;
  bool same_before = true;
  for (int i = 0; i < 500; ++i) {
    const std::int64_t events_before = events(run);
    const auto contacts_before = contacts(run);
    const long before = test::allocations();
    const bool more = run.step();
    const long during = test::allocations() - before;
    REQUIRE(more);
    const bool same = events(run) == events_before && contacts(run) == contacts_before;
    (same && same_before ? count.steady : count.changing) += during;
    ++(same && same_before ? count.steady_steps : count.changes);
    same_before = same;
  }
  MESSAGE(scenario.name << ": " << count.changing << " allocations in " << count.changes
                        << " steps in which contacts came or went");
  return count;
}

TEST_CASE("a trot without slip under symplectic Euler allocates nothing between touchdowns") {
  const Count count = count_allocations(load("quadruped/trot.yaml"), 3.0);
  CHECK(count.steady == 0);
  CHECK(count.steady_steps > 450);
  CHECK(count.changes > 0);
}

TEST_CASE("a trot with viscous friction under RK4 allocates nothing between touchdowns") {
  const Count count = count_allocations(load("quadruped/links_viscous_flat.yaml"), 1.0);
  CHECK(count.steady == 0);
  CHECK(count.steady_steps > 450);
  CHECK(count.changes > 0);
}

TEST_CASE(
    "a trot with Coulomb friction in the stages of RK4 allocates nothing between touchdowns") {
  Scenario scenario = load("quadruped/trot.yaml");
  scenario.integrator.method = "rk4";
  scenario.contact.model = "coulomb";
  scenario.contact.solver.clear();
  const Count count = count_allocations(scenario, 3.0);
  CHECK(count.steady == 0);
  CHECK(count.steady_steps > 300);
  CHECK(count.changes > 0);
}

TEST_CASE("a robot that pd holds upright allocates nothing") {
  Scenario scenario = load("quadruped/trot.yaml");
  PdOptions options;
  options.kp = 1000.0;
  options.kd = 20.0;
  scenario.controllers = {make_pd(scenario.model, 1, options)};
  const Count count = count_allocations(scenario, 1.0);
  CHECK(count.steady == 0);
  CHECK(count.steady_steps == 500);
}

TEST_CASE("linkages allocate nothing, at the acceleration level and at the velocity level") {
  for (const char* model : {"frictionless", "no-slip"}) {
    Scenario scenario = load("loops/four_bar.yaml");
    scenario.contact.model = model;
    const Count count = count_allocations(scenario, 1.0);
    CHECK(count.steady == 0);
    CHECK(count.steady_steps == 500);
  }
}

}  // namespace
}  // namespace pequod
