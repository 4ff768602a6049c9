#include "contact/quasistatic/random_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Draw {
  std::mt19937_64 generator;
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
};

// A contact on the boundary of a workpiece: at an angle, with a normal that leans by up to 0.5 rad.
void add_contact(Draw& draw, Index i, QuasistaticProblem& problem) {
  const double angle = draw(0.0, 2.0 * M_PI), radius = draw(0.5, 1.0);
  const Vector2d r = radius * Vector2d(std::cos(angle), std::sin(angle));
  const double inwards = angle + M_PI + draw(-0.5, 0.5);
  const Vector2d n(std::cos(inwards), std::sin(inwards)), t(-n.y(), n.x());
  problem.W_n.col(i) << n, r.x() * n.y() - r.y() * n.x();
  problem.W_t.col(i) << t, r.x() * t.y() - r.y() * t.x();
  // Of its finger's two joints; a map that is never near singular.
  const double turn = draw(0.0, 2.0 * M_PI);
  const Eigen::Matrix2d velocity = Eigen::Rotation2Dd(turn).toRotationMatrix() *
                                   Vector2d(draw(0.5, 1.5), draw(0.5, 1.5)).asDiagonal();
  problem.J_n.block(i, 2 * i, 1, 2) = n.transpose() * velocity;
  problem.J_t.block(i, 2 * i, 1, 2) = t.transpose() * velocity;
}

}  // namespace

QuasistaticProblem random_quasistatic(const RandomQuasistatic& options) {
  Draw draw{std::mt19937_64(options.seed)};
  const Index n_c = options.contacts, n_joints = 2 * n_c;
  QuasistaticProblem problem;
  problem.W_n = problem.W_t = MatrixXd(3, n_c);
  problem.J_n = problem.J_t = MatrixXd::Zero(n_c, n_joints);
  problem.friction.resize(n_c);
  VectorXd c_n(n_c), c_t(n_c), v(2 * n_c);
  const Vector3d q(draw(-1.0, 1.0), draw(-1.0, 1.0), draw(-1.0, 1.0));
  for (Index i = 0; i < n_c; ++i) {
    add_contact(draw, i, problem);
    problem.friction[i] = draw(0.0, options.friction);
    c_n[i] = draw(0.0, 1.0);
    c_t[i] = problem.friction[i] * c_n[i] * draw(-1.0, 1.0);
    v[i] = draw(0.0, 1.0);
    v[n_c + i] = draw(-1.0, 1.0);
  }
  // v = Wᵀq̇ − J θ̇.
  MatrixXd J(2 * n_c, n_joints), W(3, 2 * n_c);
  J << problem.J_n, problem.J_t;
  W << problem.W_n, problem.W_t;
  problem.joint_velocity = solve_square(J, VectorXd(W.transpose() * q - v));
  problem.object_load = -(problem.W_n * c_n + problem.W_t * c_t);
  // Efforts of the free joints are zero, so their loads are the reactions.
  problem.joint_effort = VectorXd::Zero(n_joints);
  problem.joint_load = -(problem.J_n.transpose() * c_n + problem.J_t.transpose() * c_t);
  problem.driven.assign(static_cast<std::size_t>(n_joints), 1);
  std::vector<std::size_t> joints(static_cast<std::size_t>(n_joints));
  std::iota(joints.begin(), joints.end(), 0);
  std::shuffle(joints.begin(), joints.end(), draw.generator);
  for (int j = 0; j < options.free_joints; ++j)
    problem.driven[joints[static_cast<std::size_t>(j)]] = 0;
  return problem;
}

}  // namespace pequod
