// The words of Eigen that all rooms here use, as core/types.h has them for the others.
#pragma once

#include <Eigen/Dense>

namespace pequod {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace pequod
