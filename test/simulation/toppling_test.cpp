// Bodies that topple about a corner, with friction in the stages of RK4.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "test/simulation/referee.h"
#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

/// A box of random shape, dropped with random spin from a random attitude.
Bench dropped_box(const std::string& model, unsigned seed, double mu = 0.5) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> length(0.1, 0.4);
  std::normal_distribution<double> normal;
  const Vector3d size(length(random), length(random), length(random));
  Bench bench(model, 0.002);
  bench.add(box_inertia(2.0, size), Box{size});
  bench.build(mu);
  Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
  turn.normalize();
  bench.scenario.initial.q << 0.0, 0.0, 0.5 * size.norm() + 0.05, turn.w(), turn.x(), turn.y(),
      turn.z();
  for (int i = 0; i < 3; ++i) bench.scenario.initial.v[i] = 4.0 * normal(random);
  for (int i = 3; i < 5; ++i) bench.scenario.initial.v[i] = 0.5 * normal(random);
  bench.scenario.duration = 1.5;
  return bench;
}

/// A cube that stands on one corner, its centre over it, and topples with an angular velocity.
Bench toppling_cube(double side, double speed) {
  Bench bench("no-slip", 0.001);
  const Vector3d size = Vector3d::Constant(side);
  bench.add(box_inertia(2.0, size), Box{size});
  bench.build(0.5);
  const double height = 0.5 * size.norm();
  const Quaterniond turn = Quaterniond::FromTwoVectors(Vector3d::Ones(), Vector3d::UnitZ());
  bench.scenario.initial.q << 0.0, 0.0, height, turn.w(), turn.x(), turn.y(), turn.z();
  // About y: every axis through the centre is a principal one.
  bench.scenario.initial.v << 0.0, speed, 0.0, speed * height, 0.0, 0.0;
  bench.scenario.duration = 1.0;
  return bench;
}

}  // namespace

// About a corner at rest, with l from it to the centre, β = ml²/(I + ml²) and κ = l ω₀²/g:
//   fn / mg = 1 − β − (κ + 2β) cos θ + 3β cos²θ,
// zero at cos θ = 0.9 by the choice of κ. Beyond, the corner would have to be pulled down, and it
// would sink if it were let go: g(κ c + 2β(1 − c)c − 1) < 0. fn is found to 1e-9 of the weight.
TEST_CASE("a corner without slip that nothing holds any more slides, where the closed form says") {
  const double side = 0.2, height = 0.5 * std::sqrt(3.0) * side;
  const double ratio = 1.0 / (1.0 + (1.0 / 6.0) / 0.75), cosine = 0.9;
  const double kappa = 3.0 * ratio * cosine - 2.0 * ratio + (1.0 - ratio) / cosine;
  REQUIRE(kappa * cosine + 2.0 * ratio * (1.0 - cosine) * cosine < 1.0);
  Bench bench = toppling_cube(side, std::sqrt(kappa * g / height));
  Simulation run = bench.start();
  while (bench.rows.empty()) REQUIRE(run.step());
  CHECK(bench.rows[0].kind == EventKind::slip);
  CHECK(std::abs(run.state().q[2] / height - cosine) < 1e-8);
  CHECK(residual(bench, run) < 1e-9);
  const test::Referee referee = test::watch(run, bench.scenario.model);
  CHECK(run.statistics().fallbacks == 0);
  CHECK(referee.overlap() < 1e-9);
  CHECK(run.state().v.norm() < 1e-9);
  CHECK(residual(bench, run) < 1e-6);  // of 3.4 J: directions of slip turn fast
}

// What boxes that tumble and come to rest show together.
struct Tumbles {
  std::int64_t fallbacks = 0;
  double worst_residual = 0.0, worst_gap = 0.0;  // J, m
};

Tumbles tumble(const std::string& model, double mu, unsigned boxes) {
  Tumbles out;
  for (unsigned seed = 0; seed < boxes; ++seed) {
    Bench bench = dropped_box(model, seed, mu);
    Simulation run = bench.start();
    const test::Referee referee = test::watch(run, bench.scenario.model);
    out.fallbacks += run.statistics().fallbacks;
    out.worst_residual = std::max(out.worst_residual, residual(bench, run));
    out.worst_gap = std::max(out.worst_gap, referee.overlap());
  }
  MESSAGE(model << ", friction " << mu << ": " << out.fallbacks << " fallback steps of " << boxes
                << " boxes; residual " << out.worst_residual << " J, overlap " << out.worst_gap
                << " m");
  return out;
}

TEST_CASE("boxes dropped with spin tumble without a fallback step" * doctest::test_suite("heavy")) {
  for (const auto& [model, boxes] :
       {std::pair<std::string, unsigned>{"no-slip", 100}, {"coulomb", 100}, {"baraff", 40}}) {
    const Tumbles all = tumble(model, 0.5, boxes);
    CHECK(all.fallbacks == 0);
    CHECK(all.worst_gap < 1e-9);
  }
}

// Corners that jam: friction presses them down, their forces have poles and their slips end in
// series of impacts. Every such end is an impulse, none a fallback step. (Box 59 with friction 1
// keeps a false direction of slip where RK4's steps are too long for the turn of the true one.)
TEST_CASE("boxes with much friction tumble without a fallback step" *
          doctest::test_suite("heavy")) {
  for (const double mu : {1.0, 2.0, 5.0, 10.0}) {
    const Tumbles all = tumble("coulomb", mu, 60);
    CHECK(all.fallbacks == 0);
    CHECK(all.worst_gap < 1e-9);
  }
}

TEST_SUITE("long") {
  TEST_CASE("a thousand boxes tumble without a fallback step") {
    for (const double mu : {0.5, 1.0, 2.0, 5.0, 10.0}) {
      const Tumbles all = tumble("coulomb", mu, 200);
      CHECK(all.fallbacks == 0);
      CHECK(all.worst_gap < 1e-9);
    }
  }
}

}  // namespace pequod
