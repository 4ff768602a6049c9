// What the random problems are drawn from.
#pragma once

#include <Eigen/Dense>
#include <random>

namespace pequod::test {

inline double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// low and high may be drawn too.
inline int integer(std::mt19937_64& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

/// Entries of mean 0 and variance 1.
inline Eigen::MatrixXd normal(std::mt19937_64& random, int rows, int columns) {
  std::normal_distribution<double> distribution;
  Eigen::MatrixXd result(rows, columns);
  for (double& x : result.reshaped()) x = distribution(random);
  return result;
}

}  // namespace pequod::test
