#pragma once

#include <Eigen/Core>

namespace pequod {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace pequod
