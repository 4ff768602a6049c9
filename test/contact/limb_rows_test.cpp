// Contacts at the ends of limbs: rows four abreast, and their factor by blocks.
#include "contact/solvers/linear/limb_rows.h"

#include <doctest/doctest.h>

#include "contact/limb_contacts.h"
#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// A robot whose limbs of three joints have axes of any direction, and a point on each of `feet`
/// of them that touches the world.
Scene on_feet(Random& random, int limbs, int feet) {
  Robot robot;
  robot.links.push_back(random_link(random, "trunk"));
  for (int k = 0; k < 3 * limbs; ++k) {
    const std::string name = "link" + std::to_string(k);
    robot.links.push_back(random_link(random, name));
    RobotJoint joint;
    joint.name = "to_" + name;
    joint.child = name;
    joint.parent = k % 3 == 0 ? "trunk" : "link" + std::to_string(k - 1);
    joint.type = RobotJointType::revolute;
    joint.X_PJ.p = random.vector(0.3);
    joint.axis = random.unit();
    robot.joints.push_back(joint);
  }
  Scene scene;
  ModelBuilder builder;
  builder.add_robot("robot", robot, false, Pose{}, true);
  scene.model = builder.build();
  scene.state = random_state(random, scene.model);
  compute_kinematics(scene.model, scene.state.q, scene.state.v, scene.kin);
  for (int i = 0; i < feet; ++i) {
    const int link = 3 * i + 3;
    const Vector3d p = nth(scene.kin.links, link).X_WL * random.vector(0.3);
    scene.contacts.push_back(i % 3 == 2 ? touch(link, -1, p, random.unit(), i)
                                        : touch(-1, link, p, random.unit(), i));
  }
  pose(scene);
  return scene;
}

MatrixXd all_rows(const ContactProblem& problem) {
  MatrixXd G(problem.m, 3 * problem.n);
  G << problem.normals.matrix(), problem.tangents.matrix();
  return G;
}

}  // namespace

TEST_CASE("rows of contacts at limbs are those of points, and the same bits as one by one") {
  Random random(501);
  Worst of_points;
  for (int trial = 0; trial < 200; ++trial) {
    const int limbs = 1 + trial % 7, feet = 1 + trial % limbs;
    Scene scene = on_feet(random, limbs, feet);
    REQUIRE(scene.problems.size() == 1);
    const ContactProblem problem = scene.problems[0];
    REQUIRE(problem.limbs.contacts() == feet);
    CHECK(are_on_limbs(scene.model, scene.contacts));
    // Mᵀ's factor: G = L⁻ᵀ Jᵀ, so GᵀG = J M⁻¹ Jᵀ, by another way to J.
    MatrixXd J(3 * feet, scene.model.nv), point;
    for (int i = 0; i < feet; ++i) {
      const Contact& c = nth(scene.contacts, i);
      const int link = std::max(c.link_a, c.link_b);
      point_jacobian(scene.model, scene.kin, link, c.p_W, point);
      if (c.link_a >= 0) point = -point;
      J.row(i) = c.n_W.transpose() * point;
      J.row(feet + 2 * i) = c.s_W.transpose() * point;
      J.row(feet + 2 * i + 1) = c.t_W.transpose() * point;
    }
    const MatrixXd A = J * scene.M.llt().solve(J.transpose()), G = all_rows(problem);
    of_points.see((G.transpose() * G - A).norm() / A.norm());
    // A contact of the trunk beside them: each contact by itself.
    scene.contacts.push_back(
        touch(-1, 0, scene.kin.links[0].X_WL * random.vector(0.3), random.unit(), feet));
    pose(scene);
    REQUIRE(scene.problems[0].limbs.contacts() == 0);
    CHECK_FALSE(are_on_limbs(scene.model, scene.contacts));
    CHECK(scene.problems[0].normals.matrix().leftCols(feet) == problem.normals.matrix());
    CHECK(scene.problems[0].tangents.matrix().leftCols(2 * feet) == problem.tangents.matrix());
    CHECK(std::ranges::equal(
        problem.patch, std::span(scene.problems[0].patch).first(static_cast<std::size_t>(feet))));
  }
  CHECK(of_points.value() < 1e-11);  // of Cholesky's factor of a random M
}

TEST_CASE("two contacts on one limb, limits and contacts of two bodies are no contacts at limbs") {
  Random random(502);
  Scene scene = on_feet(random, 4, 2);
  const std::vector<Contact> feet = scene.contacts;
  const auto at_limbs = [&](const Contact& other) {
    scene.contacts = feet;
    scene.contacts.push_back(other);
    pose(scene);
    return scene.problems[0].limbs.contacts() > 0 || are_on_limbs(scene.model, scene.contacts);
  };
  const Vector3d n = Vector3d::UnitZ();
  CHECK(at_limbs(touch(-1, 9, Vector3d::Zero(), n, 2)));        // a third foot
  CHECK_FALSE(at_limbs(touch(-1, 6, Vector3d::Zero(), n, 2)));  // again on the second
  CHECK_FALSE(at_limbs(touch(-1, 8, Vector3d::Zero(), n, 2)));  // a thigh
  CHECK_FALSE(at_limbs(touch(9, 12, Vector3d::Zero(), n, 2)));  // two feet
  CHECK_FALSE(at_limbs(at_limit(9, true)));
  // Where another limb is long, L has no rows to read.
  scene.model.trees[0].first_spatial = 0;
  scene.model.spatial_rows = scene.model.nv;
  CHECK_FALSE(at_limbs(touch(-1, 9, Vector3d::Zero(), n, 2)));
}

// Judged by orthonormal rows, of which the factor knows nothing.
TEST_CASE("the factor by blocks solves as an orthonormal basis does") {
  Random random(503);
  Worst y, f, met, left, told;
  int factored = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const int limbs = 1 + trial % 7;
    Scene scene = on_feet(random, limbs, 1 + trial % limbs);
    ContactProblem& problem = scene.problems[0];
    if (!problem.limbs.factor()) continue;
    ++factored;
    const MatrixXd G = all_rows(problem);
    HeldRows held;
    held.reset(problem.m);
    for (Eigen::Index j = 0; j < G.cols(); ++j) REQUIRE(held.add(G.col(j)));
    const VectorXd e = trial % 3 == 0 ? VectorXd(VectorXd::Zero(G.cols()))
                                      : VectorXd(G.transpose() * random.numbers(problem.m));
    VectorXd found = problem.y, expected = problem.y, force, force_of_basis;
    problem.limbs.solve(e, found, force);
    held.solve(e, expected, force_of_basis);
    y.see((found - expected).norm() / problem.y.norm());
    f.see((force - force_of_basis).norm() / (1.0 + force_of_basis.norm()));
    // What is left of the answer is rounding; of another one it is what that is off by.
    const VectorXd none = VectorXd::Zero(G.cols());
    VectorXd moved = problem.y;
    problem.limbs.solve(none, moved, force);
    const LimbRows::Residuals right = problem.limbs.measure(problem.y, moved, force);
    left.see(std::max({right.speed, right.work, right.left}));
    VectorXd off = random.numbers(problem.m);
    off.tail(problem.m - 6 - 3 * problem.n).setZero();  // limbs that touch nothing
    const auto tell = [&](double measured, double truth) {
      told.see(std::abs(measured - truth) / truth);
    };
    const LimbRows::Residuals wrong = problem.limbs.measure(problem.y, moved + off, force);
    const VectorXd speeds = G.transpose() * (moved + off);
    tell(wrong.left, off.norm());
    tell(wrong.speed, speeds.cwiseQuotient(G.colwise().norm().transpose()).norm());
    tell(wrong.work, force.head(problem.n).cwiseProduct(speeds.head(problem.n)).norm());
    met.see((G.transpose() * found - e)
                .cwiseAbs()
                .cwiseQuotient(G.colwise().norm().transpose() * problem.y.norm())
                .maxCoeff());
  }
  CHECK(factored > 250);
  // Rows are independent to 1e-3 of their lengths, so that rounding grows by as much at most.
  CHECK(y.value() < 1e-12);
  CHECK(f.value() < 1e-10);
  CHECK(met.value() < 1e-12);
  CHECK(left.value() < 1e-12);
  CHECK(told.value() < 1e-9);
}

TEST_CASE("limbs that are stretched are not factored, whichever of them") {
  Random random(504);
  for (int k = 0; k < 5; ++k) {
    LimbRows rows;
    std::vector<LimbRows::Four>& fours = rows.resize(5);
    for (LimbRows::Four& four : fours) {
      for (auto& entry : four.B) entry.fill(0.0);
      for (std::size_t d = 0; d < 9; ++d) four.D[d].fill(d % 4 == 0 ? 1.0 : 0.0);
      four.first.fill(6);
    }
    REQUIRE(rows.factor());
    nth(nth(rows.resize(5), k / 4).D[8], k % 4) = random.uniform(0.0, 1e-3);
    CHECK_FALSE(rows.factor());
  }
}

// The default method for cones, which knows nothing of limbs, on the same problem.
TEST_CASE(
    "contacts at limbs that stick within their cones have the velocities and the forces of "
    "Coulomb's law") {
  Random random(505);
  Worst y, fn, ft;
  int at_once = 0, otherwise = 0;
  ContactWorkspace workspace;
  for (int trial = 0; trial < 400; ++trial) {
    Scene scene = on_feet(random, 4, 1 + trial % 4);
    ContactProblem& problem = scene.problems[0];
    problem.friction.assign(static_cast<std::size_t>(problem.n), random.uniform(0.3, 2.0));
    problem.force.setZero(3 * problem.n);
    problem.step = 1e-3;
    // Pressed more or less, so that all, some or none of the contacts stick.
    problem.y -= random.uniform(0.0, 6.0) * problem.normals.matrix().rowwise().sum();
    ContactSolution expected, found;
    const ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
    solve_coulomb_cones(problem, solver, {}, workspace, expected);
    REQUIRE(expected.status == SolveStatus::solved);
    problem.has_basis = problem.limbs.factor();
    if (!problem.has_basis) continue;
    solve_coulomb_cones(problem, solver, {}, workspace, found);
    REQUIRE(found.status == SolveStatus::solved);
    const auto sticks = [](char one) { return one != 0; };
    const bool all = std::ranges::all_of(found.sticking, sticks) && found.pivots == 0;
    ++(all ? at_once : otherwise);
    if (!all) continue;
    CHECK(found.sticking == expected.sticking);
    y.see((found.y - expected.y).norm() / problem.y.norm());
    fn.see((found.fn - expected.fn).norm() / (1.0 + expected.fn.norm()));
    ft.see((found.ft - expected.ft).norm() / (1.0 + expected.ft.norm()));
  }
  CHECK(at_once > 30);
  CHECK(otherwise > 30);
  CHECK(y.value() < 1e-9);
  CHECK(fn.value() < 1e-9);
  CHECK(ft.value() < 1e-9);
}
