// Columns with stretches, against the same numbers in a dense matrix.
#include "contact/column_buffer.h"

#include <doctest/doctest.h>

#include "test/support/random.h"

using namespace pequod;

TEST_CASE("columns are zero outside of their stretches whatever stood there before") {
  Random random(3);
  ColumnBuffer columns;
  for (int round = 0; round < 40; ++round) {
    const Eigen::Index m = 6 * (3 + round % 3);
    columns.reset(m);
    MatrixXd dense = MatrixXd::Zero(m, round % 4 == 3 ? 2 : 11);  // few and many numbers
    for (Eigen::Index i = 0; i < dense.cols(); ++i) {
      const Eigen::Index a = 6 * (i % 2), b = m - 6;
      const Stretches stretches =
          i % 3 == 0 ? Stretches{{{0, m}, {}}} : Stretches{{{a, a + 6}, {b, i % 5 ? m : b}}};
      auto column = columns.append(stretches);
      for (const auto& [begin, end] : stretches)
        column.segment(begin, end - begin) = random.numbers(end - begin);
      if (i % 4 == 0) column.segment(stretches[0].begin, 2).setZero();
      for (const auto& [begin, end] : stretches)
        dense.col(i).segment(begin, end - begin) = column.segment(begin, end - begin);
    }
    CAPTURE(round);
    CHECK(columns.matrix() == dense);
    const VectorXd y = random.numbers(m);
    ColumnBuffer copies;
    copies.reset(m);
    SparseColumns sparse;
    sparse.reset(m);
    for (Eigen::Index i = 0; i < dense.cols(); ++i) {
      CHECK(columns.dot(i, y) == doctest::Approx(dense.col(i).dot(y)).epsilon(1e-13));
      CHECK(columns.squared_norm(i) == doctest::Approx(dense.col(i).squaredNorm()).epsilon(1e-13));
      copies.append(columns, i);
      append_column(columns, i, sparse);
      CHECK(sparse.dot(static_cast<int>(i), y.data()) ==
            doctest::Approx(dense.col(i).dot(y)).epsilon(1e-13));
    }
    CHECK(copies.matrix() == dense);
  }
}
