// What a step of the scene may cost.
#include "simulation/loop/budget.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/model.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

constexpr double kStep = 1e-3;  // s

// A ball: one tree.
Scenario ball() {
  ModelBuilder builder;
  builder.add_free_body("ball", {1.0, Vector3d::Zero(), Matrix3d::Identity()}, {});
  Scenario scenario = scenario_with(builder.build({}));
  scenario.integrator.step = kStep;
  scenario.duration = 1.0;
  return scenario;
}

// A step of the scene with an event each `apart`, until no more are followed.
// @return how many were
// @param contacts  of the island that each of them solves
int events_followed(const Scenario& scenario, int scene_step, double apart, int most, State& state,
                    int contacts = 1) {
  const double begin = scene_step * kStep, end = begin + kStep;
  state.t = begin;
  int events = 0;
  while (events < most && !is_spent(state.loop.budget, 1)) {
    const double from = state.t;
    state.t += apart;
    count_step(scenario, {from, end, false, {.by_event = true, .contacts = contacts}}, state);
    ++events;
  }
  const double from = state.t;
  state.t = end;
  count_step(scenario, {from, end, false, {}}, state);
  return events;
}

}  // namespace

TEST_CASE("a storm that lasts leaves less and less to each step, one that ends gives it back") {
  const Scenario scenario = ball();
  State state = scenario.initial;
  const double apart = 1e-6;                                      // s: no crowd at one instant
  CHECK(events_followed(scenario, 0, apart, 900, state) == 503);  // 500 and two a body are exceeded
  CHECK(events_followed(scenario, 1, apart, 900, state) == 126);  // a quarter
  CHECK(events_followed(scenario, 2, apart, 900, state) == 32);
  CHECK(events_followed(scenario, 3, apart, 5, state) == 5);     // within what is left
  CHECK(events_followed(scenario, 4, apart, 900, state) == 16);  // twice that share of 502
}

// The cost of an impact grows as the cube of its contacts beyond 64: of 128 an eighth as many are
// followed.
TEST_CASE("impacts of many contacts leave less to a step") {
  const Scenario scenario = ball();
  const auto followed = [&](int contacts) {
    State state = scenario.initial;
    return events_followed(scenario, 0, 1e-6, 900, state, contacts);
  };
  CHECK(followed(64) == 503);
  CHECK(followed(128) == 63);
  CHECK(followed(640) == 1);
}

// At the least, 502/256, two events are followed. Where they pass within a 16th of a step, the next
// one, three, seven and then always fifteen steps have none.
TEST_CASE("a storm that spends the least at once is looked at ever more rarely") {
  const Scenario scenario = ball();
  State state = scenario.initial;
  int scene_step = 0, waits = 0;
  for (; state.loop.budget.allowance > 1.0 / 256; ++scene_step)
    events_followed(scenario, scene_step, 1e-6, 900, state);
  std::vector<int> followed;
  for (; followed.size() < 5; ++scene_step) {
    if (events_followed(scenario, scene_step, 1e-6, 900, state) == 0) {
      ++waits;
      continue;
    }
    followed.push_back(waits);
    waits = 0;
  }
  CHECK(followed == std::vector{0, 1, 3, 7, 15});
  // Events that leave time between them are followed in each step.
  followed.clear();
  for (int i = 0; i < 20; ++i, ++scene_step)
    followed.push_back(events_followed(scenario, scene_step, 0.1 * kStep, 900, state));
  CHECK(std::ranges::count(std::span(followed).last(4), 0) == 0);
}

}  // namespace pequod
