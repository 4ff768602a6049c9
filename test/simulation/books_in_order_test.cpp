// What logs never do: rows of events that go back in time, friction that gives energy.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/random_scene.h"

namespace pequod::test {
namespace {

struct Order {
  double back = 0.0;      // s, most that a row of events goes back
  double fall = 0.0;      // J, largest fall of friction_loss in a step
  double unbooked = 0.0;  // J, rows of events against impact_loss at the end
  double turnover = 0.0;  // J
  int series = 0;
};

Order watch(const Scenario& scenario) {
  Order order;
  double last = -kInfinity, rows_sum = 0.0;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) {
      order.back = std::max(order.back, last - row.t);
      order.series += row.kind == EventKind::zeno ? 1 : 0;
      last = row.t;
      if (row.kind == EventKind::suspect) continue;  // booked by other rows already
      rows_sum += row.energy_change;
      order.turnover += std::abs(row.energy_change);
    }
  };
  Simulation run(scenario, observer);
  double rubbed = 0.0;
  for (bool more = true; more;) {
    more = run.step();
    order.fall = std::max(order.fall, rubbed - run.state().ledger.friction_loss);
    rubbed = run.state().ledger.friction_loss;
  }
  order.unbooked =
      std::abs(rows_sum + run.state().ledger.impact_loss + run.state().ledger.zeno_loss);
  return order;
}

void check(const Order& order) {
  CHECK(order.back == 0.0);
  CHECK(order.fall == 0.0);
  CHECK(order.unbooked <= 1e-12 * order.turnover);
}

}  // namespace

// Seeds in which rows went back, by up to 5 s, or friction_loss fell.
TEST_CASE("rows of events go on in time, and friction takes energy") {
  int series = 0;
  for (const std::uint64_t seed : {24, 40, 57, 76, 94, 117, 122, 158, 184, 188, 190}) {
    CAPTURE(seed);
    const Folder folder;
    const Scenario scenario = test::load(write_scene(random_scene(seed), folder.path()));
    const Order order = watch(scenario);
    check(order);
    series += order.series;
  }
  CHECK(series > 10);
}

TEST_CASE("the books of a trot are in order") {
  for (const char* example : {"trot", "links_flat"}) {
    CAPTURE(example);
    const Scenario scenario = test::load(std::string("examples/quadruped/") + example + ".yaml",
                                         {.package_paths = {}, .overrides = {{"duration", "2.5"}}});
    check(watch(scenario));
  }
}

// The end of a series lies ahead when its contact is closed; a run that stops there and goes on
// tells it once.
TEST_CASE("a run that is resumed before the end of a series tells it once, at its time") {
  const Folder folder;
  const Scenario scenario =
      load(folder,
           "duration: 1.5\nintegrator: {method: rk4}\ncontact: {model: frictionless}\nbodies:\n  "
           "ground: {fixed: true, shape: {plane: {}}}\n"
           "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.2]}\n"
           "surfaces: [{between: ['*', '*'], restitution: 0.5}]\n");
  std::vector<double> straight, resumed;
  const auto into = [](std::vector<double>& times) {
    Observer observer;
    observer.events = [&times](std::span<const EventRow> rows) {
      for (const EventRow& row : rows)
        if (row.kind == EventKind::zeno) times.push_back(row.t);
    };
    return observer;
  };
  Simulation whole(scenario, into(straight));
  whole.run();
  REQUIRE(straight.size() == 1);
  // h = ½ g t₀²; all flights together take t₀ (1 + 2 (e + e² + …)) = 3 t₀ for e = ½.
  CHECK(straight[0] == doctest::Approx(3.0 * std::sqrt(2.0 * 0.1 / 9.81)).epsilon(1e-8));
  Simulation first(scenario, into(resumed));
  while (first.state().loop.ends.empty()) REQUIRE(first.step());
  CHECK(resumed.empty());
  Simulation second(scenario, first.state(), first.statistics(), into(resumed));
  second.run();
  CHECK(resumed == straight);
}

}  // namespace pequod::test
