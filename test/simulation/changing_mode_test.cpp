// Instants at which a mode of Coulomb friction is hard to tell, cut out of thirty bodies that were
// thrown into a box.
#include <doctest/doctest.h>

#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/simulation/box_of_planes.h"

namespace pequod::test {
namespace {

constexpr const char* kMethod = R"(
integrator: {method: rk4, step: 0.001}
contact: {model: coulomb}
surfaces: [{between: ['*', '*'], friction: 0.4, restitution: 0.3}])";

/// Seconds of these bodies, thrown into the box.
Scenario thrown(const std::string& duration, const std::string& bodies) {
  return load(Folder(), "duration: " + duration + kMethod + kBoxOfPlanes + bodies);
}

int rows(const RunStatistics& statistics, EventKind kind) {
  return static_cast<int>(nth(statistics.events, kind));
}

void check_ledger(const Simulation& run) {
  const RunStatistics& s = run.statistics();
  CHECK(rows(s, EventKind::painleve) == 0);
  CHECK(s.unbalanced == 0);
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(s.energy_residual_max <= 1e-7);  // of 5 J, RK4 at a millisecond
}

}  // namespace

// The brick turns about an upright edge that sticks to floor and wall while its other corners
// slide: how the floor's forces share its weight decides how fast it turns. By those of least norm
// the edge would have to slip from 0.1 ms on, which nothing in Coulomb's law then makes it do.
TEST_CASE("a brick turns about an edge that sticks by forces that its cones have") {
  const Scenario scenario = thrown("0.01", R"(  ball:
    mass: 1.0247040463154333
    shape: {sphere: {radius: 0.049518585083675654}}
    position: [0.15085109991640858, -0.22148413629212005, 0.049518585083675654]
    velocity: [0.0030549947706642257, 0.09531061526691344, 0]
    angular_velocity: [-1.9247443178325714, 0.061693902713535725, -1.298351277454072]
  brick:
    mass: 1.0618327899422262
    shape: {box: {size: [0.09448660535675744, 0.07086495401756808, 0.0590541283479734]}}
    position: [0.24930720571785353, -0.2280133934276626, 0.03543247700878404]
    orientation:
      quaternion: [0.7055932021663435, 0.7055932021663435, 0.04624103217539252, 0.046241032175392514]
    velocity: [0.007317158746299871, 0.016051323657410604, 0]
    angular_velocity: [0, 0, -0.31663915719603003]
)");
  Simulation run(scenario);
  run.run();
  check_ledger(run);
  CHECK(run.statistics().fallbacks == 0);
}

// A ball slides down a wall onto a lying cylinder, its slip there of 6e-6 m/s turning within
// microseconds. The wall's force goes through zero as it turns: the accelerations of no instant
// show it, the force a little later does.
TEST_CASE("a contact that would have to pull as a slip nearby turns opens") {
  const Scenario scenario = thrown("0.002", R"(  cylinder:
    mass: 0.9979201963949595
    shape: {cylinder: {radius: 0.036637491074854166, length: 0.07850890944611608}}
    position: [-0.2105269953510477, -0.0979138605650772, 0.03663765184983994]
    orientation:
      quaternion: [0.6705364553531953, -0.28501442120839043, -0.6471235025586138, -0.2244522536796863]
    velocity: [0.09771029455117332, 0.10364554019145264, 0.0007760190694925697]
    angular_velocity: [-3.6013243804456927, 3.2476480587563263, -0.9688114637222596]
  ball:
    mass: 0.7363319064414852
    shape: {sphere: {radius: 0.040009331276054265}}
    position: [-0.2599906687239457, -0.10627288673588685, 0.10234624714234769]
    velocity: [-3.128188339049541e-17, 0.38637938339224226, 0.06829517282308432]
    angular_velocity: [-1.3904072061357726, -3.227378716423677, -6.350068874883733]
)");
  Simulation run(scenario);
  run.run();
  check_ledger(run);
  CHECK(rows(run.statistics(), EventKind::lift_off) > 0);
}

}  // namespace pequod::test
