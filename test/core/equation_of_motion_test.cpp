// M v̇ + h = τ by the recursive algorithms among themselves. Forces are compared in units of √M_ii,
// which makes metres and radians alike.
#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "core/articulated.h"
#include "core/dynamics.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// Everything about one random tree in one random state.
struct Sample {
  RandomTree tree;
  State state;
  Kinematics kin;
  MatrixXd M;
  VectorXd unit;  ///< 1/√M_ii
  VectorXd h;
};

Sample sample(Random& random, const TreeChoice& choice) {
  Sample s;
  s.tree = random_tree(random, choice);
  s.state = random_state(random, s.tree.model);
  s.kin = kinematics_of(s.tree.model, s.state.q, s.state.v);
  s.M = mass_matrix_of(s.tree.model, s.kin);
  s.unit = s.M.diagonal().cwiseSqrt().cwiseInverse();
  bias_force(s.tree.model, s.kin, s.h);
  return s;
}

double size_of(const Sample& s, const VectorXd& force) { return force.cwiseProduct(s.unit).norm(); }

/// Calls visit for random trees of 1–40 links, floating and pinned.
template <typename Visit>
void for_random_trees(std::uint64_t seed, int rounds, const Visit& visit) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round)
    for (int links = 1; links <= 40; links += links < 8 ? 1 : 4)
      for (const bool pinned : {false, true}) {
        if (pinned && links == 1) continue;
        const TreeChoice choice{.links = links, .fixed_base = pinned};
        visit(random, sample(random, choice));
      }
}

VectorXd random_vector(Random& random, int size) {
  VectorXd x(size);
  for (double& value : x) value = random.uniform(-1.0, 1.0);
  return x;
}

/// Worst figures of the laws below.
struct Laws {
  Worst rnea, columns, aba, energy;
};

void check_laws(Random& random, const Sample& s, Laws& worst) {
  const Model& model = s.tree.model;
  const VectorXd a = random_vector(random, model.nv);
  VectorXd tau, none, one;
  inverse_dynamics(model, s.kin, a, tau);
  worst.rnea.see(size_of(s, s.M * a + s.h - tau) / (size_of(s, s.M * a) + size_of(s, s.h)));

  inverse_dynamics(model, s.kin, VectorXd::Zero(model.nv), none);
  for (int j = 0; j < model.nv; ++j) {
    inverse_dynamics(model, s.kin, VectorXd::Unit(model.nv, j), one);
    const double scale = size_of(s, s.M.col(j)) + size_of(s, s.h);
    worst.columns.see(size_of(s, one - none - s.M.col(j)) / scale);
  }

  ArticulatedBody body;
  compute_articulated(model, s.kin, body);
  VectorXd vdot;
  forward_dynamics(model, s.kin, body, s.state.tau, vdot);
  const VectorXd force = s.state.tau - s.h;
  const double scale = size_of(s, force) + size_of(s, s.h) + size_of(s, s.M * vdot);
  worst.aba.see(size_of(s, s.M * vdot - force) / scale);

  MassMatrix M;
  MassFactor factor;
  compute_mass_matrix(model, s.kin, M);
  factor_mass_matrix(model, s.kin, M, factor);
  VectorXd solved = force;
  factor.solve(model, solved);
  // The articulated bodies know h by its effect alone: where τ nearly balances it, its rounding is
  // that of the acceleration which h alone would give.
  VectorXd of_bias = s.h;
  factor.solve(model, of_bias);
  const auto size = [&](const VectorXd& x) { return std::sqrt(x.dot(s.M * x)); };
  const VectorXd stretches = Eigen::SelfAdjointEigenSolver<MatrixXd>(s.M).eigenvalues();
  const double condition = stretches.maxCoeff() / stretches.minCoeff();
  worst.energy.see(size(solved - vdot) / (size(solved) + size(of_bias)) / std::sqrt(condition));
}

void sweep_laws(std::uint64_t seed, int rounds) {
  Laws worst;
  for_random_trees(seed, rounds,
                   [&](Random& random, const Sample& s) { check_laws(random, s, worst); });
  MESSAGE("M v' + h - tau: RNEA " << worst.rnea.value() << ", columns " << worst.columns.value()
                                  << ", ABA " << worst.aba.value()
                                  << "; ABA - factor in energy over sqrt(cond) "
                                  << worst.energy.value());
  // Rounding of sums over 40 links, ε n = 1e-14 times the cancellation in h.
  CHECK(worst.rnea.value() < 1e-12);
  CHECK(worst.columns.value() < 1e-12);
  CHECK(worst.aba.value() < 1e-12);
  // In the energy norm both solves are off by some ε √cond(M) a coordinate, of which there are 60:
  // at most 5e-14 √cond(M) in 8000 trees. cond(M) is up to 1e6 here.
  CHECK(worst.energy.value() < 2e-13);
}

}  // namespace

TEST_CASE("recursive Newton-Euler, composite inertias and articulated bodies obey one equation") {
  sweep_laws(1, 4);
}

// 10 … 13 links before two branches of 9 … 30, on both sides of where L has spatial rows.
TEST_CASE("M is factored right where branches are long") {
  Random random(5);
  Worst left;
  for (int links = 30; links < 46; ++links) {
    RandomTree tree;
    tree.robot = random_robot(random, {.links = links});
    const int fork = 10 + links % 4, second = fork + 9 + links % 5;
    for (int i = 1; i < links; ++i)
      tree.robot.joints[static_cast<std::size_t>(i) - 1].parent =
          std::to_string(i == second ? fork : i - 1);
    ModelBuilder builder(Vector3d(0.0, 0.0, -9.81));
    builder.add_robot("r", tree.robot, links % 2 == 0, {}, false);
    tree.model = builder.build();
    const State state = random_state(random, tree.model);
    const Kinematics kin = kinematics_of(tree.model, state.q, state.v);
    MassMatrix M;
    MassFactor factor;
    compute_mass_matrix(tree.model, kin, M);
    factor_mass_matrix(tree.model, kin, M, factor);
    const MatrixXd dense = M.dense(tree.model);
    VectorXd x = state.tau;
    factor.solve(tree.model, x);
    const VectorXd scale = dense.cwiseAbs() * x.cwiseAbs();
    left.see(((dense * x - state.tau).array() / scale.array()).abs().maxCoeff());
  }
  // Backward stable: ε times the length of sums, some 60.
  CHECK(left.value() < 1e-13);
}

TEST_CASE("L is lower triangular with LᵀL = M, and its products and solves undo each other") {
  Worst product, inverse, upper, transposed;
  for_random_trees(2, 2, [&](Random& random, const Sample& s) {
    const Model& model = s.tree.model;
    MassMatrix M;
    MassFactor factor;
    compute_mass_matrix(model, s.kin, M);
    factor_mass_matrix(model, s.kin, M, factor);
    const VectorXd x = random_vector(random, model.nv);
    for (std::size_t t = 0; t < model.trees.size(); ++t) {
      const Tree& tree = model.trees[t];
      const int index = static_cast<int>(t);
      const auto n = static_cast<std::size_t>(tree.nv);
      MatrixXd L = MatrixXd::Identity(tree.nv, tree.nv), LT = L;
      for (int j = 0; j < tree.nv; ++j) {
        factor.apply_L(model, index, {L.col(j).data(), n});
        factor.apply_L_transposed(model, index, {LT.col(j).data(), n});
      }
      upper.see(L.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().norm());
      const auto unit = s.unit.segment(tree.first_v, tree.nv);
      transposed.see(((LT - L.transpose()).transpose() * unit.asDiagonal()).cwiseAbs().maxCoeff());
      const MatrixXd block = s.M.block(tree.first_v, tree.first_v, tree.nv, tree.nv);
      const MatrixXd off = unit.asDiagonal() * (L.transpose() * L - block) * unit.asDiagonal();
      product.see(off.cwiseAbs().maxCoeff());

      const VectorXd part = x.segment(tree.first_v, tree.nv);
      VectorXd y = part, z = part;
      factor.solve_L(model, index, {y.data(), n});
      factor.apply_L(model, index, {y.data(), n});
      factor.solve_L_transposed(model, index, {z.data(), n});
      factor.apply_L_transposed(model, index, {z.data(), n});
      inverse.see(((y - part).norm() + (z - part).norm()) / part.norm());
    }
  });
  MESSAGE("LᵀL - M " << product.value() << ", L L⁻¹ x - x " << inverse.value());
  CHECK(upper.value() == 0.0);
  CHECK(transposed.value() < 1e-14);  // ε times the coordinates; rows of numbers: 0
  CHECK(product.value() < 1e-13);     // ε times the number of coordinates
  CHECK(inverse.value() < 1e-12);     // ε times the growth |L⁻¹||L|
}

TEST_CASE("the impulse on a link changes velocities by M⁻¹Jᵀp") {
  Worst worst;
  for_random_trees(3, 4, [&](Random& random, const Sample& s) {
    const Model& model = s.tree.model;
    ArticulatedBody body;
    compute_articulated(model, s.kin, body);
    const int link = static_cast<int>(random.uniform(0, static_cast<double>(model.links.size())));
    const Vector3d point = nth(s.kin.links, link).X_WL * random.vector(0.3);
    const Vector3d p = random.vector(1.0);
    VectorXd dv;
    impulse_response(model, s.kin, body, link, point, p, dv);
    MatrixXd J;
    point_jacobian(model, s.kin, link, point, J);
    const VectorXd dense = s.M.llt().solve(J.transpose() * p);
    const VectorXd off = dv - dense;
    worst.see(std::sqrt(off.dot(s.M * off) / dense.dot(s.M * dense)));
    impulse_response(model, s.kin, body, -1, point, p, dv);
    CHECK(dv == VectorXd::Zero(model.nv));  // the world gives way to nothing
  });
  MESSAGE("impulse response, energy norm " << worst.value());
  CHECK(worst.value() < 1e-12);
}

TEST_CASE("a mass matrix that is not positive definite is refused by the link's name") {
  Random random(4);
  const RandomTree tree = random_tree(random, {.links = 3});
  const State state = random_state(random, tree.model);
  MassMatrix M;
  MassFactor factor;
  const Kinematics kin = kinematics_of(tree.model, state.q, state.v);
  compute_mass_matrix(tree.model, kin, M);
  M.blocks.back() = -1.0;
  CHECK_THROWS_WITH_AS(factor_mass_matrix(tree.model, kin, M, factor),
                       doctest::Contains("not positive definite at 'r/"), std::domain_error);
}

TEST_SUITE("long") {
  TEST_CASE("one equation of motion on two thousand trees") { sweep_laws(5, 70); }
}
