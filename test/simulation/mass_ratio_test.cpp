// Bodies of masses 1 : 1e10 in one island of contacts: stacks, which statics answers, and two boxes
// that meet.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

constexpr double kStackGravity = 9.81, kStackFriction = 0.5;  // m/s², 1
constexpr double kSameWeight = 1e-9;                          // relative: load to weight
// The same of drumwright-shell: κ is loosened by 1e-7 of all loads, here 1e2 of the lightest.
constexpr double kLoosened = 1e-5;
// Of the weight above: forces lie in cones to some roundings of it.
constexpr double kInCone = 1e-14;
constexpr double kStackDrift = 1e-12;  // m, over 20 steps; a thousandth of a gap's tolerance

// Boxes of 1 m on each other on a plane; what holds is not the plane's direction but gravity's.
Scenario stack_of(const std::vector<double>& masses, const Vector3d& gravity,
                  const std::string& model) {
  ModelBuilder builder(gravity);
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (std::size_t i = 0; i < masses.size(); ++i)
    builder.add_free_body("box" + std::to_string(i),
                          {masses[i], Vector3d::Zero(), masses[i] / 6.0 * Matrix3d::Identity()},
                          {{Box{Vector3d::Ones()}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.friction = kStackFriction}}}));
  for (std::size_t i = 0; i < masses.size(); ++i)
    scenario.initial.q[7 * static_cast<Eigen::Index>(i) + 2] = static_cast<double>(i) + 0.5;
  scenario.duration = 0.02;
  scenario.integrator = {"symplectic-euler", 1e-3, 0.0};
  scenario.contact.model = model;
  return scenario;
}

// Under each contact plane acts what stands above it, within the cone of each corner.
void check_loads(const State& state, const std::vector<double>& masses, const Vector3d& gravity,
                 const std::string& model) {
  const double same = model == "drumwright-shell" ? kLoosened : kSameWeight;
  double above = 0.0, all = 0.0;
  for (const double mass : masses) all += mass;
  // Multipliers of no-slip are known to a rounding of the largest.
  const double noise = model == "no-slip" ? 1e-16 * all : 0.0;
  for (std::size_t i = masses.size(); i-- > 0;) {
    above += masses[i];
    Vector3d load = Vector3d::Zero();
    for (const ContactMode& mode : state.mode) {
      const double z = mode.point_W.z() - static_cast<double>(i);
      if (std::abs(z) > 0.5) continue;
      load += mode.force_W;
      const double friction = mode.force_W.head<2>().norm(), fn = mode.force_W.z();
      if (model != "no-slip")
        CHECK(friction <= kStackFriction * fn + kInCone * above * gravity.norm());
    }
    CAPTURE(i);
    CHECK((load + above * gravity).norm() <= (same * above + noise) * gravity.norm());
  }
}

void check_rest(const std::vector<double>& masses, const Vector3d& gravity,
                const std::string& model) {
  const Scenario scenario = stack_of(masses, gravity, model);
  Simulation run(scenario);
  run.run();
  CHECK((run.state().q - scenario.initial.q).lpNorm<Eigen::Infinity>() <= kStackDrift);
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().unsolved == 0);
  check_loads(run.state(), masses, gravity, model);
}

// 1 and R, and powers of R at random, in several orders.
std::vector<std::vector<double>> stacks(double R) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> power(0.0, 1.0);
  std::vector<std::vector<double>> all{{1, R, 1, R}, {R, 1, R, 1}, {1, R, R, 1}};
  std::vector<double> other;
  for (int k = 0; k < 4; ++k) other.push_back(std::pow(R, power(random)));
  all.push_back(other);
  return all;
}

constexpr double kThrownFriction = 0.3, kThrown = 1.5;  // 1, m/s of the first box

// Two boxes that slide towards each other on the plane, aside by half of their width.
Scenario thrown_boxes(double first, double second, const std::string& model) {
  const Vector3d size(0.5, 0.4, 0.3);
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (const double mass : {first, second}) {
    const Vector3d square = size.cwiseAbs2();
    const Vector3d moments = mass / 12.0 * (Vector3d::Constant(square.sum()) - square);
    builder.add_free_body(mass == first ? "first" : "second",
                          {mass, Vector3d::Zero(), moments.asDiagonal()}, {{Box{size}, {}}});
  }
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.friction = kThrownFriction}}}));
  scenario.initial.q.segment<3>(0) << -0.5, 0.0, 0.5 * size.z();
  scenario.initial.q.segment<3>(7) << 0.5, 0.2, 0.5 * size.z();
  scenario.initial.v[3] = kThrown;
  scenario.initial.v[9] = -1.0;
  scenario.duration = 0.4;
  scenario.integrator = {"symplectic-euler", 1e-3, 0.0};
  scenario.contact.model = model;
  return scenario;
}

VectorXd end_of(const Scenario& scenario) {
  Simulation run(scenario);
  run.run();
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().unsolved == 0);
  return run.state().q;
}

constexpr const char* kRubbing[] = {"no-slip", "coulomb", "stewart-trinkle", "anitescu-potra",
                                    "drumwright-shell"};

void check_stacks(const Vector3d& gravity) {
  for (const std::string model : kRubbing) {
    CAPTURE(model);
    for (const double R : {1e3, 1e6, 1e8, 1e10}) {
      CAPTURE(R);
      for (const std::vector<double>& masses : stacks(R)) check_rest(masses, gravity, model);
    }
  }
}

}  // namespace

TEST_CASE("boxes of masses 1 : R rest on each other under their weights, in any order") {
  check_stacks({0.0, 0.0, -kStackGravity});
}

// Friction of a tenth of the load holds each of them, and the topmost three boxes' height of 3.5 m
// tips none: a tenth of that is within the base.
TEST_CASE("boxes of masses 1 : R rest on each other on a slope") {
  check_stacks({0.1 * kStackGravity, 0.0, -kStackGravity});
}

// The heavy box goes on as if it were alone, v − μ g k h in step k, and the light one moves as
// against a box of any other such mass: what it takes from that is 1/R.
TEST_CASE("a light box is struck alike by boxes of 1e7 to 1e10 times its mass") {
  constexpr double kLike = 1e-6;  // m; a few times the least ratio, 1e-7
  for (const std::string model : {"coulomb", "stewart-trinkle", "anitescu-potra"}) {
    CAPTURE(model);
    for (const bool heavy_first : {true, false}) {
      CAPTURE(heavy_first);
      const auto at_end = [&](double R) {
        return end_of(thrown_boxes(heavy_first ? R : 1.0, heavy_first ? 1.0 : R, model));
      };
      const VectorXd expected = at_end(1e7);
      for (const double R : {1e8, 1e9, 1e10}) {
        CAPTURE(R);
        const VectorXd q = at_end(R);
        CHECK((q - expected).lpNorm<Eigen::Infinity>() <= kLike);
        const double h = 1e-3, alone = -0.5 + kThrown * 0.4 -
                                       kThrownFriction * kStackGravity * h * h * 400 * 401 / 2.0;
        if (heavy_first) CHECK(std::abs(q[0] - alone) <= kLike);
      }
    }
  }
}

}  // namespace pequod
