// A flyball governor with stiff springs and dampers, beside the equations of its symmetric motion.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>

#include "app/experiments/reference_mechanisms.h"
#include "app/wall_clock.h"

namespace pequod::app {
namespace {

// Of examples/mechanisms/flyball.yaml, in SI units.
constexpr double kBall = 5.0, kRod = 0.3, kSlider = 3.0, kSliderInertia = 0.005;
constexpr double kHinge = 0.05, kHigh = 1.0, kStiffness = 8e5, kDamping = 4e4, kRest = 0.5;
constexpr double kTurning = 2.0 * std::numbers::pi;  // rad/s, at the start

/// Turn of the shaft, both rods' angle below level, height of the slider, and rates of the latter.
using Governor = std::array<double, 5>;

// kg·m², about the shaft.
double inertia_at(double angle) {
  const double out = std::cos(angle), reach = kHinge + out;
  return kSliderInertia +
         2.0 * (kBall * reach * reach + kRod * (kHinge * kHinge + kHinge * out + out * out / 3.0));
}

double inertia_slope(double angle) {
  const double out = std::cos(angle), slope = -std::sin(angle);
  return 2.0 * slope * (2.0 * kBall * (kHinge + out) + kRod * (kHinge + 2.0 * out / 3.0));
}

// Lagrange's equations, the angular momentum about the shaft given.
Governor rate_of(const Governor& x, double momentum) {
  const double angle = x[1], height = x[2], angle_rate = x[3], height_rate = x[4];
  const double aside = 0.5 * std::cos(angle), above = kHigh - 0.5 * std::sin(angle) - height;
  const double length = std::hypot(aside, above);
  const double by_angle = (-aside * 0.5 * std::sin(angle) - above * 0.5 * std::cos(angle)) / length;
  const double by_height = -above / length;
  const double tension =
      kStiffness * (length - kRest) + kDamping * (by_angle * angle_rate + by_height * height_rate);
  const double spin = momentum / inertia_at(angle);
  const double swing = 2.0 * (kBall + kRod / 3.0), weight = 2.0 * (kBall + 0.5 * kRod) * kGravity;
  return {spin, angle_rate, height_rate,
          (0.5 * inertia_slope(angle) * spin * spin + weight * std::cos(angle) -
           2.0 * tension * by_angle) /
              swing,
          -kGravity - 2.0 * tension * by_height / kSlider};
}

Governor moved(const Governor& x, const Governor& rate, double by) {
  Governor next;
  for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + by * rate[i];
  return next;
}

// RK4, with steps so short that its error is rounding.
Governor governor_at(double end) {
  constexpr double kStep = 1e-5;  // s
  Governor x{0.0, std::numbers::pi / 6.0, 0.5, 0.0, 0.0};
  const double momentum = inertia_at(x[1]) * kTurning;
  const auto steps = static_cast<long>(std::lround(end / kStep));
  for (long k = 0; k < steps; ++k) {
    const Governor a = rate_of(x, momentum), b = rate_of(moved(x, a, 0.5 * kStep), momentum),
                   c = rate_of(moved(x, b, 0.5 * kStep), momentum),
                   d = rate_of(moved(x, c, kStep), momentum);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += kStep / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  }
  return x;
}

}  // namespace

void flyball(const Stage& stage) {
  Scenario scenario = stage.load("flyball");
  if (stage.quick) scenario.duration = 0.5;
  scenario.record.every = 0.1;
  const double momentum = inertia_at(std::numbers::pi / 6.0) * kTurning;
  double residual = 0.0, taken = 0.0, apart = 0.0, spun = 0.0;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    residual = std::max(residual, std::abs(energy.residual));
    taken = state.ledger.damping_loss;
    apart = std::max(apart, std::abs(state.q[2] - state.q[3]));
    spun = std::max(spun, std::abs(inertia_at(state.q[2]) * state.v[0] / momentum - 1.0));
  };
  const auto start = std::chrono::steady_clock::now();
  Simulation run(scenario, observer);
  run.run();
  const double seconds = seconds_since(start);
  const State& end = run.state();
  const Governor truth = governor_at(scenario.duration);
  const double error = std::max({std::abs(end.q[0] - truth[0]), std::abs(end.q[2] - truth[1]),
                                 std::abs(end.q[1] + 0.5 - truth[2])});
  stage.at_most("flyball", "pose at the end off Lagrange's equations, rad, m", error, 1e-10);
  stage.at_most("flyball", "angular momentum about the shaft, relative", spun, 1e-11);
  stage.at_most("flyball", "energy less what dampers took, J", residual, 1e-9);
  stage.at_most("flyball", "rods apart, rad", apart, 1e-12);
  stage.show(
      {"flyball governor; the public collection's trapezoidal rule takes 0.53 to 0.67 s for "
       "10 s",
       {"simulated, s", "steps", "s", "dampers took, J", "rods below level, rad", "turns, rad/s"},
       {{end.t, static_cast<double>(run.statistics().steps), seconds, taken, end.q[2], end.v[0]}}});
}

}  // namespace pequod::app
