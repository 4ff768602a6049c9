// Bodies that turn over ridges of the ground, at the velocity level.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kTurn = 6.0, kAlong = 1.0;  // rad/s, m/s

// Two slopes that fall from a ridge.
std::string ridge(double slope) {
  std::string rows = "11 2\n";
  for (int i = 0; i < 11; ++i) {
    const double z = -std::abs(-0.5 + 0.1 * i) * slope;
    rows += fmt::format("{0:.9f} {0:.9f}\n", z);
  }
  return rows;
}

// A beam on one of its edges that slides over the ridge and turns from one slope to the other, T
// long.
Scenario beam(const std::string& method, const std::string& model, const std::string& level,
              double slope, double duration, double step) {
  const Folder folder;
  (void)folder.write("ridge.dat", ridge(slope));
  const double tilt = -0.8 * slope, along = -0.03, above = 0.01 * std::sqrt(2.0);
  const Quaterniond turned = Quaterniond(Eigen::AngleAxisd(tilt, Vector3d::UnitY())) *
                             Quaterniond(Eigen::AngleAxisd(M_PI / 4.0, Vector3d::UnitX()));
  const Vector3d place(along * std::cos(tilt) + above * std::sin(tilt), 0.0,
                       -along * std::sin(tilt) + above * std::cos(tilt));
  const Vector3d velocity(kAlong * std::cos(tilt) + kTurn * place.z(), 0.0,
                          -kAlong * std::sin(tilt) - kTurn * place.x());
  return load(
      folder,
      fmt::format(
          "duration: {}\nintegrator: {{method: {}, step: {}}}\ncontact: {{model: {}, level: {}}}\n"
          "surfaces: [{{between: ['*', '*'], friction: 0}}]\nbodies:\n"
          "  ground: {{fixed: true, shape: {{heightfield: {{file: ridge.dat, size: [1, 1]}}}}}}\n"
          "  beam: {{mass: 1, shape: {{box: {{size: [0.3, 0.02, 0.02]}}}}, position: [{}, 0, {}], "
          "orientation: {{quaternion: [{}, {}, {}, {}]}}, velocity: [{}, 0, {}], "
          "angular_velocity: [0, {}, 0]}}\n",
          duration, method, step, model, level, place.x(), place.z(), turned.w(), turned.x(),
          turned.y(), turned.z(), velocity.x(), velocity.z(), kTurn));
}

}  // namespace

// 2 ω v = 12 m/s² > g: the beam leaves the ridge at once, and flies with the speed of turn that it
// has. Ridges that lean by less than 0.1 were taken for plane ground, whatever the step, and held
// it down: 6.086 rad/s in place of 6.
TEST_CASE("a beam that turns over a ridge leaves it, however blunt") {
  for (const std::string method : {"rk4", "symplectic-euler"})
    for (const std::string model : {"coulomb", "drumwright-shell"})
      for (const double slope : {0.03, 0.045, 0.055, 0.08})
        for (const int steps : {20, 80}) {
          CAPTURE(method);
          CAPTURE(model);
          CAPTURE(slope);
          CAPTURE(steps);
          const double duration = 1.4 * slope / kTurn;
          const Scenario scenario =
              beam(method, model, "velocity", slope, duration, duration / steps);
          Simulation run(scenario);
          const double rise = run.state().v[5];
          run.run();
          CHECK(std::abs(run.state().v[1] - kTurn) < 1e-9);
          // One step of symplectic Euler more or less of gravity where it leaves.
          const double late = method == "rk4" ? 1e-12 : 9.81 * duration / steps;
          CHECK(std::abs(run.state().v[5] - (rise - 9.81 * duration)) < late);
        }
}

}  // namespace pequod::test
