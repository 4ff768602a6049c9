#include "contact/solvers/least_distance/non_negative_least_squares.h"

#include <algorithm>
#include <vector>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

using Set = std::vector<Index>;

constexpr double kSmallest = 1e-15;  // of |b|: smaller slopes and entries of z are rounding

/// The column outside of the set along which |A z − b| falls fastest; −1 if none.
Index steepest(const MatrixXd& A, const VectorXd& b, const VectorXd& z, const Set& set,
               const std::vector<char>& barred) {
  VectorXd slope = A.transpose() * (b - A * z);
  for (const Index j : set) slope[j] = 0.0;
  Index best = -1;
  double steepest = kSmallest * b.norm();
  for (Index j = 0; j < slope.size(); ++j)
    if (slope[j] > steepest && !barred[j]) {
      steepest = slope[j];
      best = j;
    }
  return best;
}

/// Moves z towards the least squares of its set until that is reached; columns whose entry vanishes
/// on the way leave the set.
void settle(const MatrixXd& A, const VectorXd& b, double dependent, VectorXd& z, Set& set) {
  while (!set.empty()) {
    const MatrixXd columns = A(Eigen::all, set);
    const double threshold = dependent / columns.colwise().norm().maxCoeff();
    const VectorXd wanted = LeastNormFactor(columns, threshold).solve(b);
    const VectorXd now = z(set);
    double part = 1.0;
    for (Index j = 0; j < now.size(); ++j)
      if (wanted[j] <= 0.0)
        part = std::min(part, now[j] > 0.0 ? now[j] / (now[j] - wanted[j]) : 0.0);
    z(set) = now + part * (wanted - now);
    if (part == 1.0) return;
    const std::size_t before = set.size();
    std::erase_if(set, [&](Index j) { return z[j] <= kSmallest * b.norm(); });
    for (Index j = 0; j < z.size(); ++j)
      if (std::ranges::find(set, j) == set.end()) z[j] = 0.0;
    if (set.size() == before) return;  // only rounding keeps it from its goal
  }
}

}  // namespace

VectorXd solve_non_negative_least_squares(const MatrixXd& A, const VectorXd& b, double dependent) {
  VectorXd z = VectorXd::Zero(A.cols());
  Set set;
  std::vector<char> barred(static_cast<std::size_t>(A.cols()), 0);
  for (Index i = 0; i < 3 * A.cols() + 10; ++i) {
    const Index enters = steepest(A, b, z, set, barred);
    if (enters < 0) break;
    set.push_back(enters);
    settle(A, b, dependent, z, set);
    // A column that leaves at once depends on the others up to rounding; it may come back after
    // them.
    if (z[enters] > 0.0)
      std::fill(barred.begin(), barred.end(), 0);
    else
      barred[enters] = 1;
  }
  return z;
}

}  // namespace pequod
