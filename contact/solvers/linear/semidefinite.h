#pragma once

#include <Eigen/Core>

namespace pequod {

/// True if |M − Mᵀ| ≤ 10⁻¹² max |Mᵢⱼ| and no diagonal entry is negative. What else makes M positive
/// semidefinite, a factor must tell.
[[nodiscard]] bool may_be_semidefinite(const Eigen::MatrixXd& M);

}  // namespace pequod
