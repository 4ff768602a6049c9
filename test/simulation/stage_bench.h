// Bodies on a plane in a run with friction in the stages of RK4.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "test/simulation/scenario_with.h"
#include "test/support/inertias.h"

namespace pequod {

inline constexpr double g = 9.81;

/// Bodies on the plane z = 0 in an RK4 run; the plane is level, gravity may tilt.
struct Bench {
  ModelBuilder builder;
  Scenario scenario;
  std::vector<EventRow> rows;

  Bench(const std::string& model, double step) {
    builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
    scenario.contact.model = model;
    scenario.integrator = {"rk4", step, 0.0};
    scenario.record.every = 1e3;
  }
  void add(const Inertia& inertia, const Geometry& geometry, const Pose& X_FS = {}) {
    builder.add_free_body("body" + std::to_string(bodies++), inertia, {{geometry, X_FS}});
  }
  void build(double mu, double tangent = 0.0) {
    scenario.model = builder.build({{"*", "*", {.friction = mu}}});
    const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
    scenario.model.gravity = {g * tangent * cosine, 0.0, -g * cosine};
    scenario.initial = make_state(scenario.model);
  }
  Simulation start() { return run_with_rows(scenario, rows); }
  [[nodiscard]] int count(EventKind kind) const {
    int n = 0;
    for (const EventRow& row : rows) n += row.kind == kind ? 1 : 0;
    return n;
  }

  int bodies = 0;
};

inline double residual(const Bench& bench, Simulation& run) {
  return std::abs(report_energy(bench.scenario.model, run.kinematics(), run.state()).residual);
}

}  // namespace pequod
