// The data sets of Pang, Trinkle & Lo (1994, sec. 5).
#pragma once

#include "contact/quasistatic/problem.h"

namespace pequod {

/// @param set  1…4
inline QuasistaticProblem pang_data_set(int set) {
  Eigen::MatrixXd P(6, 3);
  Eigen::VectorXd rates(6);
  const bool odd = set == 1 || set == 3;
  if (odd)
    P << 0.966, 0.259, 0.0, 0.0, 1.0, 0.24, -0.707, 0.707, 0.75, -0.259, 0.966, -2.0, -1.0, 0.0,
        -1.45, -0.707, -0.707, -1.9;
  else
    P << 0.804, 0.595, 1.04, -0.707, 0.707, -3.5, -0.973, -0.232, 14.0, -0.595, 0.804, -20.9,
        -0.707, -0.707, -17.9, 0.232, -0.973, -7.63;
  if (set == 1) rates << 0.1, 0.995, 0.1, -0.995, 0.1, 0.995;
  if (set == 3) rates << -0.161, 0.987, 0.995, 0.1, -0.774, -0.633;
  if (!odd) rates << 0.92, -0.391, 0.9276, -0.3747, 0.9306, -0.367;
  QuasistaticProblem problem;
  problem.W_n = P.topRows(3).transpose();
  problem.W_t = P.bottomRows(3).transpose();
  problem.J_n = problem.J_t = Eigen::MatrixXd::Zero(3, 6);
  for (int i = 0; i < 3; ++i) problem.J_n(i, 2 * i) = problem.J_t(i, 2 * i + 1) = 1.0;
  problem.driven.assign(6, 1);
  problem.joint_velocity = rates;
  problem.joint_effort = problem.joint_load = Eigen::VectorXd::Zero(6);
  problem.object_load = Eigen::Vector3d(0.0, -1.0, 0.0);
  problem.friction = odd        ? Eigen::Vector3d(0.5, 0.5, 0.3)
                     : set == 2 ? Eigen::Vector3d(0.1, 0.4, 0.3)
                                : Eigen::Vector3d(0.7, 0.9, 0.9);
  return problem;
}

}  // namespace pequod
