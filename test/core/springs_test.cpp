// Springs and dampers between two points: their rows, forces and energy.
#include "core/springs.h"

#include <doctest/doctest.h>

#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// A random tree in motion, with two springs, one of them to the world or to another link.
struct Sprung {
  RandomTree tree;
  State state;

  [[nodiscard]] Kinematics at(double t) const {
    return kinematics_of(tree.model, moved(tree.model, state.q, t * state.v), state.v);
  }
};

template <typename Visit>
void for_sprung(const Visit& visit) {
  Random random(61);
  for (int trial = 0; trial < 40; ++trial) {
    Sprung sprung;
    sprung.tree = random_tree(random, {.links = 2 + trial % 10, .fixed_base = trial % 2 == 0});
    Model& model = sprung.tree.model;
    sprung.state = random_state(random, model);
    const int links = static_cast<int>(model.links.size());
    for (const int other : {-1, links - 2}) {
      Spring spring{"spring", other, links - 1, random.pose(0.5).p, random.pose(0.5).p};
      spring.stiffness = random.uniform(1.0, 100.0);
      spring.damping = random.uniform(0.1, 10.0);
      spring.rest = random.uniform(0.0, 1.0);
      model.springs.push_back(spring);
    }
    visit(sprung);
  }
}

constexpr double kStep = 1e-5;  // s: central differences leave 1e-10 of rates of order one

}  // namespace

TEST_CASE("the row of a spring is the rate of its length") {
  Worst rate;
  for_sprung([&](const Sprung& sprung) {
    const Model& model = sprung.tree.model;
    const Kinematics here = sprung.at(0.0);
    for (const Spring& spring : model.springs) {
      VectorXd row = VectorXd::Zero(model.nv);
      add_length_row(model, here, spring, spring_line(spring, here), 1.0, row);
      const double difference = (spring_line(spring, sprung.at(kStep)).length -
                                 spring_line(spring, sprung.at(-kStep)).length) /
                                (2.0 * kStep);
      rate.see(std::abs(row.dot(sprung.state.v) - difference) / (1.0 + std::abs(difference)));
    }
  });
  CHECK(rate.value() < 1e-7);
}

TEST_CASE("what springs take in power is the rate of their energy, and dampers only take") {
  Worst power;
  double least = kInfinity;
  for_sprung([&](const Sprung& sprung) {
    const Model& model = sprung.tree.model;
    const VectorXd& v = sprung.state.v;
    VectorXd force = VectorXd::Zero(model.nv), damping = force;
    add_spring_forces(model, sprung.at(0.0), force);
    add_damper_forces(model, sprung.at(0.0), v, damping);
    const double rate =
        (spring_energy(model, sprung.at(kStep)) - spring_energy(model, sprung.at(-kStep))) /
        (2.0 * kStep);
    power.see(std::abs(force.dot(v) + rate) / (1.0 + std::abs(rate)));
    least = std::min(least, damping.dot(v));
  });
  CHECK(power.value() < 1e-7);
  CHECK(least >= 0.0);
}

TEST_CASE("a spring whose ends coincide has no direction, and no force") {
  const Spring spring{"s", -1, -1, Vector3d::Ones(), Vector3d::Ones(), 5.0, 1.0, 0.3};
  const SpringLine line = spring_line(spring, std::span<const Pose>());
  CHECK(line.length == 0.0);
  CHECK(line.along == Vector3d::Zero());
}
