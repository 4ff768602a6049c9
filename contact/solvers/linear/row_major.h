#pragma once

#include <Eigen/Core>

namespace pequod {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// A block of one contact.
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace pequod
