#include "contact/solvers/linear/gram_factor.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <algorithm>

#include "test/contact/solvers/sphere_rows.h"

namespace pequod {
namespace {

using test::random_vector;

// Against an orthogonal factor of the same rows. One object for all structures, and for subsets of
// their columns.
TEST_CASE("a sparse Gram factor finds the nearest point that an orthogonal factor finds") {
  std::mt19937_64 random(5);
  GramFactor factor;
  double worst_met = 0.0, worst_y = 0.0;
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double ratio = trial % 3 == 0 ? 1e3 : 1.0;
    const Eigen::MatrixXd G = test::sphere_rows(2 + trial % 4, 0.4, ratio, random);
    const SparseColumns columns = test::sparse(G);
    factor.set(columns);
    for (const double share : {1.0, 0.5}) {
      std::vector<char> wanted;
      std::vector<Eigen::Index> chosen;
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        wanted.push_back(random() % 1000 < 1000 * share ? 1 : 0);
        if (wanted.back()) chosen.push_back(j);
      }
      if (!factor.factorise(wanted)) continue;
      ++compared;
      const Eigen::VectorXd y0 = random_vector(G.rows(), random);
      const Eigen::VectorXd e = random_vector(G.cols(), random);
      Eigen::VectorXd y = y0, f;
      CHECK(factor.solve(columns, e, y, f) <= 1e-14);
      const Eigen::MatrixXd held = G(Eigen::all, chosen);
      const Eigen::VectorXd left = Eigen::VectorXd(e(chosen)) - held.transpose() * y0;
      const Eigen::VectorXd nearest =
          y0 + held.transpose().completeOrthogonalDecomposition().solve(left);
      worst_met = std::max(worst_met, (held.transpose() * y - e(chosen)).norm() / y.norm());
      worst_y = std::max(worst_y, (y - nearest).norm() / y.norm());
      CHECK((y0 + G * f - y).norm() <= 1e-13 * (y.norm() + f.norm()));
      for (Eigen::Index j = 0; j < G.cols(); ++j)
        if (!wanted[static_cast<std::size_t>(j)]) CHECK(f[j] == 0.0);
    }
  }
  CHECK(compared > 80);
  CHECK(worst_met <= 1e-14);
  CHECK(worst_y <= 1e-11);  // rows whose remainder is 1e-5 of them magnify rounding so
}

TEST_CASE("a sparse Gram factor tells rows that come near a combination of others") {
  std::mt19937_64 random(6);
  GramFactor factor;
  for (const double apart : {0.0, 1e-12, 1e-6}) {
    Eigen::MatrixXd G(30, 12);
    for (Eigen::Index j = 0; j < 11; ++j) G.col(j) = random_vector(30, random);
    G.col(11) = G.col(3) - 2.0 * G.col(7) + apart * random_vector(30, random);
    const SparseColumns columns = test::sparse(G);
    factor.set(columns);
    CHECK_FALSE(factor.factorise(std::vector<char>(12, 1)));
    CHECK(std::ranges::count(factor.dependent(), 1) == 1);
    // What is left is solved for all the same.
    Eigen::VectorXd y = random_vector(30, random), f;
    const Eigen::VectorXd e = G.transpose() * random_vector(30, random);
    CHECK(factor.solve(columns, e, y, f) <= 1e-14);
  }
  // 1e-3 apart they are told from each other.
  Eigen::MatrixXd G(30, 2);
  G.col(0) = random_vector(30, random);
  G.col(1) = G.col(0) + 1e-3 * random_vector(30, random);
  factor.set(test::sparse(G));
  CHECK(factor.factorise({1, 1}));
}

}  // namespace
}  // namespace pequod
