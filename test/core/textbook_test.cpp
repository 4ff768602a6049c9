// The spatial algorithms against dynamics written joint by joint with dense matrices.
#include "test/core/textbook.h"

#include <doctest/doctest.h>

#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

struct Figures {
  Worst M, h, V;
};

void compare(const RandomTree& tree, const State& state, Figures& worst) {
  const Kinematics kin = kinematics_of(tree.model, state.q, state.v);
  const MatrixXd M = mass_matrix_of(tree.model, kin);
  const VectorXd unit = M.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd off = M - textbook_mass(tree, state.q);
  worst.M.see((unit.asDiagonal() * off * unit.asDiagonal()).cwiseAbs().maxCoeff());

  VectorXd h;
  bias_force(tree.model, kin, h);
  const VectorXd expected = textbook_bias(tree, state.q, state.v);
  worst.h.see((h - expected).cwiseProduct(unit).norm() / expected.cwiseProduct(unit).norm());

  const double V = textbook_potential(tree, state.q);
  // A pinned base is no link of the model: its potential is a constant the model leaves out.
  double base = 0.0;
  if (tree.model.entities[0].base_link < 0) {
    std::vector<TextbookBody> bodies = textbook_bodies(tree, state.q);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].J.isZero(0.0)) base -= bodies[i].mass * tree.model.gravity.dot(bodies[i].c);
  }
  worst.V.see(std::abs(potential_energy(tree.model, kin) + base - V) / (1.0 + std::abs(V)));
}

/// h of a tree of revolute and prismatic joints from M(q) and V(q) alone:
/// h_i = Σ (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) v_j v_k + ∂V/∂q_i.
VectorXd lagrangian_bias(const RandomTree& tree, const VectorXd& q, const VectorXd& v) {
  const int n = tree.model.nv;
  VectorXd h(n);
  MatrixXd along = MatrixXd::Zero(n, n);  // Σ_k ∂M/∂q_k v_k
  for (int k = 0; k < n; ++k) {
    const auto at = [&](double t) { return VectorXd(q + t * VectorXd::Unit(n, k)); };
    const MatrixXd dM = derivative([&](double t) { return textbook_mass(tree, at(t)); });
    h[k] = -0.5 * v.dot(dM * v) +
           derivative([&](double t) { return textbook_potential(tree, at(t)); });
    along += v[k] * dM;
  }
  return h + along * v;
}

}  // namespace

TEST_CASE("mass matrix, bias and potential are those of the links as described") {
  Random random(11);
  Figures worst;
  for (int trial = 0; trial < 4; ++trial)
    for (const int links : {1, 2, 3, 5, 8, 13, 21, 40})
      for (const bool pinned : {false, true}) {
        if (pinned && links == 1) continue;
        const RandomTree tree = random_tree(random, {.links = links, .fixed_base = pinned});
        compare(tree, random_state(random, tree.model), worst);
      }
  MESSAGE("M " << worst.M.value() << ", h " << worst.h.value() << ", V " << worst.V.value());
  CHECK(worst.M.value() < 1e-12);  // ε times 40 links and the lever arms of the chain
  CHECK(worst.h.value() < 1e-10);  // rounding of the differences, ε|v|/h = 2e-13, and cancellation
  CHECK(worst.V.value() < 1e-13);
}

TEST_CASE("the bias follows from M(q) and V(q) alone by Lagrange's equations") {
  Random random(12);
  Worst worst;
  for (int trial = 0; trial < 30; ++trial) {
    const int links = 2 + trial % 6;
    const RandomTree tree =
        random_tree(random, {.links = links, .fixed_base = true, .spherical = false});
    const State state = random_state(random, tree.model);
    const Kinematics kin = kinematics_of(tree.model, state.q, state.v);
    VectorXd h;
    bias_force(tree.model, kin, h);
    const VectorXd unit = mass_matrix_of(tree.model, kin).diagonal().cwiseSqrt().cwiseInverse();
    const VectorXd expected = lagrangian_bias(tree, state.q, state.v);
    worst.see((h - expected).cwiseProduct(unit).norm() / h.cwiseProduct(unit).norm());
  }
  MESSAGE("h by Christoffel symbols " << worst.value());
  CHECK(worst.value() < 1e-10);  // differences of M, as above
}
