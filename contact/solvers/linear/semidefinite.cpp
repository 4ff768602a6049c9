#include "contact/solvers/linear/semidefinite.h"

#include <algorithm>
#include <cmath>

namespace pequod {

bool may_be_semidefinite(const Eigen::MatrixXd& M) {
  double size = 0, difference = 0;
  for (Eigen::Index j = 0; j < M.cols(); ++j) {
    if (M(j, j) < 0) return false;
    for (Eigen::Index i = 0; i < j; ++i) {
      size = std::max(size, std::abs(M(i, j)));
      difference = std::max(difference, std::abs(M(i, j) - M(j, i)));
    }
  }
  return difference <= 1e-12 * size;
}

}  // namespace pequod
