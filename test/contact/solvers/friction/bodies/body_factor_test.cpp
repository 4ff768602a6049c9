#include "contact/solvers/friction/bodies/body_factor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact/solvers/linear/block_kernels.h"
#include "test/contact/solvers/body_packing.h"

namespace pequod {
namespace {

// (I + GᵀCG) x, contact by contact.
Eigen::VectorXd apply(const ScaledBodies& problem, const std::vector<double>& C,
                      const Eigen::VectorXd& x) {
  Eigen::VectorXd sum = x;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    Eigen::Vector3d u;
    contact_speed(contact, x.data(), u.data());
    u -= Eigen::Map<const Eigen::Vector3d>(contact.b.data());
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> own(
        C.data() + 9 * static_cast<std::size_t>(i));
    const Eigen::Vector3d given = own * u;
    add_impulse(contact, given.data(), sum.data());
  }
  return sum;
}

}  // namespace

// A positive definite symmetric part: Eigen's inverse, which pivots, is the truth.
TEST_CASE("a block of a body is inverted in place, symmetric or not") {
  constexpr int kSide = block_side(kBodyWidth);
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> chance(-1.0, 1.0);
  double worst = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    using Square = Eigen::Matrix<double, kBodyWidth, kBodyWidth>;
    const Square root =
        Square::NullaryExpr([&](Eigen::Index, Eigen::Index) { return chance(random); });
    Square A = Square::Identity() + 3.0 * root * root.transpose();
    if (trial % 2 == 1) A += root - root.transpose();
    Eigen::Matrix<double, kSide, kBodyWidth> block = decltype(block)::Zero();
    block.topRows<kBodyWidth>() = A;
    invert_block(block.data());
    CHECK(block.bottomRows<kSide - kBodyWidth>().isZero(0.0));
    worst = std::max(worst, (block.topRows<kBodyWidth>() - A.inverse()).norm());
  }
  CHECK(worst < 1e-12);
}

// Weights from 1e-3 to 1e3, so that 1e-11 is what a stable factor leaves of the right side.
TEST_CASE("the factor of bodies that touch solves its system, symmetric or not") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> chance(-1.0, 1.0);
  const auto draw = [&](Eigen::Index) { return chance(random); };
  for (const int points : {1, 4})
    for (const bool symmetric : {true, false}) {
      CAPTURE(points);
      CAPTURE(symmetric);
      ScaledBodies problem;
      scale_bodies(test::body_packing({.edge = 4, .points = points}, random), problem);
      std::vector<double> C;
      for (int i = 0; i < problem.n(); ++i) {
        const Eigen::Matrix3d root = Eigen::Matrix3d::NullaryExpr(
            [&](Eigen::Index, Eigen::Index) { return chance(random); });
        Eigen::Matrix3d own = root * root.transpose();
        if (!symmetric) own += Eigen::Matrix3d(root - root.transpose());
        own *= std::pow(10.0, 3.0 * chance(random));
        for (int k = 0; k < 9; ++k) C.push_back(own(k / 3, k % 3));
      }
      Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(problem.y_free.size(), draw), z;
      x.tail<kBodyWidth>().setZero();
      Eigen::VectorXd right = apply(problem, C, x);
      right.tail<kBodyWidth>().setZero();
      const Eigen::VectorXd asked = right;
      BodyFactor factor;
      factor.analyse(problem);
      factor.factorise(problem, C, symmetric);
      factor.solve(right, z);
      Eigen::VectorXd told = apply(problem, C, right);
      told.tail<kBodyWidth>().setZero();
      CHECK((told - asked).norm() <= 1e-11 * asked.norm());
      CHECK((right - x).norm() <= 1e-8 * x.norm());
    }
}

}  // namespace pequod
