// Accelerations of contacts that slide, where the forces that keep them are not unique.
#include "contact/sliding_rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace pequod {
namespace {

// One contact that sticks, then contacts that only push, with more columns than held rows; forces
// that do what is asked lie well inside the cones.
struct Patch {
  std::vector<ForceCone> cones{{ForceCone::Kind::cone, 0.4}, {}, {}, {}, {}};
  MatrixXd G, C;
  VectorXd y, e, f;  // f: forces in the cones that do it
  HeldRows rows;

  explicit Patch(std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> push(0.1, 2.0);
    const auto draw = [&](Eigen::Index m, Eigen::Index n) {
      return MatrixXd(MatrixXd::NullaryExpr(m, n, [&] { return normal(random); }));
    };
    G = draw(8, 4);
    C = draw(8, 7);
    y = draw(8, 1);
    f = VectorXd::NullaryExpr(7, [&] { return push(random); });
    f.segment(1, 2) = 0.3 * f[0] * Eigen::Vector2d(normal(random), normal(random)).normalized();
    e = G.transpose() * (y + C * f);
    rows.reset(8);
    for (int j = 0; j < 4; ++j) REQUIRE(rows.add(G.col(j)));
  }
};

// Written apart from the solver's: the nearest force in the cones.
VectorXd nearest_in_cones(VectorXd f, double mu) {
  const double n = f[0], t = std::hypot(f[1], f[2]);
  if (mu * t <= -n)
    f.head(3).setZero();
  else if (t > mu * n) {
    const double s = (n + mu * t) / (1.0 + mu * mu);
    f.head(3) << s, mu * s * f[1] / t, mu * s * f[2] / t;
  }
  for (Eigen::Index i = 3; i < f.size(); ++i) f[i] = std::max(0.0, f[i]);
  return f;
}

// The least force that keeps the rows in the cones by Dykstra's alternating projections.
VectorXd least_force(const Patch& patch) {
  const MatrixXd W = patch.G.transpose() * patch.C;
  const VectorXd a = patch.e - patch.G.transpose() * patch.y;
  const auto inverse = W.completeOrthogonalDecomposition();
  VectorXd x = VectorXd::Zero(7), p = x;
  for (int i = 0; i < 200000; ++i) {
    const VectorXd on_rows = x + inverse.solve(a - W * x);
    x = nearest_in_cones(on_rows + p, 0.4);
    p += on_rows - x;
  }
  return x;
}

}  // namespace

TEST_CASE("of forces that are not unique the least in the cones are taken") {
  std::mt19937 random(4);
  int plain = 0, in_cones = 0;
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    const Patch patch(random);
    SlidingRows sliding;
    SlidingRows::Forces out;
    ConeForceBuffers buffers;
    VectorXd y = patch.y;
    sliding.factor(patch.rows, patch.C, VectorXd());
    sliding.solve(patch.rows, patch.C, patch.e, y, out);
    const bool inside = (nearest_in_cones(out.f, 0.4) - out.f).norm() < 1e-12;
    const VectorXd before = y;
    sliding.solve_in_cones(patch.C, patch.cones, y, out, buffers);
    if (inside) CHECK(y == before);
    ++(inside ? plain : in_cones);
    // 1e-11: the cone problem's last penalty, 1e-12, over the conditioning of so small a patch.
    CHECK((patch.G.transpose() * y - patch.e).norm() <= 1e-11 * patch.e.norm());
    CHECK((nearest_in_cones(out.f, 0.4) - out.f).norm() <= 1e-9 * out.f.norm());
    CHECK((patch.y + patch.C * out.f - y).norm() <= 1e-12 * y.norm());
    CHECK((least_force(patch) - out.f).norm() <= 1e-5 * out.f.norm());  // Dykstra's method is slow
    // A column that the forces know pulls as its force says: that of a contact that pushes.
    for (Eigen::Index j = 3; j < 7; ++j)
      CHECK(std::max(0.0, SlidingRows::load(patch.rows, out, patch.C.col(j))) ==
            doctest::Approx(out.f[j]).epsilon(1e-8));
  }
  CHECK(plain >= 5);
  CHECK(in_cones >= 20);
}

// What a locked link that is hit asks of the friction of its joint: rounding. Divided by itself it
// had made forces of 1e64 N.
TEST_CASE("a row that forces move by rounding alone is left to itself") {
  for (const double rounding : {1e-16, 1e-40, 1e-119}) {
    CAPTURE(rounding);
    // Two forces, so that the second row, were it real, would be independent of the first.
    MatrixXd G = MatrixXd::Zero(3, 2), C = MatrixXd::Zero(3, 2);
    G(0, 0) = G(1, 1) = 1.0;
    C.row(0) << 1.4, 0.7;
    C.row(1) << rounding, 3.0 * rounding;
    HeldRows rows;
    rows.reset(3);
    for (int j = 0; j < 2; ++j) REQUIRE(rows.add(G.col(j)));
    SlidingRows sliding;
    SlidingRows::Forces out;
    VectorXd y = VectorXd::Zero(3);
    sliding.factor(rows, C, VectorXd());
    sliding.solve(rows, C, Eigen::Vector2d(2.8, 3.0), y, out);
    // The least forces with 1.4 f₀ + 0.7 f₁ = 2.8.
    CHECK(out.f[0] == doctest::Approx(1.6).epsilon(1e-14));
    CHECK(out.f[1] == doctest::Approx(0.8).epsilon(1e-14));
    CHECK(out.unmet == doctest::Approx(3.0).epsilon(1e-14));
  }
}

}  // namespace pequod
