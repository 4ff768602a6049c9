// A puck that slides off a table without friction: it tips over the edge as soon as its centre has
// passed it, and leaves it where its rim does, or where the edge would have to pull.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kPuckGravity = 9.81, kPuckRadius = 0.05, kPuckLength = 0.02, kTableEdge = 0.2,
                 kPuckStart = 0.1;

// x, z (m), tilt (rad) and their rates, in the plane of motion.
using Plane6 = Eigen::Matrix<double, 6, 1>;

struct Edge {
  Eigen::Vector2d up, along;  // unit: the puck's axis, and its base towards the front
  Eigen::Vector2d arm;        // m, from the centre to the edge
  double needed = 0.0;        // m/s², what keeps the base on the edge

  explicit Edge(const Plane6& y)
      : up(std::sin(y[2]), std::cos(y[2])),
        along(std::cos(y[2]), -std::sin(y[2])),
        arm(kTableEdge - y[0], -y[1]) {
    // d²/dt² of up·arm = 0
    const Eigen::Vector2d v(y[3], y[4]);
    needed = kPuckGravity * up[1] - 2.0 * along.dot(v) * y[5] - up.dot(arm) * y[5] * y[5];
  }
  // Whether the edge is under the base and pushes.
  [[nodiscard]] bool holds() const { return along.dot(arm) > -kPuckRadius && needed > 0.0; }
};

Plane6 puck_rate(const Plane6& y) {
  const Edge edge(y);
  const double inertia =
      (3.0 * kPuckRadius * kPuckRadius + kPuckLength * kPuckLength) / 12.0;  // m², of 1 kg
  const double lever = edge.along.dot(edge.arm);
  const double force = edge.needed / (1.0 + lever * lever / inertia);
  Plane6 out;
  out << y[3], y[4], y[5], force * edge.up[0], force * edge.up[1] - kPuckGravity,
      -force * lever / inertia;
  return out;
}

Plane6 own_step(const Plane6& y, double h) {
  const Plane6 a = puck_rate(y), b = puck_rate(y + 0.5 * h * a), c = puck_rate(y + 0.5 * h * b),
               d = puck_rate(y + h * c);
  return y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
}

// vx, vz (m/s) and the rate of tilt (rad/s) after so much time, by steps of 10 µs of its own.
Eigen::Vector3d truth(double v, double duration) {
  double t = (kTableEdge - kPuckStart) / v;
  Plane6 y;
  y << kTableEdge, 0.5 * kPuckLength, 0.0, v, 0.0, 0.0;
  constexpr double kOwnStep = 1e-5;
  while (t < duration && Edge(own_step(y, kOwnStep)).holds()) {
    y = own_step(y, kOwnStep);
    t += kOwnStep;
  }
  double on = 0.0;
  for (double half = 0.5 * kOwnStep; half > 1e-17; half *= 0.5)
    if (Edge(own_step(y, on + half)).holds()) on += half;
  y = own_step(y, on);
  return {y[3], y[4] - kPuckGravity * (duration - t - on), y[5]};
}

struct Way {
  std::string method, model, level;
  double coarse, fine;  // of the truth, with steps of 1 ms and of a quarter
};

double error_of(const Way& way, double speed, double duration, double h) {
  const Scenario scenario = load(
      Folder(),
      fmt::format("duration: {}\nintegrator: {{method: {}, step: {}}}\n"
                  "contact: {{model: {}, level: {}}}\n"
                  "surfaces: [{{between: ['*', '*'], friction: 0}}]\nbodies:\n"
                  "  table: {{fixed: true, shape: {{box: {{size: [0.4, 0.6, 0.2]}}}}, position: "
                  "[0, 0, -0.1]}}\n"
                  "  puck: {{mass: 1, shape: {{cylinder: {{radius: {}, length: {}}}}}, position: "
                  "[{}, 0, 0.01], velocity: [{}, 0, 0]}}\n",
                  duration, way.method, h, way.model, way.level, kPuckRadius, kPuckLength,
                  kPuckStart, speed));
  Simulation run(scenario);
  run.run();
  CHECK(run.statistics().fallbacks == 0);
  CHECK(run.statistics().unbalanced == 0);
  const VectorXd& v = run.state().v;
  CHECK(std::abs(v[0]) + std::abs(v[2]) + std::abs(v[4]) < 1e-6);
  return (Eigen::Vector3d(v[3], v[5], v[1]) - truth(speed, duration)).norm();
}

}  // namespace

// Fast enough for the rim to leave the edge first (1.9 and 1 m/s), and slow enough for the edge to
// end up with nothing to carry (0.5 m/s). The points of the rim that run off beside it as the
// tipping starts are let go at the end of that step: they hold the puck for up to h more, which
// m g v h/I · h bounds, 0.015 rad/s at 1 ms. Symplectic Euler's error is its own.
TEST_CASE("a puck tips off the edge of a table as an integration of its own does") {
  const Way ways[] = {{"rk4", "coulomb", "acceleration", 2e-3, 2e-4},
                      {"dopri5", "frictionless", "acceleration", 2e-3, 2e-4},
                      {"rk4", "coulomb", "velocity", 0.03, 0.01},
                      {"symplectic-euler", "coulomb", "acceleration", 0.1, 0.025},
                      {"symplectic-euler", "coulomb", "velocity", 0.1, 0.025}};
  for (const Way& way : ways)
    for (const double speed : {1.9, 1.0, 0.5}) {
      const double duration = speed > 1.5 ? 0.2 : 0.35;
      CAPTURE(way.method);
      CAPTURE(way.model);
      CAPTURE(way.level);
      CAPTURE(speed);
      CHECK(error_of(way, speed, duration, 1e-3) < way.coarse);
      CHECK(error_of(way, speed, duration, 2.5e-4) < way.fine);
    }
}

// Off a table's edge at an angle, and turning, no two crossings part at once, and nothing is as
// even as above. Pucks and cones lose no energy, by steps that no event explains either.
TEST_CASE("discs leave a table at any angle without a loss") {
  for (int k = 0; k < 12; ++k) {
    CAPTURE(k);
    const double yaw = 0.1 * (k % 6) - 0.25, radius = 0.03 + 0.007 * k, speed = 0.8 + 0.15 * k;
    const std::string shape = k % 2 == 0 ? "cylinder" : "cone";
    const Scenario scenario = load(
        Folder(),
        fmt::format("duration: 0.4\nintegrator: {{method: rk4, step: 0.001}}\n"
                    "contact: {{model: coulomb, level: acceleration}}\n"
                    "surfaces: [{{between: ['*', '*'], friction: 0}}]\nbodies:\n"
                    "  table: {{fixed: true, shape: {{box: {{size: [0.4, 1.6, 0.2]}}}}, position: "
                    "[0, 0, -0.1]}}\n"
                    "  disc: {{mass: 1, shape: {{{}: {{radius: {}, length: 0.03}}}}, position: "
                    "[0.05, 0, 0.015], velocity: [{}, {}, 0], angular_velocity: [0, 0, {}]}}\n",
                    shape, radius, speed * std::cos(yaw), speed * std::sin(yaw), 3 - k % 4));
    Simulation run(scenario);
    run.run();
    CHECK(run.statistics().fallbacks == 0);
    CHECK(run.statistics().energy_residual_max < 1e-6);
  }
}

}  // namespace pequod::test
