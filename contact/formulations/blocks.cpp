#include "contact/formulations/blocks.h"

#include <algorithm>

namespace pequod {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

LcpProblem falling_block(double height, double speed, double g, double h) {
  const double scale = 1.0 / (h * h);
  return {MatrixXd::Constant(1, 1, scale),
          VectorXd::Constant(1, -scale * (height + h * speed - g * h * h))};
}

LcpProblem forward_block(const SlidingBlock& block, double h) {
  return {MatrixXd::Constant(1, 1, 1.0 / h),
          VectorXd::Constant(1, -block.speed / h - block.push + block.bound)};
}

LcpProblem two_way_block(const Vector2d& speed, double push, double bound, double h) {
  const double forward = (speed[0] - speed[1]) / h + push;
  return {MatrixXd::Identity(2, 2) / h, Vector2d(-forward + bound, forward + bound)};
}

LcpProblem direct_block_that_fails(const SlidingBlock& block, double h) {
  LcpProblem problem{MatrixXd::Zero(3, 3), VectorXd(3)};
  problem.M(0, 1) = problem.M(1, 0) = -h;
  problem.M(2, 0) = problem.M(2, 1) = -1.0;
  const double free = block.speed + h * block.push;
  problem.q << free, -free, block.bound;
  return problem;
}

LcpProblem traditional_block(const SlidingBlock& block) {
  LcpProblem problem{MatrixXd(3, 3), VectorXd(3)};
  problem.M << 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 0.0;
  const double free = block.speed + block.push;
  problem.q << free, -free, block.bound;
  return problem;
}

MlcpProblem mixed_block(const SlidingBlock& block) {
  MlcpProblem problem{MatrixXd(4, 4), VectorXd(4), {1, 0, 0, 0}};
  problem.M << -1.0, 1.0, -1.0, 0.0,  //
      1.0, 0.0, 0.0, 1.0,             //
      -1.0, 0.0, 0.0, 1.0,            //
      0.0, -1.0, -1.0, 0.0;
  problem.q << block.speed + block.push, 0.0, 0.0, block.bound;
  return problem;
}

double traditional_speed(const SlidingBlock& block, const VectorXd& z) {
  return block.speed + block.push + z[0] - z[1];
}

double coulomb_speed(const SlidingBlock& block, double h) {
  const double free = block.speed + h * block.push;
  return free - std::clamp(free, -h * block.bound, h * block.bound);
}

}  // namespace pequod
