#include "simulation/controllers/force_distribution.h"

#include <Eigen/Cholesky>

namespace pequod {
namespace {

constexpr int kComponents = 12;  // three components on four feet
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kComponents, kComponents>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kComponents, 1>;
using Map = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kComponents>;

bool in_cones(const Vector& f, double slope) {
  for (Eigen::Index i = 0; i < f.size(); i += 3)
    if (f.segment<2>(i).norm() > slope * f[i + 2]) return false;
  return true;
}

}  // namespace

Vector3d project_onto_cone(const Vector3d& f, double slope) {
  const double t = f.head<2>().norm(), n = f.z();
  if (t <= slope * n) return f;
  if (slope * t <= -n) return Vector3d::Zero();
  const double normal = (n + slope * t) / (1.0 + slope * slope);
  Vector3d on_cone;
  on_cone << f.head<2>() * (slope * normal / t), normal;
  return on_cone;
}

void distribute_wrench(const WrenchShare& share, std::span<Vector3d> forces) {
  const auto n = static_cast<Eigen::Index>(3 * share.arms.size());
  if (n == 0) return;
  Vector6d W, b;
  W << 1.0, 1.0, 3.0, 5.0, 5.0, 2.0;
  b << share.force, share.moment;
  Map A(6, n);
  for (std::size_t i = 0; i < share.arms.size(); ++i)
    A.middleCols<3>(static_cast<Eigen::Index>(3 * i)) << Matrix3d::Identity(), skew(share.arms[i]);
  A = W.asDiagonal() * A;
  Matrix H = A.transpose() * A;
  H.diagonal().array() += 1e-3;
  const Vector g = A.transpose() * W.cwiseProduct(b);

  Vector f = H.llt().solve(g);
  if (!in_cones(f, share.cone)) {
    // min ½fᵀHf − gᵀf + [z in the cones], f = z, u the scaled multiplier.
    constexpr double kRho = 0.3;
    constexpr int kIterations = 60;
    H.diagonal().array() += kRho;
    // Well conditioned, for every diagonal entry is above kRho; one product an iteration.
    const Matrix inverse = H.llt().solve(Matrix::Identity(n, n));
    Vector z = Vector::Zero(n), u = Vector::Zero(n);
    for (int k = 0; k < kIterations; ++k) {
      f = inverse.lazyProduct(Vector(g + kRho * (z - u)));
      for (Eigen::Index i = 0; i < n; i += 3)
        z.segment<3>(i) =
            project_onto_cone(Vector3d(f.segment<3>(i) + u.segment<3>(i)), share.cone);
      u += f - z;
    }
    f = z;
  }
  for (std::size_t i = 0; i < share.arms.size(); ++i)
    forces[i] = f.segment<3>(static_cast<Eigen::Index>(3 * i));
}

}  // namespace pequod
