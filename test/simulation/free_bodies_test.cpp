// Bodies that spin freely, by symplectic Euler.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

struct Spin {
  Vector3d moments;  // kg m², principal
  Vector3d w;        // rad/s
  Vector3d com = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();  // of inertia, in the body
};

/// A body high above the ground, without gravity.
Bench spinning(const Spin& spin, double step, const std::string& model = "no-slip") {
  Bench bench(model, step);
  bench.scenario.integrator.method = "symplectic-euler";
  const Matrix3d I = spin.axes * spin.moments.asDiagonal() * spin.axes.transpose();
  bench.add({2.0, spin.com, I}, Box{{0.1, 0.1, 0.1}});
  bench.build(0.5);
  bench.scenario.model.gravity.setZero();
  bench.scenario.initial.q[2] = 1e3;
  bench.scenario.initial.v << spin.w, 0.3, -0.2, 0.1;
  return bench;
}

struct Momenta {
  Vector3d P, L;  // N s, N m s about the centre of mass
  double energy = 0.0;
};

Momenta momenta(const Bench& bench, const State& state) {
  Kinematics kin;
  compute_kinematics(bench.scenario.model, state.q, state.v, kin);
  const LinkKinematics& k = kin.links[0];
  const Matrix3d& I = bench.scenario.model.links[0].inertia.about_com;
  return {k.m * k.v_O + k.w.cross(k.h), k.X_WL.R * (I * (k.X_WL.R.transpose() * k.w)),
          kinetic_energy(bench.scenario.model, kin, state.v)};
}

// What changes over a run, relative.
struct Drift {
  double P = 0.0, L = 0.0, energy = 0.0;
};

Drift drift(Bench& bench, double duration) {
  bench.scenario.duration = duration;
  Simulation run = bench.start();
  const Momenta start = momenta(bench, run.state());
  Drift worst;
  while (run.step()) {
    const Momenta now = momenta(bench, run.state());
    worst.P = std::max(worst.P, (now.P - start.P).norm() / start.P.norm());
    worst.L = std::max(worst.L, (now.L - start.L).norm() / start.L.norm());
    worst.energy = std::max(worst.energy, std::abs(now.energy / start.energy - 1.0));
  }
  return worst;
}

Quaterniond orientation_after(Bench& bench, double duration) {
  bench.scenario.duration = duration;
  Simulation run = bench.start();
  run.run();
  const VectorXd& q = run.state().q;
  return {q[3], q[4], q[5], q[6]};
}

}  // namespace

TEST_CASE("a body that spins freely keeps its momenta and its energy under symplectic Euler") {
  for (const double faster : {1.0, 3.0, 10.0}) {
    for (const std::string model : {"no-slip", "coulomb", "frictionless", "viscous"}) {
      CAPTURE(faster);
      CAPTURE(model);
      Bench bench =
          spinning({{0.01, 0.02, 0.03}, faster * Vector3d(10.0, 20.0, 10.0)}, 1e-3, model);
      const Drift found = drift(bench, 2.0);
      CHECK(found.P < 1e-12);
      CHECK(found.L < 1e-12);
      CHECK(found.energy < 1e-12);
    }
  }
}

// What rounding keeps a rotation matrix from being one turned the angular velocity by the same
// share in each step: 4e-16 of L, 4e-12 in these, and 10 s of them at 1 ms are asked to keep L to
// 1e-12.
TEST_CASE("roundings of a free body do not add up") {
  for (const double faster : {1.0, 3.0, 5.0}) {
    CAPTURE(faster);
    Bench bench = spinning({{1.0, 2.0, 3.0}, faster * Vector3d(10.0, 20.0, 10.0)}, 1e-3);
    const Drift found = drift(bench, 10.0);
    CHECK(found.L < 3e-13);
    CHECK(found.energy < 3e-13);
  }
}

// Any moments of inertia that a body can have, thin rods and plates too, any axes, frames away from
// the centre of mass, up to 30 rad in a step.
TEST_CASE("whatever its inertia and frame, a free body keeps its momenta and its energy") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-3.0, 0.0);
  Drift worst;
  for (int i = 0; i < 60; ++i) {
    Vector3d mass, w, com;
    for (int k = 0; k < 3; ++k) mass[k] = 0.01 * std::pow(10.0, exponent(random));
    for (int k = 0; k < 3; ++k) w[k] = normal(random);
    for (int k = 0; k < 3; ++k) com[k] = i % 2 ? 0.1 * normal(random) : 0.0;
    Quaterniond axes(normal(random), normal(random), normal(random), normal(random));
    axes.normalize();
    w *= std::pow(10.0, exponent(random)) * (i % 10 == 0 ? 3e3 : 3e2);
    Bench bench = spinning(
        {{mass[1] + mass[2], mass[0] + mass[2], mass[0] + mass[1]}, w, com, axes.matrix()}, 1e-2);
    CAPTURE(i);
    const Drift found = drift(bench, 2.0);
    worst.P = std::max(worst.P, found.P);
    worst.L = std::max(worst.L, found.L);
    worst.energy = std::max(worst.energy, found.energy);
  }
  CAPTURE(worst.P);
  CAPTURE(worst.L);
  CAPTURE(worst.energy);
  // Roundings of 200 steps, up to 6000 parts of turns: of P in ω × c, up to 1e3 times v; of
  // energies in moments up to 1 : 1000.
  CHECK(worst.P < 1e-10);
  CHECK(worst.L < 1e-11);
  CHECK(worst.energy < 1e-10);
}

// The midpoint rule is of second order; truth by RK4 with a hundredth of the step.
TEST_CASE("the attitude of a free body converges by order two under symplectic Euler") {
  const Spin spin{{0.01, 0.02, 0.03}, {10.0, 20.0, 10.0}, {0.02, -0.01, 0.03}};
  Bench fine = spinning(spin, 2e-5);
  fine.scenario.integrator.method = "rk4";
  const Quaterniond truth = orientation_after(fine, 1.0);
  double before = 0.0;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    CAPTURE(step);
    Bench bench = spinning(spin, step);
    const double error = truth.angularDistance(orientation_after(bench, 1.0));
    if (before > 0.0) CHECK(std::log2(before / error) > 1.9);
    before = error;
  }
  CHECK(before < 1e-2);
}

// A moment about an axis fixed in the world changes L at its rate, whatever the attitude.
TEST_CASE("a moment changes the angular momentum of a spinning body by its time integral") {
  Bench bench = spinning({{0.01, 0.02, 0.03}, {30.0, 60.0, 30.0}}, 1e-3);
  const Vector3d moment(0.5, -0.2, 0.1);
  bench.scenario.forces.push_back({.frame = 1, .force = Vector3d::Zero(), .torque = moment});
  bench.scenario.duration = 1.0;
  Simulation run = bench.start();
  const Momenta start = momenta(bench, run.state());
  run.run();
  const Momenta end = momenta(bench, run.state());
  CHECK((end.L - start.L - moment).norm() < 1e-12 * start.L.norm() + 1e-11);
  // Its work is booked with the mean of the velocities of each step: an error of order h.
  CHECK(residual(bench, run) < 0.01 * end.energy);
}

}  // namespace pequod
