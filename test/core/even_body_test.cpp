// Bodies whose inertia is the same about all axes, told as such, against what holds for any body.
#include <doctest/doctest.h>

#include <span>

#include "core/dynamics.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// A ball of 1e-3 … 1e3 kg.
Model ball(Random& random) {
  const double mass = std::pow(10.0, random.uniform(-3.0, 3.0)),
               I = mass * random.uniform(0.1, 1.0);
  ModelBuilder builder;
  builder.add_free_body("ball", {mass, Vector3d::Zero(), I * Matrix3d::Identity()},
                        {{Sphere{0.1}, {}}});
  return builder.build();
}

/// M, L⁻ᵀ x, L⁻¹ x, L x and Lᵀ x of 1, and the bias.
std::vector<MatrixXd> terms_of(const Model& model, const State& state) {
  Kinematics kin;
  compute_kinematics(model, state.q, state.v, kin);
  MassMatrix M;
  compute_mass_matrix(model, kin, M);
  MassFactor factor;
  factor_mass_matrix(model, kin, M, factor);
  std::vector<MatrixXd> out{M.dense(model)};
  const auto with_each = [&](auto change) {
    MatrixXd& x = out.emplace_back(MatrixXd::Identity(6, 6));
    for (Eigen::Index k = 0; k < 6; ++k) change(std::span(x.col(k).data(), 6));
  };
  with_each([&](std::span<double> x) { factor.solve_L_transposed(model, 0, x); });
  with_each([&](std::span<double> x) { factor.solve_L(model, 0, x); });
  with_each([&](std::span<double> x) { factor.apply_L(model, 0, x); });
  with_each([&](std::span<double> x) { factor.apply_L_transposed(model, 0, x); });
  std::vector<Abreast> rows(6);
  for (std::size_t i = 0; i < 6; ++i) rows[i] = Abreast::Constant(static_cast<double>(i) + 1.0);
  factor.solve_L_transposed(model, 0, rows);
  MatrixXd& abreast = out.emplace_back(6, 4);
  for (Eigen::Index i = 0; i < 6; ++i) abreast.row(i) = nth(rows, i).transpose();
  VectorXd Mx;
  M.multiply(model, state.v, Mx);
  out.emplace_back(Mx);
  bias_force(model, kin, Mx);
  out.emplace_back(Mx);
  return out;
}

}  // namespace

// All are the same but for the rounding of an inertia that is turned to the world.
TEST_CASE("a ball has the M, factor and bias that it has as any body") {
  Random random(77);
  Worst apart;
  for (int trial = 0; trial < 100; ++trial) {
    const Model even = ball(random);
    REQUIRE(even.trees[0].even);
    Model any = even;
    any.trees[0].even = false;
    const State state = random_state(random, even);
    const std::vector<MatrixXd> a = terms_of(even, state), b = terms_of(any, state);
    for (std::size_t k = 0; k < a.size(); ++k)
      apart.see((a[k] - b[k]).norm() / b[k].norm() / (1.0 + state.v.squaredNorm()));
  }
  CHECK(apart.value() < 1e-14);
}

TEST_CASE("a body is even if its inertia is the same about all axes through its origin") {
  const auto is_even = [](const Inertia& inertia) {
    ModelBuilder builder;
    builder.add_free_body("body", inertia, {{Sphere{0.1}, {}}});
    return builder.build().trees[0].even;
  };
  const Matrix3d alike = 0.3 * Matrix3d::Identity();
  CHECK(is_even({1.0, Vector3d::Zero(), alike}));
  CHECK_FALSE(is_even({1.0, Vector3d(0.0, 1e-6, 0.0), alike}));
  CHECK_FALSE(is_even({1.0, Vector3d::Zero(), Vector3d(0.3, 0.3, 0.300001).asDiagonal()}));
}
