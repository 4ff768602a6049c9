// What is far away changes nothing.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/crank_rocker.h"
#include "test/simulation/scenario_with.h"

namespace pequod::test {
namespace {

// Two balls, of which one slides off the other, and what lies beside them on four corners.
std::string sliding_off(const std::string& model, const std::string& method,
                        const std::string& beside) {
  return fmt::format(
      "duration: 0.45\nintegrator: {{method: {}, step: 0.001}}\n"
      "contact: {{model: {}, level: acceleration}}\n"
      "surfaces: [{{between: ['*', '*'], friction: 0}}]\nbodies:\n"
      "  below: {{fixed: true, shape: {{sphere: {{radius: 0.3}}}}, position: [0, 0, 1]}}\n"
      "  ball: {{mass: 1, shape: {{sphere: {{radius: 0.1}}}}, position: [0, 0, 1.4], "
      "velocity: [0.5, 0, 0]}}\n  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n{}",
      method, model, beside);
}

// A box that lands on its corner and leaves by turning.
constexpr const char* kTumbling =
    "duration: 0.26\nintegrator: {{method: {}, step: 0.001}}\n"
    "contact: {{model: {}, level: velocity}}\n"
    "surfaces: [{{between: ['*', '*'], friction: 0.3}}]\nbodies:\n"
    "  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
    "  box: {{mass: 1, shape: {{box: {{size: [0.1, 0.2, 0.3]}}}}, position: [0, 0, 0.4], "
    "orientation: {{quaternion: [0.9, 0.3, 0.3, 0.1]}}, velocity: [2, -1, 0], "
    "angular_velocity: [3, -8, 4]}}\n";

VectorXd end_of_box(const std::string& text) {
  const Scenario scenario = load(Folder(), text);
  Simulation run(scenario);
  run.run();
  VectorXd end(13);
  end << run.state().q.head(7), run.state().v.head(6);
  return end;
}

}  // namespace

// A ball that slides off another without friction leaves it at cos θ = (2 + v²/(g R))/3. Forces
// that are not unique, of a box on four corners metres away, once kept anyone from asking the
// ball's contact for its own, and it pulled for ever. The event is found to 1e-9 m of force.
TEST_CASE("a contact lets go in its time, whatever rests elsewhere on many points") {
  const double leaves = (2.0 + 0.25 / (9.81 * 0.4)) / 3.0;
  const std::string box = "shape: {box: {size: [0.2, 0.2, 0.2]}}";
  const std::string cylinder = "shape: {cylinder: {radius: 0.1, length: 0.2}}";
  for (const std::string model : {"frictionless", "viscous", "coulomb"}) {
    for (const std::string& shape : {std::string(), box, cylinder}) {
      CAPTURE(model);
      CAPTURE(shape);
      std::string beside;
      if (!shape.empty())
        beside = fmt::format("  beside: {{mass: 1, {}, position: [5, 0, 0.1]}}\n", shape);
      const Scenario scenario = load(Folder(), sliding_off(model, "rk4", beside));
      std::vector<EventRow> rows;
      Simulation run = run_with_rows(scenario, rows);
      run.run();
      REQUIRE(rows.size() == 1);
      CHECK(rows[0].kind == EventKind::lift_off);
      CHECK(rows[0].n_W.z() == doctest::Approx(leaves).epsilon(1e-8));
    }
  }
}

// Rows of contacts turn with their bodies also where something elsewhere has loops: the box went on
// at 13.4 rad/s in place of 14.6. What counts as rounding in the scene differs by the linkage,
// which is 30 m away; and a step of symplectic Euler that it cuts is cut for the box too, which
// changes what a step does, 1e-3 of its motion, by 1e-3 of that.
TEST_CASE("a linkage that nothing touches changes nothing of a box that tumbles") {
  for (const std::string method : {"rk4", "symplectic-euler"})
    for (const std::string model : {"coulomb", "no-slip", "stewart-trinkle"}) {
      CAPTURE(method);
      CAPTURE(model);
      const std::string alone = fmt::format(kTumbling, method, model);
      const VectorXd beside = end_of_box(alone + crank_rocker(30.0, 0.0));
      const double most = method == "rk4" ? 1e-10 : 1e-6;
      CHECK((end_of_box(alone) - beside).lpNorm<Eigen::Infinity>() < most);
    }
}

// A body that spins freely keeps its energy to rounding by its momentum (Free bodies,
// docs/models.md); one within reach of it, that it never touches, made it gain 28 % in 0.4 s.
TEST_CASE("a body in reach of time-stepping does not change how another spins") {
  const Scenario scenario =
      load(Folder(),
           "duration: 0.4\ngravity: [0, 0, 0]\n"
           "integrator: {method: symplectic-euler, step: 0.001}\n"
           "contact: {model: coulomb, level: velocity, scheme: time-stepping}\nbodies:\n"
           "  spins: {mass: 1, shape: {box: {size: [0.05, 0.1, 0.15]}}, "
           "angular_velocity: [40, 80, 40]}\n"
           "  beside: {mass: 1, shape: {box: {size: [0.05, 0.1, 0.15]}}, position: [0.119, 0, "
           "0]}\n");
  Simulation run(scenario);
  const double before = run.state().ledger.initial;
  run.run();
  Kinematics kin;
  compute_kinematics(scenario.model, run.state().q, run.state().v, kin);
  const double after = total_energy(scenario.model, kin, run.state().v);
  CHECK(std::abs(after - before) < 1e-10 * before);
}

}  // namespace pequod::test
