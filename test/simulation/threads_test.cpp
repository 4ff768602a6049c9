// A run by several threads is to the bit that by one.
#include <doctest/doctest.h>

#include <cstring>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/many_bodies.h"

using namespace pequod;
using namespace pequod::test;

namespace {

Scenario load_text(const std::string& text) {
  const Folder folder;
  return test::load(folder.write("scene.yaml", text));
}

// All that a run tells, number by number.
class Told {
 public:
  void add(double value) { numbers_.push_back(value); }
  void add(const VectorXd& values) {
    numbers_.insert(numbers_.end(), values.data(), values.data() + values.size());
  }
  void add(const Vector3d& values) { add(VectorXd(values)); }
  void add(const ContactKey& key) {
    for (const double part : {double(key.shape_a), double(key.shape_b), double(key.feature)})
      add(part);
  }
  void add(const State& state) {
    add(state.t);
    for (const VectorXd* values : {&state.q, &state.v, &state.tau, &state.memory}) add(*values);
    const Ledger& ledger = state.ledger;
    for (const double sum :
         {ledger.actuator_work, ledger.damping_loss, ledger.friction_loss, ledger.impact_loss,
          ledger.zeno_loss, ledger.stabilisation, ledger.normal_loss, ledger.suspect})
      add(sum);
    for (const ContactMode& mode : state.mode) {
      add(mode.key);
      for (const Vector3d& told : {mode.force_W, mode.point_W, mode.normal_W}) add(told);
      add(mode.gap);
    }
  }
  void add(const StepReport& step) {
    for (const double value :
         {step.h, double(step.contacts), double(step.stats.pivots), double(step.stats.solves),
          step.stats.residual, step.stats.slip, step.stats.gain, step.smallest_gap})
      add(value);
  }

  // NaN is NaN here.
  bool operator==(const Told& other) const {
    return numbers_.size() == other.numbers_.size() &&
           std::memcmp(numbers_.data(), other.numbers_.data(), numbers_.size() * sizeof(double)) ==
               0;
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  std::vector<double> numbers_;
};

Told told_by(const Scenario& scene, int threads, int steps) {
  Scenario scenario = scene;
  scenario.threads = threads;
  Told told;
  Observer observer;
  observer.step = [&](const StepReport& step) { told.add(step); };
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) {
      told.add(row.t);
      told.add(row.energy_change);
    }
  };
  Simulation run(scenario, observer);
  for (int i = 0; i < steps && run.step(); ++i) told.add(run.state());
  return told;
}

void check_same_bits(const std::string& text, int steps) {
  const Scenario scene = load_text(text);
  const Told alone = told_by(scene, 1, steps);
  CHECK(alone.size() > 1000);
  for (const int threads : {2, 3, 8}) {
    CAPTURE(threads);
    CHECK(told_by(scene, threads, steps) == alone);
  }
}

}  // namespace

TEST_CASE("many robots go the same way, to the bit, by any number of threads") {
  check_same_bits(many_robots("contact: {model: no-slip}\n"), 120);
}

TEST_CASE("many robots under RK4 go the same way, to the bit, by any number of threads") {
  check_same_bits(many_robots("integrator: {method: rk4}\ncontact: {model: coulomb}\n"), 40);
}

TEST_CASE("heaps of balls fall the same way, to the bit, by any number of threads") {
  SUBCASE("event by event") { check_same_bits(many_balls("contact: {model: coulomb}\n"), 150); }
  SUBCASE("time-stepping") {
    check_same_bits(many_balls("contact: {model: coulomb, scheme: time-stepping}\n"), 250);
  }
}

// What a thread finds wrong is told as by one: that of the first island.
TEST_CASE("several threads end a run with the words of one") {
  const auto words_of = [](int threads) {
    Scenario scenario = load_text(many_balls(
        "contact: {model: coulomb, scheme: time-stepping, tolerance: 1.0e-30, unsolved: stop}\n"));
    scenario.threads = threads;
    Simulation run(scenario);
    try {
      for (int i = 0; i < 200; ++i) run.step();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string alone = words_of(1);
  CHECK(alone.find("did not solve") != std::string::npos);
  for (const int threads : {2, 8}) CHECK(words_of(threads) == alone);
}
