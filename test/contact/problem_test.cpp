#include "contact/problem.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/articulated.h"
#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// Normal and tangents of a contact; a joint limit has one direction.
int directions(const Contact& contact) { return is_joint_limit(contact.key) ? 1 : 3; }

Vector3d direction(const Contact& contact, int k) {
  return k == 0 ? contact.n_W : k == 1 ? contact.s_W : contact.t_W;
}

/// The same model weightless and at rest: forward dynamics is then M⁻¹ τ.
VectorXd inverse_mass_times(const Scene& scene, const VectorXd& tau) {
  Model model = scene.model;
  model.gravity.setZero();
  const Kinematics kin = kinematics_of(model, scene.state.q, VectorXd::Zero(model.nv));
  ArticulatedBody body;
  compute_articulated(model, kin, body);
  VectorXd vdot;
  forward_dynamics(model, kin, body, tau, vdot);
  return vdot;
}

/// Change of v by a unit impulse on b, and its reaction on a, along direction k.
VectorXd test_impulse(const Scene& scene, const ArticulatedBody& body, const Contact& contact,
                      int k) {
  const Model& model = scene.model;
  if (is_joint_limit(contact.key)) {
    const int dof = nth(model.links, contact.link_b).joint.v_index;
    return inverse_mass_times(scene, contact.sign * VectorXd::Unit(model.nv, dof));
  }
  VectorXd on_a, on_b;
  const Vector3d d = direction(contact, k);
  impulse_response(model, scene.kin, body, contact.link_b, contact.p_W, d, on_b);
  impulse_response(model, scene.kin, body, contact.link_a, contact.p_W, -d, on_a);
  return on_a + on_b;
}

/// All rows N, S, T over all coordinates, by point Jacobians.
MatrixXd dense_rows(const Scene& scene, const std::vector<int>& contacts) {
  const Model& model = scene.model;
  std::vector<VectorXd> rows;
  for (const int index : contacts) {
    const Contact& contact = nth(scene.contacts, index);
    if (is_joint_limit(contact.key)) {
      const int dof = nth(model.links, contact.link_b).joint.v_index;
      rows.emplace_back(contact.sign * VectorXd::Unit(model.nv, dof));
      continue;
    }
    MatrixXd A, B;
    point_jacobian(model, scene.kin, contact.link_a, contact.p_W, A);
    point_jacobian(model, scene.kin, contact.link_b, contact.p_W, B);
    for (int k = 0; k < 3; ++k) rows.emplace_back((B - A).transpose() * direction(contact, k));
  }
  MatrixXd out(static_cast<Eigen::Index>(rows.size()), model.nv);
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Eigen::Index>(i)) = rows[i];
  return out;
}

/// The same rows from the island's problem, and its columns read off after test impulses.
MatrixXd problem_columns(const Scene& scene, std::size_t i) {
  const ContactProblem& problem = scene.problems[i];
  std::vector<VectorXd> columns;
  for (int k = 0; k < problem.n; ++k) {
    columns.emplace_back(problem.normals.col(k));
    if (nth(problem.limit, k)) continue;
    columns.emplace_back(problem.tangents.col(2 * k));
    columns.emplace_back(problem.tangents.col(2 * k + 1));
  }
  MatrixXd G(problem.m, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) G.col(static_cast<Eigen::Index>(k)) = columns[k];
  return G;
}

MatrixXd response_by_impulses(const Scene& scene, const Island& island, Eigen::Index size) {
  ArticulatedBody body;
  compute_articulated(scene.model, scene.kin, body);
  MatrixXd A(size, size);
  Eigen::Index column = 0;
  for (const int from : island.contacts) {
    const Contact& source = nth(scene.contacts, from);
    for (int k = 0; k < directions(source); ++k, ++column) {
      const VectorXd dv = test_impulse(scene, body, source, k);
      const Kinematics kin = kinematics_of(scene.model, scene.state.q, dv);
      Eigen::Index row = 0;
      for (const int to : island.contacts) {
        const Contact& contact = nth(scene.contacts, to);
        A(row++, column) = normal_velocity(scene.model, kin, contact, dv);
        for (int l = 1; l < directions(contact); ++l)
          A(row++, column) =
              direction(contact, l).dot(relative_velocity(scene.model, kin, contact));
      }
    }
  }
  return A;
}

/// max |ΔA_ij| / √(A_ii A_jj).
double relative(const MatrixXd& off, const MatrixXd& A) {
  const VectorXd unit = A.diagonal().cwiseSqrt().cwiseInverse();
  return (unit.asDiagonal() * off * unit.asDiagonal()).cwiseAbs().maxCoeff();
}

Scene crates(int count) {
  Scene scene;
  Random random(61);
  ModelBuilder builder;
  for (int i = 0; i < count; ++i)
    builder.add_free_body("crate" + std::to_string(i), random_inertia(random), {});
  scene.model = builder.build();
  scene.state = random_state(random, scene.model);
  return scene;
}

}  // namespace

TEST_CASE("A = GᵀG is the answer to test impulses and equals N M⁻¹ Nᵀ") {
  Random random(62);
  Worst impulses, dense;
  int islands = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Scene scene = random_scene(random);
    for (std::size_t i = 0; i < scene.islands.size(); ++i) {
      ++islands;
      const MatrixXd G = problem_columns(scene, i);
      const MatrixXd A = G.transpose() * G;
      const MatrixXd N = dense_rows(scene, scene.islands[i].contacts);
      dense.see(relative(A - N * scene.M.llt().solve(N.transpose()), A));
      impulses.see(relative(A - response_by_impulses(scene, scene.islands[i], G.cols()), A));
    }
  }
  MESSAGE(islands << " islands: impulses " << impulses.value() << ", dense " << dense.value());
  CHECK(impulses.value() < 1e-12);  // both are off by ε times the growth in M⁻¹
  CHECK(dense.value() < 1e-12);
}

TEST_CASE("the rows read velocities: Gᵀy = N v, joint limits included") {
  Random random(63);
  Worst worst;
  for (int trial = 0; trial < 300; ++trial) {
    const Scene scene = random_scene(random);
    for (std::size_t i = 0; i < scene.islands.size(); ++i) {
      const ContactProblem& problem = scene.problems[i];
      const VectorXd speeds = normal_speeds(problem, problem.y);
      for (int k = 0; k < problem.n; ++k) {
        const Contact& contact = nth(scene.contacts, nth(scene.islands[i].contacts, k));
        const VectorXd& v = scene.state.v;
        worst.see(std::abs(speeds[k] - normal_velocity(scene.model, scene.kin, contact, v)));
        const bool limit = is_joint_limit(contact.key);
        CHECK(limit == bool(nth(problem.limit, k)));
        const Vector3d slip =
            limit ? Vector3d::Zero() : relative_velocity(scene.model, scene.kin, contact);
        worst.see(std::abs(problem.tangents.col(2 * k).dot(problem.y) - slip.dot(contact.s_W)));
        worst.see(std::abs(problem.tangents.col(2 * k + 1).dot(problem.y) - slip.dot(contact.t_W)));
      }
    }
  }
  MESSAGE("Gᵀy - N v " << worst.value() << " m/s");
  CHECK(worst.value() < 1e-12);  // speeds up to 20 m/s through L and L⁻ᵀ
}

TEST_CASE("two piles on one floor are two islands, and a free crate is in none") {
  Scene scene = crates(6);
  const Vector3d o = Vector3d::Zero(), z = Vector3d::UnitZ();
  // Pile 5 on 1 on the floor; pile 4 on 3 on 0 on the floor; 2 flies.
  scene.contacts = {touch(-1, 0, o, z, 0), touch(1, 5, o, z, 1), touch(-1, 1, o, z, 2),
                    touch(3, 4, o, z, 3),  touch(0, 3, o, z, 4), touch(4, -1, o, z, 5)};
  pose(scene);
  REQUIRE(scene.islands.size() == 2);
  CHECK(scene.islands[0].trees == std::vector<int>{0, 3, 4});
  CHECK(scene.islands[0].contacts == std::vector<int>{0, 3, 4, 5});
  CHECK(scene.islands[0].m == 18);
  CHECK(scene.islands[1].trees == std::vector<int>{1, 5});
  CHECK(scene.islands[1].contacts == std::vector<int>{1, 2});
  CHECK(scene.tree_offset == std::vector<int>{0, 0, -1, 6, 12, 6});

  // One contact between the piles joins them.
  scene.contacts.push_back(touch(5, 4, o, z, 6));
  pose(scene);
  REQUIRE(scene.islands.size() == 1);
  CHECK(scene.islands[0].trees == std::vector<int>{0, 1, 3, 4, 5});

  scene.contacts.clear();
  pose(scene);
  CHECK(scene.islands.empty());
}

TEST_CASE(
    "islands take their coordinates out and put them back; L and its solves undo each other") {
  Random random(64);
  Worst worst;
  for (int trial = 0; trial < 50; ++trial) {
    const Scene scene = random_scene(random);
    VectorXd back = scene.state.v;
    for (std::size_t i = 0; i < scene.islands.size(); ++i) {
      const Island& island = scene.islands[i];
      VectorXd part, x, u;
      gather(scene.model, island, scene.state.v, part);
      x = u = part;
      island_apply_L(scene.model, scene.factor, island, x);
      worst.see(std::abs(x.norm() - scene.problems[i].y.norm()));
      island_solve_L(scene.model, scene.factor, island, x);
      worst.see((x - part).norm());
      // x·L⁻¹u = L⁻ᵀx·u.
      VectorXd w = part.reverse(), lw = w;
      island_solve_L(scene.model, scene.factor, island, lw);
      island_solve_L_transposed(scene.model, scene.factor, island, u);
      worst.see(std::abs(part.dot(lw) - u.dot(w)) /
                (part.norm() * lw.norm() + u.norm() * w.norm()));
      scatter(scene.model, island, -x, back);
    }
    VectorXd expected = scene.state.v;
    for (std::size_t t = 0; t < scene.model.trees.size(); ++t)
      if (const Tree& tree = scene.model.trees[t];
          !scene.islands.empty() && scene.tree_offset[t] >= 0)
        expected.segment(tree.first_v, tree.nv) *= -1.0;
    worst.see((back - expected).norm());
  }
  MESSAGE("islands " << worst.value());
  CHECK(worst.value() < 1e-12);  // ε |L⁻¹||L|
}

TEST_CASE("tangents are orthonormal, right-handed, and depend on the normal alone") {
  Random random(65);
  Worst worst;
  for (int trial = 0; trial < 1000; ++trial) {
    // Every tenth normal along an axis, where ties must break alike.
    const Vector3d n = trial % 10 ? random.unit() : Vector3d::Unit(trial / 10 % 3);
    Contact a = touch(-1, 0, Vector3d::Zero(), n, 0), b = touch(3, 4, n, n, 7);
    CHECK(a.s_W == b.s_W);
    Matrix3d R;
    R << a.s_W, a.t_W, n;
    worst.see((R.transpose() * R - Matrix3d::Identity()).norm());
    CHECK(R.determinant() > 0.0);
  }
  CHECK(worst.value() < 2e-15);
  const Contact floor = touch(-1, 0, Vector3d::Zero(), Vector3d::UnitZ(), 0);
  CHECK(floor.s_W == Vector3d::UnitX());
  CHECK(floor.t_W == Vector3d::UnitY());
}
