// Corners that pass over the edge of what their body slides off.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

struct Passed {
  int impacts = 0;  // with the table's top
  State end;
  RunStatistics statistics;
};

Passed run_over_edge(const std::string& contact, const std::string& method, double step,
                     const std::string& rest) {
  const Scenario scenario =
      load(Folder(), fmt::format("integrator: {{method: {}, step: {}}}\ncontact: {{{}}}\n{}",
                                 method, step, contact, rest));
  Passed passed;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows)
      if (row.kind == EventKind::impact && row.n_W.z() > 1.0 - 1e-9) ++passed.impacts;
  };
  Simulation run(scenario, observer);
  run.run();
  passed.end = run.state();
  passed.statistics = run.statistics();
  return passed;
}

const char* const kTurnedBox =
    "duration: 0.15\nsurfaces: [{between: ['*', '*'], friction: 0}]\nbodies:\n"
    "  table: {fixed: true, shape: {box: {size: [1, 1, 0.1]}}, position: [-0.5, 0, -0.05]}\n"
    "  box: {mass: 1, shape: {box: {size: [0.3, 0.16, 0.1]}}, position: [0.001, 0, 0.05], "
    "orientation: {rpy: [0, 0, 0.3]}, velocity: [1, 0, 0]}\n";

}  // namespace

// A box that slides off askew lies on the edge with its base, and a corner of that comes to the
// edge from above the table: there its gap to the table is zero, and there the table ends. Taken as
// a hit with the table's normal, at 0.19 m/s, it turned the box by 0.15 rad/s and cost 3 mJ; the
// shorter the steps, the surer. What follows is held against an integration apart from this
// program, which holds the edge in the plane of the base, both ends of what lies on it pushing.
TEST_CASE("a corner that slides over an edge hits nothing") {
  const Vector3d truth(-0.0338013835, 3.54538627, -0.114471527);  // rad/s
  for (const double step : {1e-3, 5e-4, 1e-4})
    for (const std::string model : {"frictionless", "coulomb, level: acceleration"}) {
      CAPTURE(step);
      CAPTURE(model);
      const Passed passed = run_over_edge("model: " + model, "rk4", step, kTurnedBox);
      CHECK(passed.impacts == 0);
      CHECK(passed.statistics.fallbacks == 0);
      CHECK(passed.statistics.energy_residual_max < 1e-9);
      CHECK((passed.end.v.head<3>() - truth).norm() < 1e-7);
    }
}

// Rebound or not, friction or not, at any angle. Some part from the edge and meet it again, with
// another normal.
TEST_CASE("boxes slide off a table at any angle without a hit on its top") {
  for (int k = 0; k < 12; ++k)
    for (const char* const contact : {"model: frictionless", "model: coulomb", "model: viscous"}) {
      CAPTURE(k);
      CAPTURE(contact);
      const double yaw = 0.13 * k - 0.7, speed = 0.6 + 0.1 * k;
      const Passed passed = run_over_edge(
          contact, "rk4", 1e-3,
          fmt::format(
              "duration: 0.3\nsurfaces: [{{between: ['*', '*'], friction: 0.05, "
              "restitution: 0.5}}]\nbodies:\n"
              "  table: {{fixed: true, shape: {{box: {{size: [1, 1, 0.1]}}}}, position: "
              "[-0.5, 0, -0.05]}}\n"
              "  box: {{mass: 1, shape: {{box: {{size: [0.3, 0.16, 0.1]}}}}, position: "
              "[0.001, 0, 0.05], orientation: {{rpy: [0, 0, {}]}}, velocity: [{}, 0, 0]}}\n",
              yaw, speed));
      CHECK(passed.impacts == 0);
    }
}

// A hit that is one: an edge comes down on the table as it moves out, so much before the border.
TEST_CASE("a corner that comes down just before an edge hits it") {
  for (const double before : {1e-3, 1e-6, 1e-8}) {
    CAPTURE(before);
    const Passed passed = run_over_edge(
        "model: frictionless", "rk4", 1e-3,
        fmt::format("duration: 0.0102\ngravity: [0, 0, 0]\nbodies:\n"
                    "  table: {{fixed: true, shape: {{box: {{size: [1, 1, 0.1]}}}}, position: "
                    "[-0.5, 0, -0.05]}}\n"
                    "  box: {{mass: 1, shape: {{box: {{size: [0.1, 0.1, 0.1]}}}}, position: "
                    "[{}, 0, {}], orientation: {{rpy: [0, 0.7853981633974483, 0]}}, velocity: "
                    "[0.5, 0, -1]}}\n",
                    -0.005 - before, std::sqrt(0.5) * 0.1 + 0.01));
    CHECK(passed.impacts > 0);
    CHECK(passed.end.v[5] > -1e-9);
    CHECK(std::abs(passed.end.v[3] - 0.5) < 1e-9);
  }
}

// A bar comes down with an edge along the table, one end of which is just beyond the border and
// moves out: within rounding the corner stands on the face that it leaves, and no moment later its
// edge crosses the border there. Left out of the impact, that end fell on (of dominoes until bodies
// overlapped), met the border later and gave the bar 9e-12 m/s.
TEST_CASE("an edge that comes down along a face lands with both ends, though one is leaving it") {
  for (const double beyond : {0.0, 3e-12, 1.4e-11, 5e-11})
    for (const std::string method : {"symplectic-euler", "rk4"}) {
      CAPTURE(beyond);
      CAPTURE(method);
      const Passed passed = run_over_edge(
          "model: frictionless", method, 1e-3,
          fmt::format("duration: 0.3\nbodies:\n"
                      "  table: {{fixed: true, shape: {{box: {{size: [2, 1, 0.1]}}}}, position: "
                      "[-0.5, 0, -0.05]}}\n"
                      "  bar: {{mass: 1, shape: {{box: {{size: [1, 0.1, 0.1]}}}}, position: "
                      "[{}, 0, {}], orientation: {{rpy: [0.7853981633974483, 0, 0]}}, velocity: "
                      "[1, 0, -0.1]}}\n",
                      beyond, 0.1 * std::sqrt(0.5)));
      VectorXd slides = VectorXd::Zero(6);  // the truth: its fall stopped, its way as before
      slides[3] = 1.0;
      CHECK((passed.end.v - slides).norm() < 1e-13);
      CHECK(passed.impacts == 2);
    }
}

// A box leans on a table and lies on it with one edge, which slides out over that of the table:
// nothing pushes it along the table. Edges of meshes and fields bound the normals of what crosses
// them, by the faces beside them; taken for over the side of the table what had gone on pushed by
// its normal, and made 22 mJ.
TEST_CASE("an edge that slides over the edge of a mesh is not pushed along") {
  const Folder folder;
  folder.write("table.obj",
               "v -1 -1 0\nv -1 1 0\nv 0 -1 0\nv 0 1 0\nv 0 -1 -1\nv 0 1 -1\n"
               "f 1 3 4\nf 1 4 2\nf 3 5 6\nf 3 6 4\n");
  for (const std::string ground : {"box: {size: [1, 2, 1]}}, position: [-0.5, 0, -0.5",
                                   "mesh: {file: table.obj}}, position: [0, 0, 0"}) {
    CAPTURE(ground);
    const Scenario scenario = load(
        folder,
        fmt::format("duration: 0.08\nintegrator: {{method: rk4, step: 0.001}}\n"
                    "contact: {{model: frictionless}}\nbodies:\n"
                    "  ground: {{fixed: true, shape: {{{}]}}\n"
                    "  b: {{mass: 1, shape: {{box: {{size: [0.2, 0.1, 0.1]}}}}, position: "
                    "[-0.10541682120282024, 0, 0.06785040502472878], orientation: {{quaternion: "
                    "[0.9580325796404554, 0.24462587947773928, 0.03697158563757041, "
                    "0.14479246283091116]}}, velocity: [0.5, 0, 0], angular_velocity: [0, 0, "
                    "2]}}\n",
                    ground));
    Simulation run(scenario);
    run.run();
    CHECK(run.statistics().fallbacks == 0);
    CHECK(std::abs(run.state().v[3] - 0.5) < 1e-6);
    CHECK(run.statistics().energy_residual_max < 1e-7);
  }
}

// An edge of a box that comes down across the ridge of a field meets the ridge, not the plane of a
// facet beyond it, in which it comes to lie with an end that hangs over the other side: there the
// impact was 2 cm above the ground.
TEST_CASE("what comes down on a ridge of a field meets it there") {
  const Folder folder;
  folder.write("roof.dat",
               "4 3\n-0.0571 -0.0571 -0.0571\n0.2654 0.2654 0.2654\n-0.1609 -0.1609 -0.1609\n"
               "0.0662 0.0662 0.0662\n");
  const Scenario scenario = load(
      folder,
      "duration: 0.012\nintegrator: {method: dopri5, step: 0.001}\n"
      "contact: {model: frictionless}\nsurfaces: [{between: ['*', '*'], restitution: 0}]\nbodies:\n"
      "  ground: {fixed: true, shape: {heightfield: {file: roof.dat, size: [3, 3]}}}\n"
      "  b: {mass: 1, shape: {box: {size: [0.12300969210479906, 0.1818956825690467, "
      "0.2688638988402409]}}, position: [-0.39950675910286837, -0.0026458093304528147, "
      "0.39524266901834043], orientation: {quaternion: [0.10842164518349783, 0.947728455572654, "
      "0.22798527827935977, -0.19513645031479626]}, velocity: [0.09298551421857067, "
      "-0.018898638074663014, -0.3454095374845686], angular_velocity: [0.3451175799051325, "
      "-5.81464814539509, -3.7433687218221463]}\n");
  std::vector<EventRow> impacts;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows)
      if (row.kind == EventKind::impact) impacts.push_back(row);
  };
  Simulation run(scenario, observer);
  run.run();
  REQUIRE(!impacts.empty());
  for (const EventRow& row : impacts) {
    // The field is a roof along y.
    const double x = row.p_W.x();
    const double ground = x < -0.5 ? 0.2654 + 0.3225 * (x + 0.5) : 0.2654 - 0.4263 * (x + 0.5);
    CHECK(std::abs(row.p_W.z() - ground) < 1e-8);
  }
}

}  // namespace pequod::test
