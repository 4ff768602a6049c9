// Bodies on a floor and what functions of simulation/settle/ take.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulation/settle/impacts.h"
#include "simulation/settle/workspace.h"
#include "simulation/settle/zeno.h"
#include "test/simulation/stage_bench.h"
#include "test/support/inertias.h"

namespace pequod::table {

inline constexpr double kRounding = 1e-12;  // relative, of sums of a few terms
inline constexpr double kRadius = 0.1;      // m

/// Bodies on the plane z = 0, each from rest where it is put, and what the functions of settle/
/// take.
struct Table {
  Table(const std::string& model, const std::vector<std::pair<Inertia, Geometry>>& bodies,
        const Surface& surface, const Pose& X_FS = {})
      : scenario(make(model, bodies, surface, X_FS)),
        world(make_world(scenario, {}, clock)),
        here(scenario.model),
        state(scenario.initial),
        workspace(scenario.model) {}

  static Scenario make(const std::string& model,
                       const std::vector<std::pair<Inertia, Geometry>>& bodies,
                       const Surface& surface, const Pose& X_FS) {
    Bench bench(model, 0.01);
    for (const auto& [inertia, geometry] : bodies) bench.add(inertia, geometry, X_FS);
    Scenario scenario = bench.scenario;
    scenario.model = bench.builder.build({{"*", "*", surface}});
    scenario.model.gravity = {0.0, 0.0, -g};
    scenario.initial = make_state(scenario.model);
    return scenario;
  }
  // Position and velocity of a body's frame.
  auto p(int body) { return state.q.segment<3>(7 * body); }
  auto v(int body) { return state.v.segment<3>(6 * body + 3); }
  // Force on the origin of a body's frame.
  auto force(int body) { return state.tau.segment<3>(6 * body + 3); }

  void find() { find_touching(world, state, kGapTolerance, here, workspace.touching, touching); }
  Impacts impacts() { return resolve_impacts(world, here, state, touching, rows, workspace); }
  void close_short_flights(double approach) {
    pequod::close_short_flights(world, here, state, touching, approach, rows, workspace);
  }
  double kinetic() {
    here.at(state.q, state.v);
    return kinetic_energy(scenario.model, here.kinematics(), state.v);
  }

  StepClock clock;
  Scenario scenario;
  World world;
  Evaluator here;
  State state;
  SettleWorkspace workspace;
  Touching touching;
  std::vector<EventRow> rows;
};

inline Table balls(const std::string& model, int count, double e) {
  return Table(model,
               std::vector<std::pair<Inertia, Geometry>>(
                   static_cast<std::size_t>(count), {ball_inertia(2.0, kRadius), Sphere{kRadius}}),
               {.restitution = e});
}

}  // namespace pequod::table
