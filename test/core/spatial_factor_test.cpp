// L as motions and forces in space against L as rows of numbers, and against M itself.
#include "core/spatial_factor.h"

#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "core/dynamics.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// The model with all its trees one way or the other, whatever pays.
Model with_spatial_rows(Model model, bool spatial) {
  model.spatial_rows = 0;
  for (Tree& tree : model.trees) {
    tree.first_spatial = spatial ? model.spatial_rows : -1;
    if (spatial) model.spatial_rows += tree.nv;
  }
  return model;
}

MassFactor factor_of(const Model& model, const Kinematics& kin, const MassMatrix& M) {
  MassFactor factor;
  factor_mass_matrix(model, kin, M, factor);
  return factor;
}

/// x with the part of each tree changed: change(tree, its coordinates).
template <typename Change>
VectorXd by_tree(const Model& model, VectorXd x, const Change& change) {
  for (std::size_t t = 0; t < model.trees.size(); ++t)
    change(static_cast<int>(t), std::span(x.data() + model.trees[t].first_v,
                                          static_cast<std::size_t>(model.trees[t].nv)));
  return x;
}

VectorXd applied(const Model& model, const MassFactor& factor, const VectorXd& x) {
  return by_tree(model, x, [&](int tree, auto part) { factor.apply_L(model, tree, part); });
}
VectorXd applied_transposed(const Model& model, const MassFactor& factor, const VectorXd& x) {
  return by_tree(model, x,
                 [&](int tree, auto part) { factor.apply_L_transposed(model, tree, part); });
}
VectorXd solved_transposed(const Model& model, const MassFactor& factor, const VectorXd& x) {
  return by_tree(model, x,
                 [&](int tree, auto part) { factor.solve_L_transposed(model, tree, part); });
}

/// L of all trees, column by column.
MatrixXd lower(const Model& model, const MassFactor& factor) {
  MatrixXd L(model.nv, model.nv);
  for (int j = 0; j < model.nv; ++j) L.col(j) = applied(model, factor, VectorXd::Unit(model.nv, j));
  return L;
}

/// L⁻ᵀ of four vectors abreast.
MatrixXd solved_abreast(const Model& model, const MassFactor& factor, const MatrixXd& x) {
  std::vector<Abreast> rows(static_cast<std::size_t>(model.nv));
  for (int i = 0; i < model.nv; ++i) nth(rows, i) = x.row(i).transpose();
  for (std::size_t t = 0; t < model.trees.size(); ++t)
    factor.solve_L_transposed(
        model, static_cast<int>(t),
        std::span(rows).subspan(static_cast<std::size_t>(model.trees[t].first_v),
                                static_cast<std::size_t>(model.trees[t].nv)));
  MatrixXd out(model.nv, 4);
  for (int i = 0; i < model.nv; ++i) out.row(i) = nth(rows, i).transpose();
  return out;
}

/// Largest entry of the difference, in the units √M_ii of L's columns.
double apart(const MatrixXd& a, const MatrixXd& b, const MatrixXd& M) {
  return ((a - b) * M.diagonal().cwiseSqrt().cwiseInverse().asDiagonal()).cwiseAbs().maxCoeff();
}

Robot long_robot(Random& random, int links) {
  Robot robot = random_robot(random, {.links = links});
  for (int i = 1; i < links; ++i)  // a chain that forks once
    robot.joints[static_cast<std::size_t>(i) - 1].parent =
        std::to_string(i == 2 * links / 3 ? links / 4 : i - 1);
  return robot;
}

}  // namespace

TEST_CASE("L by motions and forces is L by rows") {
  Random random(911);
  Worst rows, transposed, four, inverse;
  for (int round = 0; round < 40; ++round) {
    const RandomTree tree = random_tree(random, {.links = 2 + round, .fixed_base = round % 2 == 1});
    const Model plain = with_spatial_rows(tree.model, false);
    const Model model = with_spatial_rows(tree.model, true);
    const State state = random_state(random, model);
    const Kinematics kin = kinematics_of(model, state.q, state.v);
    MassMatrix M;
    compute_mass_matrix(model, kin, M);
    const MassFactor of_rows = factor_of(plain, kin, M), factor = factor_of(model, kin, M);
    const MatrixXd L = lower(model, factor), dense = M.dense(model);
    rows.see(apart(L, lower(plain, of_rows), dense));
    MatrixXd x(model.nv, 4);
    for (Eigen::Index j = 0; j < 4; ++j) x.col(j) = random.numbers(model.nv);
    const MatrixXd abreast = solved_abreast(model, factor, x);
    for (Eigen::Index j = 0; j < 4; ++j) {
      const VectorXd own = x.col(j), y = solved_transposed(model, factor, own);
      four.see((abreast.col(j) - y).norm() / y.norm());
      transposed.see((applied_transposed(model, factor, y) - own).norm() / own.norm());
      const VectorXd z = applied_transposed(model, factor, own);
      transposed.see((z - L.transpose() * own).norm() / z.norm());
      VectorXd w = own;
      factor.solve(model, w);
      const VectorXd scale = dense.cwiseAbs() * w.cwiseAbs();
      inverse.see(((dense * w - own).array() / scale.array()).abs().maxCoeff());
    }
  }
  MESSAGE("rows " << rows.value() << ", transposed " << transposed.value() << ", four "
                  << four.value() << ", M x " << inverse.value());
  // ε times the lengths of sums, some 60, and where L is applied to what it solved its growth.
  CHECK(rows.value() < 1e-12);
  CHECK(transposed.value() < 1e-12);
  CHECK(four.value() < 1e-13);
  CHECK(inverse.value() < 1e-13);
}

TEST_CASE("long chains have spatial rows, robots have not, and their M is solved") {
  Random random(912);
  Worst left;
  for (const int links : {12, 60, 200}) {
    ModelBuilder builder;
    builder.add_robot("r", long_robot(random, links), false, {}, false);
    const Model model = builder.build();
    CHECK((model.trees[0].first_spatial >= 0) == (links > 12));
    const State state = random_state(random, model);
    const Kinematics kin = kinematics_of(model, state.q, state.v);
    MassMatrix M;
    compute_mass_matrix(model, kin, M);
    const MatrixXd dense = M.dense(model);
    VectorXd x = state.tau;
    factor_of(model, kin, M).solve(model, x);
    const VectorXd scale = dense.cwiseAbs() * x.cwiseAbs();
    left.see(((dense * x - state.tau).array() / scale.array()).abs().maxCoeff());
  }
  CHECK(left.value() < 1e-13);  // ε times the length of sums, some 200
}

TEST_CASE("a link without mass at the end of a long chain is named") {
  Random random(913);
  ModelBuilder builder;
  builder.add_robot("r", long_robot(random, 60), false, {}, false);
  Model model = builder.build();
  REQUIRE(model.trees[0].first_spatial >= 0);
  model.links.back().joint.armature = 0.0;
  model.links.back().inertia = {};
  const State state = random_state(random, model);
  const Kinematics kin = kinematics_of(model, state.q, state.v);
  MassMatrix M;
  compute_mass_matrix(model, kin, M);
  CHECK_THROWS_WITH_AS(factor_of(model, kin, M),
                       doctest::Contains(link_name(model, model.dof_link.back()).c_str()),
                       std::domain_error);
}

// Taken about one origin, light links far from it would be differences of large numbers: impacts of
// a chain that falls on its side then make more of them.
TEST_CASE("light links at the end of a long arm move as their contacts tell") {
  Random random(914);
  Robot robot = random_robot(random, {.links = 60, .spherical = false, .fixed = false});
  for (std::size_t i = 1; i < robot.links.size(); ++i) {
    RobotLink& link = robot.links[i];
    link.mass *= 0.01;
    link.com *= 0.1;
    link.inertia *= 1e-4;
    RobotJoint& joint = robot.joints[i - 1];
    joint.type = RobotJointType::revolute;
    joint.armature = 0.0;
    joint.parent = std::to_string(i - 1);
    joint.X_PJ.p = i == 1 ? Vector3d(50.0, 0.0, 0.0) : 0.03 * random.unit();
  }
  ModelBuilder builder;
  builder.add_robot("r", robot, false, {}, false);
  const Model model = builder.build();
  REQUIRE(model.trees[0].first_spatial >= 0);
  Worst off;
  for (int round = 0; round < 20; ++round) {
    State state = random_state(random, model);
    state.v.head<6>().setZero();
    const Kinematics kin = kinematics_of(model, state.q, state.v);
    MassMatrix M;
    compute_mass_matrix(model, kin, M);
    const MassFactor factor = factor_of(model, kin, M);
    MatrixXd J;
    point_jacobian(model, kin, static_cast<int>(model.links.size()) - 1,
                   kin.links.back().X_WL.p + random.vector(0.03), J);
    const VectorXd row = J.row(2).transpose(), g = solved_transposed(model, factor, row);
    const VectorXd y = applied(model, factor, state.v);
    off.see(std::abs(g.dot(y) - row.dot(state.v)) / (g.norm() * y.norm()));
  }
  MESSAGE("J v off by " << off.value() << " of |J| |v| in the norm of energy");
  CHECK(off.value() < 1e-14);  // some ε; about the root's origin 1e-12
}
