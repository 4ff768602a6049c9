// Vectors, matrices and poses used everywhere. SI units, radians.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <cstddef>
#include <limits>

namespace pequod {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Element of a container by one of the signed numbers that name links, shapes and contacts, or by
/// an enumerator.
template <typename Container, typename Index>
[[nodiscard]] constexpr decltype(auto) nth(Container&& container, Index index) {
  return container[static_cast<std::size_t>(index)];
}

/// Position and orientation of a frame B in a frame A: X_AB maps p_B to p_A = R p_B + p.
struct Pose {
  Matrix3d R = Matrix3d::Identity();  ///< R_AB
  Vector3d p = Vector3d::Zero();      ///< m, origin of B in A

  /// X_AC = X_AB * X_BC.
  [[nodiscard]] Pose operator*(const Pose& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  [[nodiscard]] Vector3d operator*(const Vector3d& p_B) const { return R * p_B + p; }
  [[nodiscard]] Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// S with S x = a × x.
[[nodiscard]] inline Matrix3d skew(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

/// Rotation by roll (x), pitch (y), yaw (z) about fixed axes: Rz(yaw) Ry(pitch) Rx(roll).
[[nodiscard]] inline Matrix3d rotation_from_rpy(const Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) *
          Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

/// Rotation vector a (axis times angle, rad) to matrix.
[[nodiscard]] Matrix3d rotation_exp(const Vector3d& a);
/// Rotation vector to unit quaternion; exact to rounding down to |a| = 0.
[[nodiscard]] Quaterniond quaternion_exp(const Vector3d& a);

}  // namespace pequod
