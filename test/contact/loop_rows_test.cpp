#include "contact/loop_rows.h"

#include <doctest/doctest.h>

#include <Eigen/QR>

#include "core/loop.h"
#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

constexpr std::array kTypes{LoopType::spherical, LoopType::revolute, LoopType::prismatic,
                            LoopType::fixed};

/// Two random robots with loops inside, between and to the world, closed as they stand, some of
/// them given twice, and contacts anywhere.
Scene random_rings(Random& random, int trial) {
  Scene scene;
  ModelBuilder builder(random.vector(10.0));
  builder.add_robot("r", random_robot(random, {.links = 5 + trial % 9}), trial % 2 == 0,
                    random.pose(1.0), false);
  builder.add_robot("s", random_robot(random, {.links = 4}), false, {}, false);
  scene.model = builder.build();
  Model& model = scene.model;
  scene.state = random_state(random, model);
  std::vector<Pose> X_WL;
  compute_poses(model, scene.state.q, X_WL);
  const auto any_link = [&](int least) {
    return static_cast<int>(
        std::floor(random.uniform(least, static_cast<double>(model.links.size()) - 1e-9)));
  };
  for (int i = 0; i < 1 + trial % 3; ++i) {
    Loop loop;
    loop.type = nth(kTypes, (trial + i) % 4);
    loop.link_b = any_link(0);
    do loop.link_a = any_link(-1);
    while (loop.link_a == loop.link_b);
    const Pose X_WA = loop.link_a < 0 ? Pose{} : nth(X_WL, loop.link_a);
    loop.X_AK = random.pose(0.3);
    loop.X_BK = nth(X_WL, loop.link_b).inverse() * X_WA * loop.X_AK;
    model.loops.push_back(loop);
    if (i == 1) model.loops.push_back(loop);
  }
  for (int i = 0; i < 3; ++i)
    scene.contacts.push_back(touch(-1, any_link(0), random.vector(0.5), random.unit(), i));
  pose(scene);
  return scene;
}

/// Jacobian of all loops, J̇ v behind it, from frame Jacobians and their rates in world axes.
struct LoopJacobian {
  MatrixXd J;
  VectorXd rate;
};
LoopJacobian dense_loops(const Scene& scene) {
  const Model& model = scene.model;
  const VectorXd& v = scene.state.v;
  LoopJacobian out{MatrixXd(0, model.nv), VectorXd(0)};
  for (const Loop& loop : model.loops) {
    const auto pose_of = [&](int link) {
      return link < 0 ? Pose{} : nth(scene.kin.links, link).X_WL;
    };
    const Vector3d p = pose_of(loop.link_b) * loop.X_BK.p;
    const Matrix3d axes = pose_of(loop.link_a).R * loop.X_AK.R;
    MatrixXd Ja, Jb, Ra, Rb;
    frame_jacobian(model, scene.kin, loop.link_a, p, Ja);
    frame_jacobian(model, scene.kin, loop.link_b, p, Jb);
    frame_jacobian_rate(model, scene.kin, loop.link_a, p, Ra);
    frame_jacobian_rate(model, scene.kin, loop.link_b, p, Rb);
    const Vector6d speed = (Jb - Ja) * v;
    const Vector3d w_a = (Ja * v).head<3>();
    for (int d = 0; d < kLoopDirections; ++d) {
      if (!nth(held_directions(loop.type), d)) continue;
      const Vector3d e = axes.col(d % 3);
      const int first = d < 3 ? 3 : 0;
      out.J.conservativeResize(out.J.rows() + 1, Eigen::NoChange);
      out.J.bottomRows<1>() = e.transpose() * (Jb - Ja).middleRows<3>(first);
      // Along an axis that turns with A; the point of A that is passed changes along a slide, and
      // with it its velocity by ω_A × (slip).
      const Vector3d slip = d < 3 ? Vector3d(w_a.cross(speed.tail<3>())) : Vector3d::Zero();
      out.rate.conservativeResize(out.rate.size() + 1);
      out.rate[out.rate.size() - 1] = e.dot((Rb - Ra).middleRows<3>(first) * v - slip) +
                                      w_a.cross(e).dot(speed.segment<3>(first));
    }
  }
  return out;
}

/// x with M x − Jᵀλ = f and J x = e, of the least λ: the textbook's system.
VectorXd solve_kkt(const MatrixXd& M, const MatrixXd& J, const VectorXd& f, const VectorXd& e) {
  const Eigen::Index n = M.rows(), k = J.rows();
  MatrixXd K = MatrixXd::Zero(n + k, n + k);
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, k) = -J.transpose();
  K.bottomLeftCorner(k, n) = J;
  VectorXd right(n + k);
  right << f, e;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
  solver.setThreshold(1e-11);
  return solver.compute(K).solve(right).head(n);
}

/// The state's velocity with the rate of the loops removed.
void stop_loops(Scene& scene) {
  const MatrixXd J = dense_loops(scene).J;
  scene.state.v = solve_kkt(scene.M, J, scene.M * scene.state.v, VectorXd::Zero(J.rows()));
  pose(scene);
}

VectorXd unconstrained(const Scene& scene, const VectorXd& tau) {
  VectorXd h;
  bias_force(scene.model, scene.kin, h);
  return tau - h;
}

}  // namespace

TEST_CASE("looped trees accelerate as the textbook's dense system says") {
  Random random(501);
  Worst apart, gap;
  for (int trial = 0; trial < 200; ++trial) {
    Scene scene = random_rings(random, trial);
    stop_loops(scene);
    const LoopJacobian loops = dense_loops(scene);
    const VectorXd force = unconstrained(scene, scene.state.tau);
    const VectorXd expected = solve_kkt(scene.M, loops.J, force, -loops.rate);
    VectorXd vdot = scene.M.llt().solve(force), e;
    for (std::size_t k = 0; k < scene.islands.size(); ++k) {
      const Island& island = scene.islands[k];
      ContactProblem& problem = scene.problems[k];
      gather_metric(scene.model, scene.factor, island, vdot, problem.y);
      loop_rates(scene.model, scene.kin, island, e);
      hold_loops(e, problem);
      scatter_metric(scene.model, scene.factor, island, problem.y, vdot);
    }
    apart.see((vdot - expected).norm() / expected.norm());
    gap.see((loops.J * vdot + loops.rate).norm() / expected.norm());
  }
  MESSAGE("apart " << apart.value() << ", loops " << gap.value());
  CHECK(apart.value() < 1e-10);
  CHECK(gap.value() < 1e-10);
}

// A weld between the two links of a joint holds one coordinate, wherever the robot is: of a hinge
// the three rows of the point on its axis are rounding, which their own length does not tell.
TEST_CASE("a weld of a joint's links is one row") {
  Random random(504);
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    Scene scene;
    ModelBuilder builder(random.vector(10.0));
    builder.add_robot("r", random_robot(random, {.links = 4}), trial % 2 == 0, random.pose(10.0),
                      false);
    scene.model = builder.build();
    scene.state = random_state(random, scene.model);
    std::vector<Pose> X_WL;
    compute_poses(scene.model, scene.state.q, X_WL);
    const Link& link = scene.model.links.back();
    Loop loop;
    loop.type = trial % 3 == 0 ? LoopType::revolute : LoopType::fixed;
    loop.link_a = link.parent;
    loop.link_b = static_cast<int>(scene.model.links.size()) - 1;
    const Pose X_WA = link.parent < 0 ? Pose{} : nth(X_WL, link.parent);
    loop.X_BK.R = random.pose(0.0).R;
    loop.X_AK = X_WA.inverse() * X_WL.back() * loop.X_BK;
    scene.model.loops.push_back(loop);
    pose(scene);
    // A revolute loop leaves one axis free, which is none of a hinge's.
    const int turns = loop.type == LoopType::fixed ? 3 : 2;
    const int expected = link.joint.type == JointType::spherical ? turns : 1;
    for (const ContactProblem& problem : scene.problems)
      if (!problem.loops.accepted().empty()) CHECK(problem.loops.rank() == expected);
  }
}

// The same island once its loops are gone, in the storage of before.
TEST_CASE("a problem keeps no loops of the one that it held before") {
  Random random(505);
  for (int trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    Scene scene = random_rings(random, trial);
    for (std::size_t k = 0; k < scene.islands.size(); ++k) {
      Island open = scene.islands[k];
      open.loops.clear();
      ContactProblem fresh;
      for (ContactProblem* problem : {&scene.problems[k], &fresh})
        assemble_rows(scene.model, scene.kin, scene.factor, scene.contacts, open, scene.tree_offset,
                      *problem);
      CHECK(scene.problems[k].loops.accepted().empty());
      CHECK(scene.problems[k].normals.matrix() == fresh.normals.matrix());
      CHECK(scene.problems[k].tangents.matrix() == fresh.tangents.matrix());
    }
  }
}

TEST_CASE("impulses at contacts move a looped tree as the textbook's dense system says") {
  Random random(502);
  Worst apart;
  for (int trial = 0; trial < 200; ++trial) {
    Scene scene = random_rings(random, trial);
    stop_loops(scene);
    const MatrixXd J = dense_loops(scene).J;
    VectorXd after = scene.state.v, impulse = VectorXd::Zero(scene.model.nv);
    for (std::size_t k = 0; k < scene.islands.size(); ++k) {
      const Island& island = scene.islands[k];
      const ContactProblem& problem = scene.problems[k];
      const VectorXd fn = random.numbers(problem.n), ft = random.numbers(2 * problem.n);
      VectorXd y = problem.y + problem.normals.matrix() * fn + problem.tangents.matrix() * ft;
      scatter_metric(scene.model, scene.factor, island, y, after);
      for (int i = 0; i < problem.n; ++i) {
        const Contact& contact = nth(scene.contacts, nth(island.contacts, i));
        const Vector3d p =
            fn[i] * contact.n_W + ft[2 * i] * contact.s_W + ft[2 * i + 1] * contact.t_W;
        add_point_row(scene.model, scene.kin, contact.link_b, contact.p_W, p, 1.0, impulse);
        add_point_row(scene.model, scene.kin, contact.link_a, contact.p_W, p, -1.0, impulse);
      }
    }
    const VectorXd expected =
        solve_kkt(scene.M, J, scene.M * scene.state.v + impulse, VectorXd::Zero(J.rows()));
    apart.see((after - expected).norm() / expected.norm());
  }
  MESSAGE("apart " << apart.value());
  CHECK(apart.value() < 1e-10);
}

// N v̇ + Ṅ v ≥ 0 is asked of the motion, whatever part of it the loops make: what is left of the
// rows and the conditions must say the same.
TEST_CASE("what loops leave of a contact's condition is the condition") {
  Random random(503);
  Worst apart;
  for (int trial = 0; trial < 200; ++trial) {
    Scene scene = random_rings(random, trial);
    VectorXd e;
    for (std::size_t k = 0; k < scene.islands.size(); ++k) {
      const Island& island = scene.islands[k];
      ContactProblem& problem = scene.problems[k];
      const VectorXd bias = random.numbers(problem.n);
      problem.c = -bias;
      problem.y = random.numbers(problem.m);
      loop_rates(scene.model, scene.kin, island, e);
      hold_loops(e, problem);
      VectorXd y = problem.y, v = VectorXd::Zero(scene.model.nv);
      if (problem.n > 0) y += problem.normals.matrix() * random.numbers(problem.n);
      const VectorXd left = problem.normals.matrix().transpose() * y - problem.c;
      scatter_metric(scene.model, scene.factor, island, y, v);
      for (int i = 0; i < problem.n; ++i) {
        if (problem.normals.col(i).isZero(0.0)) continue;
        const Contact& contact = nth(scene.contacts, nth(island.contacts, i));
        VectorXd row = VectorXd::Zero(scene.model.nv);
        add_point_row(scene.model, scene.kin, contact.link_b, contact.p_W, contact.n_W, 1.0, row);
        add_point_row(scene.model, scene.kin, contact.link_a, contact.p_W, contact.n_W, -1.0, row);
        apart.see(std::abs(row.dot(v) + bias[i] - left[i]) / (1.0 + v.norm()));
      }
    }
  }
  MESSAGE("apart " << apart.value());
  CHECK(apart.value() < 1e-10);
}
