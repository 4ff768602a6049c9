// Mechanisms that strike: the pendulum of Kane and Levinson, a slider-crank with play.
#include <Eigen/LU>
#include <cmath>

#include "app/experiments/analytic.h"

namespace pequod::app {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

/// The double pendulum of examples/analytic/kane_levinson.yaml in the absolute angles of its rods.
struct Pendulum {
  Matrix2d M;     // kg·m²
  Vector2d n, t;  // m, rows of the tip's normal and tangential velocity
};

constexpr double kTip = 0.02;  // m, radius

Pendulum pendulum_at(double a, double b) {
  const double coupling = 0.5 * std::cos(a - b);
  Pendulum p;
  p.M << 4.0 / 3.0, coupling, coupling, 1.0 / 3.0;
  p.n = {std::sin(a), std::sin(b)};
  p.t = {std::cos(a), std::cos(b) + kTip};
  return p;
}

double energy(const Pendulum& p, const Vector2d& w) { return 0.5 * w.dot(p.M * w); }

// Newton's law as it is written, the slip after it forwards.
Vector2d after_impact(const Pendulum& p, const Vector2d& w, double e, double mu) {
  const Vector2d push = p.n - mu * p.t;
  const Matrix2d inverse = p.M.inverse();
  const double pn = -(1.0 + e) * p.n.dot(w) / p.n.dot(inverse * push);
  return w + pn * inverse * push;
}

// Absolute angular velocities.
Vector2d angular_velocities(const VectorXd& v) { return {v[0], v[0] + v[1]}; }

/// The state after the impact at t = 0, by one restitution law.
State struck(Scenario scenario, const std::string& law, std::int64_t& reduced) {
  scenario.contact.restitution = law;
  const Simulation run(scenario);
  reduced = run.statistics().reduced;
  return run.state();
}

}  // namespace

void kane_levinson(const Stage& stage) {
  const Scenario scenario = stage.load("kane_levinson");
  const Surface& surface = scenario.model.surfaces.front();
  const VectorXd& q = scenario.initial.q;
  const Pendulum p = pendulum_at(q[0], q[0] + q[1]);
  const Vector2d before = angular_velocities(scenario.initial.v);
  const Vector2d truth = after_impact(p, before, surface.restitution, surface.friction);
  const auto gain = [&](const Vector2d& w) { return energy(p, w) / energy(p, before) - 1.0; };
  std::int64_t reduced = 0;
  const Vector2d raw = angular_velocities(struck(scenario, "newton-raw", reduced).v);
  stage.at_most("kane_levinson", "Newton's raw law: velocities after it, rad/s",
                (raw - truth).norm(), 1e-9);
  stage.at_least("kane_levinson", "Newton's raw law: energy gained, relative", gain(raw), 1.9);
  stage.at_most("kane_levinson", "Newton's raw law: the same against the closed form",
                std::abs(gain(raw) - gain(truth)), 1e-9);
  const Vector2d lowered = angular_velocities(struck(scenario, "newton", reduced).v);
  stage.at_most("kane_levinson", "e lowered: energy gained, relative", gain(lowered), 1e-12);
  stage.at_least("kane_levinson", "e lowered: impacts in which it was",
                 static_cast<double>(reduced), 1.0);
  const Vector2d poisson = angular_velocities(struck(scenario, "poisson", reduced).v);
  stage.at_most("kane_levinson", "Poisson's law: energy gained, relative", gain(poisson), 1e-12);
}

void slider_crank(const Stage& stage) {
  const std::vector<double> errors = halving_errors(stage.load("slider_crank"), 4);
  stage.at_least("slider_crank", "order of the state through impacts, 4 halvings",
                 observed_order(errors), 3.7);
}

}  // namespace pequod::app
