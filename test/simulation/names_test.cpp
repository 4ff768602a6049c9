// Words that a Scenario made by hand may get wrong: the loader refuses them before.
#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

Scenario falling_ball() {
  ModelBuilder builder;
  builder.add_free_body("ball", {1.0, Vector3d::Zero(), 0.004 * Matrix3d::Identity()},
                        {{Sphere{0.1}, {}}});
  Scenario scenario = scenario_with(builder.build());
  return scenario;
}

std::string refusal(const std::function<void(Scenario&)>& change) {
  Scenario scenario = falling_ball();
  change(scenario);
  try {
    Simulation run(scenario);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an unknown word is refused, and never stands for a default") {
  CHECK(refusal([](Scenario&) {}).empty());
  CHECK(refusal([](Scenario& s) { s.integrator.method = "rk5"; }) == "unknown integrator 'rk5'");
  CHECK(refusal([](Scenario& s) { s.contact.model = "noslip"; }) ==
        "unknown contact model 'noslip'");
  CHECK(refusal([](Scenario& s) { s.contact.restitution = "e"; }) == "unknown restitution 'e'");
  CHECK(refusal([](Scenario& s) { s.contact.scheme = "timestepping"; }) ==
        "unknown contact scheme 'timestepping'");
  CHECK(refusal([](Scenario& s) { s.contact.level = "position"; }) ==
        "unknown contact level 'position'");
  CHECK(refusal([](Scenario& s) { s.contact.viscous = "semi"; }) ==
        "unknown viscous friction 'semi'");
  CHECK_FALSE(refusal([](Scenario& s) { s.contact.solver = "gurobi"; }).empty());
}

}  // namespace pequod
