// Limbs four abreast, against the same links one by one.
#include "core/limb_fours.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/dynamics.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// A free trunk with limbs of hinges about these coordinate axes; 3 … 5: about their opposites.
struct Limbs {
  Robot robot;
  explicit Limbs(Random& random) { robot.links.push_back(random_link(random, "trunk")); }

  void add(Random& random, const std::vector<int>& axes) {
    std::string parent = "trunk";
    for (const int axis : axes) {
      const std::string name = "link" + std::to_string(robot.links.size());
      robot.links.push_back(random_link(random, name));
      RobotJoint joint;
      joint.name = "to_" + name;
      joint.child = name;
      joint.parent = parent;
      joint.type = RobotJointType::revolute;
      joint.X_PJ.p = random.vector(0.3);
      joint.axis = (axis < 3 ? 1.0 : -1.0) * Vector3d::Unit(axis % 3);
      joint.armature = random.uniform(0.0, 0.1);
      robot.joints.push_back(joint);
      parent = name;
    }
  }
  [[nodiscard]] Model build(int bodies_before = 0) const {
    ModelBuilder builder;
    for (int i = 0; i < bodies_before; ++i)
      builder.add_free_body("body" + std::to_string(i),
                            {1.0, Vector3d::Zero(), Matrix3d::Identity()}, {});
    builder.add_robot("robot", robot, false, Pose{}, true);
    return builder.build();
  }
};

Model one_by_one(Model model) {
  model.limb_fours.clear();
  for (Link& link : model.links) link.abreast = false;
  for (Tree& tree : model.trees) tree.fours = 0;
  return model;
}

auto count_abreast(const Model& model) {
  return std::ranges::count_if(model.links, [](const Link& link) { return link.abreast; });
}

double apart(const auto& a, const auto& b) { return (a - b).norm() / (1.0 + b.norm()); }

}  // namespace

TEST_CASE("limbs four abreast move, press and weigh as links one by one") {
  Random random(611);
  Worst pose, axis, motion, inertia, bias, mass, solved, root;
  for (int trial = 0; trial < 100; ++trial) {
    Limbs limbs(random);
    std::vector<int> axes(1 + static_cast<std::size_t>(trial) % 8);
    for (int& one : axes) one = trial % 3;
    for (int k = 0; k < 4 + trial % 6; ++k) {
      for (int& one : axes) one = (one + 1 + trial) % 3 + (random.uniform(0.0, 1.0) < 0.5 ? 3 : 0);
      std::vector<int> own = axes;
      for (std::size_t l = 0; l < own.size(); ++l)
        own[l] = static_cast<int>(l) % 3 + own[l] / 3 * 3;
      limbs.add(random, own);
    }
    limbs.add(random, {0, 1, 2, 0, 1, 2, 0, 1, 2, 0});  // an arm
    const Model model = limbs.build(trial % 3), plain = one_by_one(model);
    REQUIRE(count_abreast(model) == 4 * std::ssize(axes) * ((4 + trial % 6) / 4));
    const State state = random_state(random, model);
    Kinematics kin, expected;
    compute_kinematics(model, state.q, state.v, kin);
    compute_kinematics(plain, state.q, state.v, expected);
    std::vector<Pose> X_WL;
    compute_poses(model, state.q, X_WL);
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      const LinkKinematics &a = kin.links[i], &b = expected.links[i];
      CHECK(X_WL[i].R == a.X_WL.R);
      CHECK(X_WL[i].p == a.X_WL.p);
      pose.see(std::max(apart(a.X_WL.R, b.X_WL.R), apart(a.X_WL.p, b.X_WL.p)));
      motion.see(std::max({apart(a.w, b.w), apart(a.v_O, b.v_O), apart(a.alpha_O, b.alpha_O),
                           apart(a.a_O, b.a_O)}));
      inertia.see(std::max({std::abs(a.m - b.m), apart(a.h, b.h), apart(a.I, b.I)}));
    }
    axis.see(apart(kin.S, expected.S));
    VectorXd h, plain_h;
    bias_force(model, kin, h);
    bias_force(plain, expected, plain_h);
    bias.see(apart(h, plain_h));
    MassMatrix M, plain_M;
    compute_mass_matrix(model, kin, M);
    compute_mass_matrix(plain, expected, plain_M);
    mass.see(apart(M.dense(model), plain_M.dense(plain)));
    MassFactor factor, plain_factor;
    factor_mass_matrix(model, kin, M, factor);
    factor_mass_matrix(plain, expected, plain_M, plain_factor);
    VectorXd x = random.numbers(model.nv), plain_x = x;
    factor.solve(model, x);
    plain_factor.solve(plain, plain_x);
    solved.see((M.dense(model) * (x - plain_x)).norm() / (1.0 + (M.dense(model) * x).norm()));
    for (int i = 0; i < model.nv; ++i)
      root.see(
          std::abs(nth(factor.inverse_diagonal, i) / nth(plain_factor.inverse_diagonal, i) - 1.0));
    // What is added up in the same order has the same bits.
    CHECK(kinetic_energy(model, kin, state.v) == kinetic_energy(plain, kin, state.v));
    CHECK(potential_energy(model, kin) == potential_energy(plain, kin));
    for (int t = 0; t < static_cast<int>(model.trees.size()); ++t) {
      std::vector<double> y(static_cast<std::size_t>(nth(model.trees, t).nv));
      for (double& number : y) number = random.uniform(-1.0, 1.0);
      std::vector<double> plain_y = y;
      factor.apply_L(model, t, y);
      factor.apply_L(plain, t, plain_y);
      CHECK(y == plain_y);
      factor.solve_L(model, t, y);
      factor.solve_L(plain, t, plain_y);
      CHECK(y == plain_y);
    }
  }
  // Sums of a few dozen terms in another order.
  CHECK(pose.value() < 1e-14);
  CHECK(axis.value() < 1e-14);
  CHECK(inertia.value() < 1e-14);
  CHECK(bias.value() < 1e-13);
  CHECK(motion.value() < 1e-13);
  CHECK(mass.value() < 1e-14);
  CHECK(solved.value() < 1e-12);
  CHECK(root.value() < 1e-12);
}

TEST_CASE("a limb without mass is named, abreast or not") {
  Random random(613);
  Limbs limbs(random);
  for (int k = 0; k < 4; ++k) limbs.add(random, {0, 1, 1});
  Model model = limbs.build();
  REQUIRE(count_abreast(model) == 12);
  Kinematics kin;
  const State state = random_state(random, model);
  compute_kinematics(model, state.q, state.v, kin);
  MassMatrix M;
  compute_mass_matrix(model, kin, M);
  const Tree& tree = model.trees[0];
  nth(M.blocks, tree.mass_offset + 11 * (tree.nv + 1)) = -1.0;
  MassFactor factor;
  CHECK_THROWS_WITH_AS(factor_mass_matrix(model, kin, M, factor),
                       doctest::Contains(link_name(model, model.dof_link[11]).c_str()),
                       std::domain_error);
}

TEST_CASE("only limbs that are alike are put abreast") {
  Random random(612);
  const auto abreast = [&](const std::vector<std::vector<int>>& all) {
    Limbs limbs(random);
    for (const std::vector<int>& axes : all) limbs.add(random, axes);
    return count_abreast(limbs.build());
  };
  const std::vector<int> leg{0, 1, 1}, other{2, 1, 1}, longer{0, 1, 1, 1};
  CHECK(abreast({leg, leg, leg, leg}) == 12);
  CHECK(abreast({leg, leg, leg}) == 0);
  CHECK(abreast({leg, leg, leg, other}) == 0);
  CHECK(abreast({leg, leg, leg, longer}) == 0);
  CHECK(abreast({leg, other, leg, longer, leg, leg}) == 12);
  CHECK(abreast({other, leg, other, leg, other, leg, leg, other}) == 24);
  CHECK(abreast({{0}, {3}, {0}, {3}}) == 4);  // an axis and its opposite
  const std::vector<int> long_one(9, 0);
  CHECK(abreast({long_one, long_one, long_one, long_one}) == 0);
}
