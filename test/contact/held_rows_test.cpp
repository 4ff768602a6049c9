#include "contact/solvers/linear/held_rows.h"

#include <doctest/doctest.h>

#include <Eigen/QR>

#include "contact/solvers/linear/decompositions.h"
#include "test/support/random_tree.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// Columns of very different length, some of them combinations of others.
struct Columns {
  MatrixXd G;
  VectorXd e;  ///< consistent: e = Gᵀ x for some x
  std::vector<char> repeated;
  int rank = 0;
};

Columns random_columns(Random& random, Eigen::Index m, int n) {
  Columns out;
  out.G.resize(m, n);
  for (int i = 0; i < n; ++i) {
    const bool repeat = i > 0 && random.uniform(0.0, 1.0) < 0.3;
    out.G.col(i) = repeat ? VectorXd(out.G.leftCols(i) * random.numbers(i)) : random.numbers(m);
    out.G.col(i) *= std::exp(random.uniform(-7.0, 7.0)) / out.G.col(i).norm();
    out.repeated.push_back(repeat || out.rank == m);
    if (!out.repeated.back()) ++out.rank;
  }
  out.e = out.G.transpose() * random.numbers(m);
  return out;
}

HeldRows hold(const MatrixXd& G) {
  HeldRows held;
  held.reset(G.rows());
  for (Eigen::Index i = 0; i < G.cols(); ++i) held.add(G.col(i));
  return held;
}

}  // namespace

TEST_CASE("held rows are met, by the nearest velocity, with multipliers that lead there") {
  Random random(71);
  Worst met, multipliers, nearest;
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Index m = 1 + trial % 30;
    const int n = static_cast<int>(random.uniform(0.0, static_cast<double>(m) + 3.0));
    const Columns columns = random_columns(random, m, n);
    const HeldRows held = hold(columns.G);
    REQUIRE(held.rank() == columns.rank);
    const VectorXd y = random.numbers(m);
    VectorXd after = y, f;
    held.solve(columns.e, after, f);
    REQUIRE(f.size() == n);
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      CHECK(bool(held.accepted()[k]) != bool(columns.repeated[k]));
      if (columns.repeated[k]) CHECK(f[i] == 0.0);
      const double length = columns.G.col(i).norm();
      const double off = std::abs(columns.G.col(i).dot(after) - columns.e[i]) / length;
      if (!columns.repeated[k]) met.see(off / (1.0 + after.norm()));
    }
    const double size = 1.0 + columns.G.colwise().norm().dot(f.cwiseAbs().transpose());
    multipliers.see((y + columns.G * f - after).norm() / size);
    // Nearest: the same by a complete orthogonal decomposition.
    const MatrixXd unit = columns.G * columns.G.colwise().norm().cwiseInverse().asDiagonal();
    const VectorXd rest = (columns.e - columns.G.transpose() * y)
                              .cwiseQuotient(columns.G.colwise().norm().transpose());
    // The threshold as of HeldRows: repeated columns repeat up to rounding only.
    const LeastNormFactor oracle(unit.transpose(), 1e-9);
    if (n > 0) nearest.see((oracle.solve(rest) + y - after).norm() / (1.0 + after.norm()));
  }
  MESSAGE("met " << met.value() << ", multipliers " << multipliers.value() << ", nearest "
                 << nearest.value());
  CHECK(met.value() < 1e-13);
  CHECK(multipliers.value() < 1e-13);
  // Random rows have condition numbers up to 1e3, and both methods share that loss.
  CHECK(nearest.value() < 1e-10);
}

// As of bodies in a pile: each row is that of two of them, and many repeat others.
TEST_CASE("rows of many bodies are met by the nearest velocity, zero blocks or not") {
  Random random(73);
  Worst met, multipliers, nearest;
  for (int trial = 0; trial < 30; ++trial) {
    // Fewer than coordinates: as many would be ill-conditioned by chance, and the rank a matter of
    // order.
    const int bodies = 10 + trial, rows = 4 * bodies;
    const Eigen::Index m = 6 * bodies;
    MatrixXd G = MatrixXd::Zero(m, rows);
    for (int i = 0; i < rows; ++i) {
      if (i % 5 == 4) {  // repeated
        G.col(i) = -2.0 * G.col(i / 2);
        continue;
      }
      const int a = static_cast<int>(random.uniform(0.0, bodies - 1.0));
      const int b = static_cast<int>(random.uniform(0.0, bodies - 1.0));
      // Every third row of a body by itself, as on the ground; half a body's coordinates at times.
      const Eigen::Index length = i % 2 == 0 ? 3 : 6;
      G.block(6 * a, i, length, 1) = random.numbers(length);
      if (i % 3 != 0) G.block(6 * b, i, length, 1) = random.numbers(length);
    }
    const HeldRows held = hold(G);
    const VectorXd e = G.transpose() * random.numbers(m), y = random.numbers(m);
    VectorXd after = y, f;
    held.solve(e, after, f);
    met.see((G.transpose() * after - e).norm() / e.norm());
    multipliers.see((y + G * f - after).norm() / (1.0 + f.norm()));
    const LeastNormFactor oracle(G.transpose(), 1e-9);
    CHECK(held.rank() == oracle.rank());
    CHECK(held.rank() <= rows - rows / 5);
    nearest.see((oracle.solve(VectorXd(e - G.transpose() * y)) + y - after).norm());
    VectorXd part(held.rank());
    held.measure(after, part);
    CHECK(part.norm() <= after.norm() * (1.0 + 1e-12));
  }
  MESSAGE("met " << met.value() << ", multipliers " << multipliers.value() << ", nearest "
                 << nearest.value());
  // Random rows have condition numbers up to 1e4.
  CHECK(met.value() < 1e-11);
  CHECK(multipliers.value() < 1e-11);
  CHECK(nearest.value() < 1e-9);
}

TEST_CASE("projecting twice is projecting once, what is lost is orthogonal to what is kept") {
  Random random(72);
  Worst held_rows, again, orthogonal;
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Index m = 1 + trial % 30;
    const int n = static_cast<int>(random.uniform(0.0, static_cast<double>(m) + 3.0));
    const Columns columns = random_columns(random, m, n);
    const HeldRows held = hold(columns.G);
    const VectorXd y = random.numbers(m);
    VectorXd once = y;
    held.project(once);
    VectorXd twice = once;
    held.project(twice);
    again.see((twice - once).norm());
    orthogonal.see(std::abs((y - once).dot(once)));
    for (int i = 0; i < n; ++i)
      if (!nth(columns.repeated, i))
        held_rows.see(std::abs(columns.G.col(i).dot(once)) / columns.G.col(i).norm());
  }
  MESSAGE("rows " << held_rows.value() << ", again " << again.value() << ", orthogonal "
                  << orthogonal.value());
  CHECK(held_rows.value() < 1e-13);  // |y| is at most 5
  CHECK(again.value() < 1e-13);
  CHECK(orthogonal.value() < 1e-13);
}

TEST_CASE("nearly equal rows are told apart down to 1e-9 of their length, and both are met") {
  for (const double angle : {1e-3, 1e-6, 1e-8}) {
    HeldRows held;
    held.reset(3);
    CHECK(held.add(Vector3d(1, 0, 0)));
    CHECK(held.add(Vector3d(1, angle, 0)));
    VectorXd y = Vector3d(1, 2, 3), f;
    held.solve(Eigen::Vector2d(0.5, 0.5 + 0.25 * angle), y, f);
    CHECK(std::abs(y[0] - 0.5) < 1e-13);
    CHECK(std::abs(y[0] + angle * y[1] - 0.5 - 0.25 * angle) < 1e-13);
    CHECK(y[2] == 3.0);
  }
  HeldRows held;
  held.reset(3);
  CHECK(held.add(Vector3d(1, 0, 0)));
  CHECK_FALSE(held.add(Vector3d(1, 1e-10, 0)));
  CHECK_FALSE(held.add(Vector3d(-3, 0, 0)));
  CHECK_FALSE(held.add(Vector3d::Zero()));
  CHECK(held.rank() == 1);
  CHECK(held.accepted() == std::vector<char>{1, 0, 0, 0});
}

// Against the inverse, as the rows are a base.
TEST_CASE("rows that hold every coordinate leave nothing of what was there, to the bit") {
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::Index m = 1 + trial % 12;
    MatrixXd G(m, m);
    for (Eigen::Index j = 0; j < m; ++j) G.col(j) = random.numbers(m);
    const HeldRows held = hold(G);
    if (held.rank() < m) continue;
    const VectorXd before = random.numbers(m), e = random.numbers(m);
    VectorXd y = before, f;
    held.solve(VectorXd::Zero(m), y, f);
    CHECK(y.isZero(0.0));
    CHECK((G * f + before).norm() < 1e-12 * (1.0 + f.norm() * G.norm()));
    y = before;
    held.project(y);
    CHECK(y.isZero(0.0));
    y = before;
    held.solve(e, y, f);
    CHECK((G.transpose() * y - e).norm() < 1e-13 * (1.0 + y.norm() * G.norm()));
  }
}

TEST_CASE("without rows nothing changes, and a reset forgets the rows before it") {
  HeldRows held;
  held.reset(4);
  for (int i = 0; i < 4; ++i) CHECK(held.add(VectorXd::Unit(4, i)));
  CHECK_FALSE(held.add(VectorXd::Ones(4)));
  held.reset(2);
  CHECK(held.rank() == 0);
  VectorXd y = Eigen::Vector2d(1, 2), f;
  held.solve(VectorXd(), y, f);
  CHECK(y == Eigen::Vector2d(1, 2));
  CHECK(f.size() == 0);
  CHECK(held.add(Eigen::Vector2d(0, 5)));
  held.project(y);
  CHECK(y == Eigen::Vector2d(1, 0));
}

TEST_CASE("the leading columns of a factor are the factor of the leading columns") {
  Random random(72);
  for (int trial = 0; trial < 100; ++trial) {
    const Eigen::Index m = 2 + trial % 40;
    const Eigen::Index all = 1 + static_cast<Eigen::Index>(random.uniform(0.0, double(m)));
    const Eigen::Index leading = 1 + static_cast<Eigen::Index>(random.uniform(0.0, double(all)));
    MatrixXd G(m, all);
    for (Eigen::Index i = 0; i < all; ++i) G.col(i) = random.numbers(m);
    HeldRows taken = hold(MatrixXd::Identity(m, m));  // what is there before does not matter
    REQUIRE(taken.take_leading(hold(G), leading));
    VectorXd y = random.numbers(m), f;
    VectorXd expected_y = y, expected_f;
    const VectorXd e = random.numbers(leading);
    taken.solve(e, y, f);
    hold(G.leftCols(leading)).solve(e, expected_y, expected_f);
    CHECK(y == expected_y);
    CHECK(f == expected_f);
  }
  HeldRows none;
  none.reset(3);
  CHECK_FALSE(none.take_leading(none, 1));
}
