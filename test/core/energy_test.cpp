// Energy and momentum: what must hold whatever the algorithm.
#include <doctest/doctest.h>

#include "core/articulated.h"
#include "test/core/textbook.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

VectorXd acceleration(const Model& model, const Kinematics& kin, const VectorXd& tau) {
  ArticulatedBody body;
  compute_articulated(model, kin, body);
  VectorXd vdot;
  forward_dynamics(model, kin, body, tau, vdot);
  return vdot;
}

template <typename Visit>
void for_trees(std::uint64_t seed, bool pinned_too, const Visit& visit) {
  Random random(seed);
  for (int trial = 0; trial < 5; ++trial)
    for (const int links : {1, 2, 3, 6, 12, 25, 40})
      for (const bool pinned : {false, true}) {
        if (pinned && (links == 1 || !pinned_too)) continue;
        const RandomTree tree = random_tree(random, {.links = links, .fixed_base = pinned});
        visit(tree, random_state(random, tree.model), random);
      }
}

/// Linear and angular momentum about the world origin, from the described links.
Vector6d momentum(const RandomTree& tree, const VectorXd& q, const VectorXd& v) {
  Vector6d sum = Vector6d::Zero();
  for (const TextbookBody& B : textbook_bodies(tree, q)) {
    const Vector3d p = B.mass * (B.J * v);
    sum.head<3>() += B.c.cross(p) + B.I * (B.Jw * v);
    sum.tail<3>() += p;
  }
  return sum;
}

}  // namespace

TEST_CASE("kinetic energy is ½ vᵀMv and the sum over the links as described") {
  Worst matrix, sum;
  for_trees(21, true, [&](const RandomTree& tree, const State& state, Random&) {
    const VectorXd& v = state.v;
    const Kinematics kin = kinematics_of(tree.model, state.q, v);
    const double T = kinetic_energy(tree.model, kin, v);
    matrix.see(std::abs(T - 0.5 * v.dot(mass_matrix_of(tree.model, kin) * v)) / T);
    double links = 0.0;
    for (const TextbookBody& B : textbook_bodies(tree, state.q)) {
      const Vector3d w = B.Jw * v;
      links += 0.5 * B.mass * (B.J * v).squaredNorm() + 0.5 * w.dot(B.I * w);
    }
    for (const Link& link : tree.model.links)
      for (int k = 0; k < velocity_count(link.joint.type); ++k)
        links += 0.5 * link.joint.armature * std::pow(v[link.joint.v_index + k], 2);
    sum.see(std::abs(T - links) / T);
  });
  MESSAGE("T - vᵀMv/2 " << matrix.value() << ", T - sum " << sum.value());
  CHECK(matrix.value() < 1e-12);  // ε times the cancellation of the links' motions in M
  CHECK(sum.value() < 1e-12);
}

// Any curve with the right q̇ and v̇ at 0 has the right dE/dt there.
TEST_CASE("the energy of a tree grows by the power τᵀv of its joints") {
  Worst worst;
  for_trees(22, true, [&](const RandomTree& tree, const State& state, Random&) {
    const Model& model = tree.model;
    const Kinematics now = kinematics_of(model, state.q, state.v);
    const VectorXd vdot = acceleration(model, now, state.tau);
    const auto energies = [&](double t) {
      const VectorXd v = state.v + t * vdot;
      const Kinematics kin = kinematics_of(model, moved(model, state.q, t * state.v), v);
      return Eigen::Vector2d(kinetic_energy(model, kin, v), potential_energy(model, kin));
    };
    // The larger v̇, the shorter the step of the differences.
    const double h = 1e-3 / (1.0 + 0.01 * vdot.cwiseAbs().maxCoeff());
    const Eigen::Vector2d rate = derivative(energies, h);
    const double scale = rate.cwiseAbs().sum() + state.tau.cwiseProduct(state.v).cwiseAbs().sum();
    worst.see(std::abs(rate.sum() - state.tau.dot(state.v)) / scale);
  });
  MESSAGE("dE/dt - τᵀv " << worst.value());
  CHECK(worst.value() <
        1e-9);  // rounding of the differences: ε E/h = 2e-13 E against rates of order E
}

TEST_CASE("at rest the bias is the gradient of the potential") {
  Worst worst;
  for_trees(23, true, [&](const RandomTree& tree, const State& state, Random&) {
    const Model& model = tree.model;
    const VectorXd rest = VectorXd::Zero(model.nv);
    VectorXd h;
    bias_force(model, kinematics_of(model, state.q, rest), h);
    VectorXd gradient(model.nv);
    for (int i = 0; i < model.nv; ++i)
      gradient[i] = derivative([&](double t) {
        const VectorXd q = moved(model, state.q, t * VectorXd::Unit(model.nv, i));
        return potential_energy(model, kinematics_of(model, q, rest));
      });
    worst.see((h - gradient).norm() / h.norm());
  });
  MESSAGE("h - ∇V " << worst.value());
  CHECK(worst.value() < 1e-10);  // ε V/h = 2e-13 V, V/|∇V| up to 10
}

TEST_CASE("no joint effort changes the momentum of a free tree; gravity adds m g") {
  Worst worst;
  for_trees(24, false, [&](const RandomTree& tree, const State& state, Random&) {
    const Model& model = tree.model;
    VectorXd tau = state.tau;
    tau.head<6>().setZero();
    const VectorXd vdot = acceleration(model, kinematics_of(model, state.q, state.v), tau);
    const double h = 1e-3 / (1.0 + 0.01 * vdot.cwiseAbs().maxCoeff());
    const Vector6d rate = derivative(
        [&](double t) {
          return momentum(tree, moved(model, state.q, t * state.v), state.v + t * vdot);
        },
        h);
    Vector6d weight = Vector6d::Zero();
    double scale = 0.0;
    for (const TextbookBody& B : textbook_bodies(tree, state.q)) {
      const Vector3d F = B.mass * model.gravity;
      weight.head<3>() += B.c.cross(F);
      weight.tail<3>() += F;
      scale += F.norm() * (1.0 + B.c.norm()) + B.mass * (B.J * vdot).norm();
    }
    worst.see((rate - weight).norm() / scale);
  });
  MESSAGE("momentum balance " << worst.value());
  CHECK(worst.value() < 1e-10);  // rounding of the differences
}

TEST_CASE("the mass centre is that of the links as described") {
  Worst worst;
  for_trees(25, false, [&](const RandomTree& tree, const State& state, Random&) {
    const Kinematics kin = kinematics_of(tree.model, state.q, state.v);
    const MassCentre centre =
        mass_centre(tree.model, kin, 0, static_cast<int>(tree.model.links.size()));
    double m = 0.0;
    Vector3d c = Vector3d::Zero(), p = Vector3d::Zero();
    for (const TextbookBody& B : textbook_bodies(tree, state.q)) {
      m += B.mass;
      c += B.mass * B.c;
      p += B.mass * (B.J * state.v);
    }
    worst.see(std::abs(centre.mass - m) / m);
    worst.see((centre.position - c / m).norm());
    worst.see((centre.velocity - p / m).norm());
  });
  MESSAGE("mass centre " << worst.value());
  CHECK(worst.value() < 1e-13);  // metres of order 1
}
