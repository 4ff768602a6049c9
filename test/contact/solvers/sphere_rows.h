// Normals of balls that touch, as sparse columns.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "contact/solvers/linear/sparse_columns.h"

namespace pequod::test {

/// Normals of balls on edge³ disturbed places, masses 1 to `ratio`, on a floor: each pair of
/// neighbours touches with the chance `closed`. Three coordinates a ball, y = √m v.
inline Eigen::MatrixXd sphere_rows(int edge, double closed, double ratio, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::normal_distribution<double> normal;
  const int balls = edge * edge * edge;
  Eigen::VectorXd weight(balls);  // 1/√m
  for (double& w : weight) w = std::pow(ratio, -0.5 * unit(random));
  Eigen::MatrixXd G(3 * balls, 4 * balls);
  Eigen::Index n = 0;
  const auto touch = [&](int a, int b, int axis) {
    if (unit(random) > closed) return;
    Eigen::Vector3d direction =
        0.2 * Eigen::Vector3d(normal(random), normal(random), normal(random));
    direction[axis] += 1.0;
    direction.normalize();
    G.col(n).setZero();
    if (a >= 0) G.col(n).segment<3>(3 * a) = -weight[a] * direction;
    G.col(n++).segment<3>(3 * b) = weight[b] * direction;
  };
  for (int i = 0; i < balls; ++i) {
    const int x = i % edge, y = i / edge % edge, z = i / (edge * edge);
    if (x > 0) touch(i - 1, i, 0);
    if (y > 0) touch(i - edge, i, 1);
    touch(z > 0 ? i - edge * edge : -1, i, 2);
  }
  return G.leftCols(n);
}

inline SparseColumns sparse(const Eigen::MatrixXd& G) {
  SparseColumns columns;
  columns.reset(G.rows());
  for (Eigen::Index j = 0; j < G.cols(); ++j) columns.append(G.col(j).data());
  return columns;
}

inline Eigen::VectorXd random_vector(Eigen::Index size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd x(size);
  for (double& value : x) value = normal(random);
  return x;
}

}  // namespace pequod::test
