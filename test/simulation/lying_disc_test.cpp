// Cylinders that lie flat on a plane, struck or tipped between the fixed points of their rims.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "test/simulation/referee.h"
#include "test/simulation/stage_bench.h"
#include "test/support/random.h"

namespace pequod {
namespace {

constexpr double kDiscRadius = 0.1;    // m
constexpr double kDiscMass = 1.0;      // kg
const Vector3d kBox(0.1, 0.06, 0.04);  // m

double across(double length) {
  return kDiscMass * (3.0 * kDiscRadius * kDiscRadius + length * length) / 12.0;
}

/// A cylinder that stands on the plane, which falls by `tangent` at 45° between two fixed points.
Bench standing(const std::string& model, const std::string& method, double length, double mu,
               double tangent = 0.0) {
  Bench bench(model, 0.001);
  bench.scenario.integrator.method = method;
  const double I = across(length), J = 0.5 * kDiscMass * kDiscRadius * kDiscRadius;
  bench.add({kDiscMass, Vector3d::Zero(), Vector3d(I, I, J).asDiagonal()},
            Cylinder{kDiscRadius, length});
  bench.build(mu, tangent);
  Vector3d& gravity = bench.scenario.model.gravity;
  const double along = std::sqrt(0.5) * gravity.x();
  gravity = {along, along, gravity.z()};
  bench.scenario.initial.q << 0.0, 0.0, 0.5 * length, 1.0, 0.0, 0.0, 0.0;
  return bench;
}

/// A box that lies on the arc of a fixed cylinder's rim about 45°, 35° wide, between two fixed
/// points; its edges cross the rim at 0.954 r from the axis, on that radius.
Bench leaning(const std::string& model, const std::string& method, double distance) {
  Bench bench(model, 0.001);
  bench.scenario.integrator.method = method;
  bench.builder.add_fixed_body("stump", {Matrix3d::Identity(), {0.0, 0.0, kDiscRadius}},
                               {{Cylinder{kDiscRadius, 2.0 * kDiscRadius}, {}}});
  bench.add(box_inertia(kDiscMass, kBox), Box{kBox});
  bench.build(2.0);
  const double along = std::sqrt(0.5) * distance, half = M_PI / 8;
  bench.scenario.initial.q << along, along, 2.0 * kDiscRadius + 0.5 * kBox.z(), std::cos(half), 0.0,
      0.0, std::sin(half);
  return bench;
}

Vector3d axis_of(const State& state) {
  return Quaterniond(state.q[3], state.q[4], state.q[5], state.q[6]) * Vector3d::UnitZ();
}

void run_whole(Simulation& run, const Model& model) {
  CHECK(test::watch(run, model).overlap() <= 1e-9);
  CHECK(run.statistics().fallbacks == 0);
}

/// Runs it, to this tilt (rad) towards 45°; symplectic Euler within 2 %.
void check_tipping(Bench& bench, const std::string& method, double truth) {
  Simulation run = bench.start();
  run_whole(run, bench.scenario.model);
  const Vector3d axis = axis_of(run.state());
  const double tilt = std::atan2(axis.head<2>().norm(), axis.z());
  MESSAGE(method << ": tilt off by " << tilt - truth << " of " << truth << " rad");
  CHECK(std::abs(tilt - truth) < (method == "rk4" ? 1e-6 : 0.02 * truth));
  CHECK(std::abs(std::atan2(axis.y(), axis.x()) - M_PI / 4) < 1e-4);
}

/// Angle (rad) that ψ̈ = k sin ψ has moved from rest at ψ₀ after t, by RK4.
double fallen(double k, double psi, double t) {
  constexpr int kSteps = 20000;
  const double h = t / kSteps, start = psi;
  double w = 0.0;
  const auto f = [&](double x) { return k * std::sin(x); };
  for (int i = 0; i < kSteps; ++i) {
    const double a1 = f(psi), w1 = w, a2 = f(psi + 0.5 * h * w1), w2 = w + 0.5 * h * a1,
                 a3 = f(psi + 0.5 * h * w2), w3 = w + 0.5 * h * a2, a4 = f(psi + h * w3),
                 w4 = w + h * a3;
    psi += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    w += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return psi - start;
}

}  // namespace

// Falling at V and turning at w about a horizontal axis it meets the plane first at the rim's point
// at φ, at V + rw. An impulse p = (V + rw)/(1/m + r²/I) there stops that point; no other
// approaches, as p/m > V. The named point is within 3e-6 rad of φ.
TEST_CASE("a disc that is struck flat turns about the point of its rim that sank fastest") {
  const double length = 0.05, phi = 0.5, V = 0.2, w = 10.0;
  const double p =
      (V + kDiscRadius * w) / (1.0 / kDiscMass + kDiscRadius * kDiscRadius / across(length));
  const Vector3d axis(-std::sin(phi), std::cos(phi), 0.0);
  for (const std::string method : {"rk4", "symplectic-euler"}) {
    CAPTURE(method);
    Bench bench = standing("frictionless", method, length, 0.0);
    bench.scenario.initial.v << w * axis, 0.0, 0.0, -V;
    bench.scenario.duration = 0.1;
    Simulation run = bench.start();
    const Vector3d omega = (w - p * kDiscRadius / across(length)) * axis;
    CHECK((run.state().v.head<3>() - omega).norm() < 1e-4);
    CHECK(std::abs(run.state().v[5] - (p / kDiscMass - V)) < 1e-9);
    run_whole(run, bench.scenario.model);
  }
}

TEST_CASE("a disc that is struck flat with friction does not sink, under any model") {
  for (const std::string model : {"no-slip", "coulomb", "viscous", "baraff", "stewart-trinkle"}) {
    for (const std::string method : {"rk4", "symplectic-euler"}) {
      CAPTURE(model);
      CAPTURE(method);
      Bench bench = standing(model, method, 0.05, 0.4);
      bench.scenario.initial.v << -4.0, 8.0, 3.0, 0.3, 0.1, -0.2;
      bench.scenario.duration = 0.1;
      Simulation run = bench.start();
      run_whole(run, bench.scenario.model);
    }
  }
}

// The weight's line meets the plane at 0.85 r from the axis, between the chord of two fixed points
// (0.71 r) and the rim.
TEST_CASE("a cylinder on a slope stands while its weight falls within the rim") {
  for (const std::string model : {"no-slip", "coulomb", "baraff", "stewart-trinkle"}) {
    for (const std::string method : {"rk4", "symplectic-euler"}) {
      CAPTURE(model);
      CAPTURE(method);
      Bench bench = standing(model, method, 0.2, 2.0, 0.85);
      bench.scenario.duration = 0.2;
      Simulation run = bench.start();
      run_whole(run, bench.scenario.model);
      CHECK(run.state().v.norm() < 1e-9);
      CHECK(run.state().q.head<2>().norm() < 1e-9);
    }
  }
}

// Beyond the rim it tips about one point: a pendulum of arm a = √(r² + l²/4), upside down,
// ψ̈ = (m g a / (I + m a²)) sin ψ, from ψ₀ = slope − atan(2r/l).
TEST_CASE("a cylinder on a slope tips about one point of its rim") {
  const double length = 0.2, arm = std::hypot(kDiscRadius, 0.5 * length), tangent = 1.2, t = 0.2;
  const double k = kDiscMass * g * arm / (across(length) + kDiscMass * arm * arm);
  const double truth = fallen(k, std::atan(tangent) - std::atan2(kDiscRadius, 0.5 * length), t);
  for (const std::string method : {"rk4", "symplectic-euler"}) {
    CAPTURE(method);
    Bench bench = standing("no-slip", method, length, 2.0, tangent);
    bench.scenario.duration = t;
    check_tipping(bench, method, truth);
  }
}

TEST_CASE("a box stands on an arc of a rim while its weight falls within it") {
  for (const std::string model : {"no-slip", "coulomb", "baraff", "stewart-trinkle"}) {
    for (const std::string method : {"rk4", "symplectic-euler"}) {
      CAPTURE(model);
      CAPTURE(method);
      Bench bench = leaning(model, method, 0.98 * kDiscRadius);
      bench.scenario.duration = 0.2;
      Simulation run = bench.start();
      run_whole(run, bench.scenario.model);
      CHECK(run.state().v.norm() < 1e-9);
    }
  }
}

// Beyond the rim it tips about the rim's point at 45°, as the cylinder above does.
TEST_CASE("a box tips about the point of an arc of a rim") {
  const double beyond = 0.002, arm = std::hypot(beyond, 0.5 * kBox.z()), t = 0.15;
  const double I = box_inertia(kDiscMass, kBox).about_com(1, 1);
  const double k = kDiscMass * g * arm / (I + kDiscMass * arm * arm);
  const double truth = fallen(k, std::atan2(beyond, 0.5 * kBox.z()), t);
  for (const std::string method : {"rk4", "symplectic-euler"}) {
    CAPTURE(method);
    Bench bench = leaning("no-slip", method, kDiscRadius + beyond);
    bench.scenario.duration = t;
    check_tipping(bench, method, truth);
  }
}

// Without friction a thin disc that tips about its rim comes down with ω r at its middle and twice
// that at the far side. A plastic impulse there alone would drive the near side into the ground, so
// both sides stop, and Poisson's law gives back e of either's impulse: v⁺ = −e v. The path of
// symplectic Euler is off by as much as one step of gravity is of the fall.
TEST_CASE("a disc that tips over lands flat in an impact, at its restitution") {
  constexpr double kTilt = 0.2, kLength = 1e-3;  // rad, m
  const double fall = kDiscRadius * std::sin(kTilt) - 0.5 * kLength * (1.0 - std::cos(kTilt));
  const double energy = kDiscMass * g * fall;
  for (const std::string method : {"symplectic-euler", "rk4"})
    for (const double e : {0.0, 0.5}) {
      CAPTURE(method);
      CAPTURE(e);
      Bench bench = standing("frictionless", method, kLength, 0.0);
      bench.scenario.model.gravity = {0.0, 0.0, -g};
      for (Surface& surface : bench.scenario.model.surfaces) surface.restitution = e;
      bench.scenario.initial.q << 0.0, 0.0, 0.5 * kLength + fall, std::cos(0.5 * kTilt), 0.0,
          std::sin(0.5 * kTilt), 0.0;
      bench.scenario.duration = 0.08;
      Simulation run = bench.start();
      run_whole(run, bench.scenario.model);
      double taken = 0.0, first = kInfinity;  // J, s
      for (const EventRow& row : bench.rows)
        if (row.kind == EventKind::impact && row.t <= (first = std::min(first, row.t)))
          taken -= row.energy_change;
      CHECK(taken == doctest::Approx((1.0 - e * e) * energy).epsilon(0.02));
      CHECK(std::abs(run.state().ledger.stabilisation) <= 1e-3 * energy);
    }
}

// Where the tilt has a turn across it the lowest point runs around the rim as the disc comes down,
// within a step or two. At the velocity level its rows at the start of a step know nothing of that:
// what it came down with was taken by the projection at the end, a third of all. It is 1.3 % where
// a step ends after 0.1 rad of that, and in proportion to this angle.
TEST_CASE("discs that come down almost flat lose little to projections") {
  Random random(67);
  double lost = 0.0, energy = 0.0;  // J
  for (int i = 0; i < 20; ++i) {
    const double tilt = random.uniform(0.05, 0.2), length = 0.15, angle = random.uniform(0.0, 6.28);
    Bench bench = standing("coulomb", "symplectic-euler", length, 0.4);
    bench.scenario.model.gravity = {0.0, 0.0, -g};
    for (Surface& surface : bench.scenario.model.surfaces) surface.restitution = 0.3;
    const Vector3d axis(std::cos(angle), std::sin(angle), 0.0);
    const Quaterniond turned(Eigen::AngleAxisd(tilt, axis));
    bench.scenario.initial.q << 0.0, 0.0,
        kDiscRadius * std::sin(tilt) + 0.5 * length * std::cos(tilt), turned.w(), turned.x(),
        turned.y(), turned.z();
    const Vector3d across = axis.unitOrthogonal();
    bench.scenario.initial.v.head<3>() =
        -random.uniform(1.0, 5.0) * axis + random.uniform(-0.3, 0.3) * across;
    bench.scenario.duration = 0.3;
    Simulation run = bench.start();
    energy += run.state().ledger.initial - kDiscMass * g * 0.5 * length;
    run_whole(run, bench.scenario.model);
    lost += std::abs(run.state().ledger.stabilisation);
  }
  MESSAGE("lost " << lost << " of " << energy << " J");
  CHECK(lost <= 0.02 * energy);
}

// The same without friction at the acceleration level: forces at the start of a step, tens of
// thousands of newtons along a normal that turns, did work that none of them does. Discs gained a
// fifth of their energy, one on rough ground thirty times its own.
TEST_CASE("discs that whip about their rims gain little under symplectic Euler") {
  Random random(71);
  double gained = 0.0, energy = 0.0;  // J
  for (int i = 0; i < 20; ++i) {
    const double length = random.uniform(0.02, 0.1), low = kDiscRadius + 0.5 * length;
    Bench bench = standing("frictionless", "symplectic-euler", length, 0.0);
    bench.scenario.model.gravity = {0.0, 0.0, -g};
    bench.scenario.initial.q[2] = low + 0.1;
    bench.scenario.initial.v.head<3>() =
        Vector3d(random.uniform(-6.0, 6.0), random.uniform(-6.0, 6.0), random.uniform(-3.0, 3.0));
    bench.scenario.duration = 0.5;
    Simulation run = bench.start();
    energy += run.state().ledger.initial - kDiscMass * g * 0.5 * length;
    run_whole(run, bench.scenario.model);
    gained += std::abs(residual(bench, run));
  }
  MESSAGE("gained " << gained << " of " << energy << " J");
  CHECK(gained <= 0.06 * energy);
}

}  // namespace pequod
