// Cubes that stand side by side on the plane. Faces touch without a force, and where four cubes
// meet their edges lie in one line, which gives the diagonal ones no normal but by rounding.
#include <doctest/doctest.h>

#include <string>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

constexpr double kStill = 1e-12;  // m; rad: some thousand roundings of the widest grid

Scenario grid(int n, double size, double mass, const char* method, const char* model) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  const Matrix3d inertia = mass * size * size / 6.0 * Matrix3d::Identity();
  for (int k = 0; k < n * n; ++k)
    builder.add_free_body("cube" + std::to_string(k), {mass, Vector3d::Zero(), inertia},
                          {{Box{Vector3d::Constant(size)}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {}}}));
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      scenario.initial.q.segment<3>(7 * (n * row + column)) << size * column, size * row,
          0.5 * size;
  scenario.duration = 0.1;
  scenario.integrator = {method, 1e-3, 0.0};
  scenario.contact.model = model;
  return scenario;
}

void check_still(const Scenario& scenario) {
  std::vector<EventRow> rows;
  Simulation run = run_with_rows(scenario, rows);
  run.run();
  CHECK(rows.empty());
  CHECK((run.state().q - scenario.initial.q).lpNorm<Eigen::Infinity>() <= kStill);
}

}  // namespace

TEST_CASE("cubes in a grid stand where they are, and none of them lifts off") {
  for (const double size : {0.1, 0.13, 0.07}) {
    CAPTURE(size);
    for (const char* model : {"coulomb", "no-slip", "frictionless"}) {
      CAPTURE(model);
      check_still(grid(3, size, 2.7, "symplectic-euler", model));
      check_still(grid(3, size, 2.7, "rk4", model));
    }
  }
  check_still(grid(4, 0.07, 0.3, "symplectic-euler", "coulomb"));
}

}  // namespace pequod
