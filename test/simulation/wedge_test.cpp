// A block on the slope of a free wedge, μ = 1: it rests by Coulomb's law, and slides under the
// bound on normal impulses of Drumwright & Shell.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "simulation/record/csv.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kSlope = 28.6 * M_PI / 180.0, kBlock = 1.0, kWedge = 3.0, kGravity = 9.81;
constexpr double kDuration = 0.2;  // s

/// m in 0.2 s: of the block along the slope, of the wedge along the floor.
struct Ways {
  double block = 0.0, wedge = 0.0;
};

Ways slide(const std::string& model, const std::string& method, double floor) {
  const Folder folder;
  std::string text = read_file("examples/models/wedge.yaml");
  const std::string smooth = "friction: 0}";
  text.replace(text.find(smooth), smooth.size(), "friction: " + std::to_string(floor) + "}");
  const Scenario scenario =
      test::load(folder.write("wedge.yaml", text),
                 {{}, {{"contact.model", model}, {"integrator.method", method}}});
  Simulation run(scenario);
  run.run();
  const VectorXd moved = run.state().q - scenario.initial.q;
  return {(moved[7] - moved[0]) / std::cos(kSlope), moved[0]};
}

// Under RK4 with impulses once a step the way of a body that is pushed evenly is exact.
Ways without_friction() {
  const double s = std::sin(kSlope), whole = kBlock + kWedge, rest = kWedge + kBlock * s * s;
  const double along = kGravity * s * whole / rest;
  const double half = 0.5 * kDuration * kDuration;
  return {half * along, -half * along * std::cos(kSlope) * kBlock / whole};
}

}  // namespace

TEST_CASE("a block rests on a free wedge within its friction angle, whatever the floor") {
  for (const char* model : {"no-slip", "coulomb", "baraff", "stewart-trinkle", "anitescu-potra"})
    for (const char* method : {"symplectic-euler", "rk4"})
      for (const double floor : {0.0, 0.1}) {
        CAPTURE(model);
        CAPTURE(method);
        const Ways ways = slide(model, method, floor);
        CHECK(std::abs(ways.block) <= 1e-9);
        CHECK(std::abs(ways.wedge) <= 1e-9);
      }
}

// Friction that holds the block presses both contacts more than they are without it, and their sum
// must not exceed that: on a smooth floor there is none at all. The slack of κ is 1e-7. With
// friction of the floor the least kinetic energy, sought on a grid over the two tangential impulses
// with the normal ones that keep the contacts, has ways of 0.1020 and -0.0398 m; the minimum is so
// flat that an energy known to 1e-8 leaves them to half a per cent.
TEST_CASE("drumwright-shell slides on a free wedge as its bound on normal impulses asks") {
  const Ways free = without_friction();
  const Ways smooth = slide("drumwright-shell", "rk4", 0.0);
  CHECK(smooth.block == doctest::Approx(free.block).epsilon(1e-5));
  CHECK(smooth.wedge == doctest::Approx(free.wedge).epsilon(1e-5));
  const Ways rough = slide("drumwright-shell", "rk4", 0.1);
  CHECK(rough.block == doctest::Approx(0.1020).epsilon(0.01));
  CHECK(rough.wedge == doctest::Approx(-0.0398).epsilon(0.015));
}

}  // namespace pequod::test
