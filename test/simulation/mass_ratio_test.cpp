// Bodies of masses 1 : 1e10 in one island of contacts: stacks, which statics answers, and two boxes
// that meet.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace pequod {
namespace {

constexpr double kStackGravity = 9.81, kStackFriction = 0.5;  // m/s², 1
constexpr double kSameWeight = 1e-9;                          // relative: load to weight
// Of the normal force: forces lie in cones to a few roundings of the projection on these.
constexpr double kInCone = 1e-12;
constexpr double kStackDrift = 1e-12;  // m, over 20 steps; a thousandth of a gap's tolerance

// Boxes of 1 m on each other on a plane; what holds is not the plane's direction but gravity's.
Scenario stack_of(const std::vector<double>& masses, const Vector3d& gravity, const char* model) {
  ModelBuilder builder(gravity);
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (std::size_t i = 0; i < masses.size(); ++i)
    builder.add_free_body("box" + std::to_string(i),
                          {masses[i], Vector3d::Zero(), masses[i] / 6.0 * Matrix3d::Identity()},
                          {{Box{Vector3d::Ones()}, {}}});
  Scenario scenario;
  scenario.model = builder.build({{"*", "*", {.friction = kStackFriction}}});
  scenario.initial = make_state(scenario.model);
  for (std::size_t i = 0; i < masses.size(); ++i)
    scenario.initial.q[7 * static_cast<Eigen::Index>(i) + 2] = static_cast<double>(i) + 0.5;
  scenario.duration = 0.02;
  scenario.integrator = {"symplectic-euler", 1e-3, 0.0};
  scenario.contact.model = model;
  return scenario;
}

// Under each contact plane acts what stands above it, within the cone of each corner.
// @param cones  whether the model has them
void check_loads(const State& state, const std::vector<double>& masses, const Vector3d& gravity,
                 bool cones) {
  double above = 0.0;
  for (std::size_t i = masses.size(); i-- > 0;) {
    above += masses[i];
    Vector3d load = Vector3d::Zero();
    for (const ContactMode& mode : state.mode) {
      const double z = mode.point_W.z() - static_cast<double>(i);
      if (std::abs(z) > 0.5) continue;
      load += mode.force_W;
      const double fn = mode.force_W.z();
      if (!cones) continue;
      CHECK(mode.force_W.head<2>().norm() <= kStackFriction * fn * (1.0 + kInCone));
    }
    CAPTURE(i);
    CHECK((load + above * gravity).norm() <= kSameWeight * above * gravity.norm());
  }
}

void check_rest(const std::vector<double>& masses, const Vector3d& gravity, const char* model) {
  const Scenario scenario = stack_of(masses, gravity, model);
  Simulation run(scenario);
  run.run();
  CHECK((run.state().q - scenario.initial.q).lpNorm<Eigen::Infinity>() <= kStackDrift);
  CHECK(run.state().ledger.suspect == 0.0);
  CHECK(run.statistics().unsolved == 0);
  check_loads(run.state(), masses, gravity, std::string(model) != "no-slip");
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

constexpr const char* kRubbing[] = {"no-slip", "coulomb", "stewart-trinkle", "anitescu-potra",
                                    "drumwright-shell"};

}  // namespace

TEST_CASE("boxes of masses 1 : R rest on each other under their weights, in any order") {
  const Vector3d gravity(0.0, 0.0, -kStackGravity);
  for (const char* model : kRubbing) {
    CAPTURE(model);
    for (const double R : {1e3, 1e6, 1e8, 1e10}) {
      CAPTURE(R);
      for (const std::vector<double>& masses : stacks(R)) check_rest(masses, gravity, model);
    }
  }
}

// Friction of a tenth of the load holds each of them, and the topmost three boxes' height of 3.5 m
// tips none: a tenth of that is within the base.
TEST_CASE("boxes of masses 1 : R rest on each other on a slope") {
  const Vector3d gravity(0.1 * kStackGravity, 0.0, -kStackGravity);
  for (const char* model : kRubbing) {
    CAPTURE(model);
    for (const double R : {1e3, 1e6, 1e8, 1e10}) {
      CAPTURE(R);
      for (const std::vector<double>& masses : stacks(R)) check_rest(masses, gravity, model);
    }
  }
}

}  // namespace pequod
