#include "contact/formulations/point_mass.h"

namespace pequod {
namespace {

using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector4d;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, 4, 2>;

// Rows of n, d₁, d₂ and of γ, which no direction belongs to.
Rows directions() {
  Rows G;
  G << 0.0, 1.0,  //
      1.0, 0.0,   //
      -1.0, 0.0,  //
      0.0, 0.0;
  return G;
}

// How the multipliers act on each other: γ on the friction rows, the cone in the last row.
Matrix4d coupling(double friction) {
  Matrix4d F = Matrix4d::Zero();
  F(1, 3) = F(2, 3) = 1.0;
  F.row(3) << friction, -1.0, -1.0, 0.0;
  return F;
}

// Constants of the rows: e n·v in that of the normal.
Vector4d rebound(const PointMass& body) {
  return {body.restitution * body.velocity.y(), 0.0, 0.0, 0.0};
}

// M v + forces.
Vector2d momentum(const PointMass& body) {
  return body.mass * body.velocity + body.push - Vector2d(0.0, body.mass * body.g);
}

PointMassStep step_of(const Vector4d& z, const Vector2d& velocity) {
  return {z[0], z.segment<2>(1), z[3], velocity};
}

}  // namespace

MlcpProblem anitescu_point_mass(const PointMass& body) {
  MlcpProblem problem{MatrixXd::Zero(6, 6), VectorXd(6), {1, 1, 0, 0, 0, 0}};
  const Rows G = directions();
  problem.M.topLeftCorner<2, 2>().diagonal().setConstant(body.mass);
  problem.M.topRightCorner<2, 4>() = -G.transpose();
  problem.M.bottomLeftCorner<4, 2>() = G;
  problem.M.bottomRightCorner<4, 4>() = coupling(body.friction);
  problem.q << -momentum(body), rebound(body);
  return problem;
}

BelbutePeresForm belbute_peres_point_mass(const PointMass& body) {
  return {body.mass * Eigen::Matrix2d::Identity(), -momentum(body), directions(),
          coupling(body.friction), rebound(body)};
}

MlcpProblem as_mixed(const BelbutePeresForm& form) {
  MlcpProblem problem{MatrixXd(6, 6), VectorXd(6), {1, 1, 0, 0, 0, 0}};
  problem.M << form.M, form.G.transpose(), -form.G, form.F;
  problem.q << -form.q, form.m;
  return problem;
}

LcpProblem eliminated_point_mass(const PointMass& body) {
  const Rows G = directions();
  return {G * G.transpose() / body.mass + coupling(body.friction),
          G * momentum(body) / body.mass + rebound(body)};
}

PointMassStep anitescu_step(const VectorXd& z) { return step_of(z.tail<4>(), z.head<2>()); }

PointMassStep belbute_peres_step(const VectorXd& x_z) {
  return step_of(x_z.tail<4>(), -x_z.head<2>());
}

PointMassStep eliminated_step(const PointMass& body, const VectorXd& z) {
  const Vector2d velocity = (momentum(body) + directions().transpose() * z) / body.mass;
  return step_of(z, velocity);
}

}  // namespace pequod
