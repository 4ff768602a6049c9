#include "test/contact/solvers/random_friction.h"

#include <array>
#include <cmath>

#include "contact/solvers/linear/decompositions.h"
#include "test/contact/solvers/random_numbers.h"

namespace pequod::test {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kGravity = 9.81, kStep = 1e-3;  // m/s², s

/// Even in the logarithm.
double spread(std::mt19937_64& random, double low, double high) {
  return std::exp(uniform(random, std::log(low), std::log(high)));
}

Vector3d normal3(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}

Matrix3d skew(const Vector3d& a) {
  Matrix3d result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

/// n, then two tangents turned at random.
Matrix3d frame(std::mt19937_64& random, const Vector3d& n) {
  Matrix3d R;
  const Vector3d a = n.unitOrthogonal(), b = n.cross(a);
  const double angle = uniform(random, 0, 2 * M_PI);
  R.row(0) = n;
  R.row(1) = std::cos(angle) * a + std::sin(angle) * b;
  R.row(2) = -std::sin(angle) * a + std::cos(angle) * b;
  return R;
}

/// Velocity of point p of a free body at the origin, [ω; v].
Eigen::Matrix<double, 3, 6> point_rows(const Vector3d& p) {
  Eigen::Matrix<double, 3, 6> rows;
  rows << -skew(p), Matrix3d::Identity();
  return rows;
}

/// Twice the kinetic energy of a rigid box of mass m and edges `edges`, [ω; v].
Eigen::Matrix<double, 6, 6> box_inertia(double m, const Vector3d& edges) {
  const Vector3d square = edges.cwiseAbs2();
  Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
  M.diagonal() << m / 12 * (square.y() + square.z()), m / 12 * (square.x() + square.z()),
      m / 12 * (square.x() + square.y()), m, m, m;
  return M;
}

Vector3d random_edges(std::mt19937_64& random) {
  const double x = uniform(random, 0.2, 1), y = uniform(random, 0.2, 1);
  return {x, y, uniform(random, 0.2, 1)};
}

/// Velocities of one body before the contacts act.
Eigen::Matrix<double, 6, 1> body_velocity(std::mt19937_64& random, int kind) {
  Eigen::Matrix<double, 6, 1> v = Eigen::Matrix<double, 6, 1>::Zero();
  v[5] = -kGravity * kStep;
  if (kind == 0) {
    v.head<3>() = normal3(random);
    v.tail<3>() = normal3(random);
    v[5] = -std::abs(v[5]);
  }
  if (kind == 2) v.segment<2>(3) = normal3(random).head<2>();
  if (kind == 3) v[2] = normal3(random)[0] * 3;
  return v;
}

FrictionCase box(std::mt19937_64& random) {
  FrictionCase result;
  const Vector3d edges = random_edges(random);
  result.M = box_inertia(spread(random, 0.1, 10), edges);
  const int n = integer(random, 1, 8);
  result.J.resize(3 * n, 6);
  for (int i = 0; i < n; ++i) {
    const Vector3d p(uniform(random, -0.5, 0.5) * edges.x(), uniform(random, -0.5, 0.5) * edges.y(),
                     -0.5 * edges.z());
    result.J.middleRows<3>(3 * i) = frame(random, Vector3d::UnitZ()) * point_rows(p);
  }
  result.v = body_velocity(random, integer(random, 0, 3));
  return result;
}

FrictionCase stack(std::mt19937_64& random) {
  FrictionCase result;
  const int boxes = integer(random, 2, 3);
  const bool spread_masses = integer(random, 0, 1) == 0;
  result.M.setZero(6 * boxes, 6 * boxes);
  result.J.setZero(12 * boxes, 6 * boxes);
  result.v.resize(6 * boxes);
  const int kind = integer(random, 0, 3);
  Vector3d below = Vector3d::Zero();
  for (int b = 0; b < boxes; ++b) {
    const Vector3d edges = random_edges(random);
    const double m = spread_masses ? spread(random, 1e-3, 1e3) : uniform(random, 0.5, 2);
    result.M.block<6, 6>(6 * b, 6 * b) = box_inertia(m, edges);
    result.v.segment<6>(6 * b) = body_velocity(random, kind);
    const double x = 0.5 * (b == 0 ? edges.x() : std::min(edges.x(), below.x()));
    const double y = 0.5 * (b == 0 ? edges.y() : std::min(edges.y(), below.y()));
    for (int i = 0; i < 4; ++i) {
      const Matrix3d R = frame(random, Vector3d::UnitZ());
      const double px = i % 2 ? x : -x, py = i / 2 ? y : -y;
      const int row = 12 * b + 3 * i;
      result.J.block<3, 6>(row, 6 * b) = R * point_rows({px, py, -0.5 * edges.z()});
      if (b > 0)
        result.J.block<3, 6>(row, 6 * (b - 1)) = -R * point_rows({px, py, 0.5 * below.z()});
    }
    below = edges;
  }
  return result;
}

FrictionCase wedge(std::mt19937_64& random) {
  FrictionCase result;
  const Vector3d edges = random_edges(random);
  result.M = box_inertia(spread(random, 0.1, 10), edges);
  const int n = integer(random, 2, 6);
  const double slope = uniform(random, 0.1, 1.4);
  std::array<Vector3d, 2> normals = {Vector3d(std::sin(slope), 0, std::cos(slope)),
                                     Vector3d(-std::sin(slope), 0, std::cos(slope))};
  if (uniform(random, 0, 1) < 0.15) normals = {Vector3d::UnitX(), -Vector3d::UnitX()};
  result.J.resize(3 * n, 6);
  for (int i = 0; i < n; ++i) {
    const Vector3d& normal = normals[i % 2];
    const Vector3d aside = normal.cross(Vector3d::UnitY());
    const Vector3d p = -0.5 * edges.x() * normal + uniform(random, -0.5, 0.5) * edges.z() * aside +
                       uniform(random, -0.5, 0.5) * edges.y() * Vector3d::UnitY();
    result.J.middleRows<3>(3 * i) = frame(random, normal) * point_rows(p);
  }
  result.v = body_velocity(random, integer(random, 0, 3));
  return result;
}

/// One leg of three hinges under the corner `hip` of the base: adds its links to M and their weight
/// to `force`; writes the velocity rows of its foot.
void add_leg(std::mt19937_64& random, const Vector3d& hip, double mass, int first, MatrixXd& M,
             VectorXd& force, MatrixXd& foot_rows) {
  const double length = uniform(random, 0.2, 0.4);
  const double lean = uniform(random, -0.6, 0.6), bend = uniform(random, 0.4, 1.4);
  const std::array<Vector3d, 3> axes = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitY()};
  const Vector3d knee = hip + length * Vector3d(std::sin(bend), lean, -std::cos(bend));
  const Vector3d foot = knee + length * Vector3d(-std::sin(bend), lean, -std::cos(bend));
  const std::array<Vector3d, 3> joints = {hip, hip, knee};
  const std::array<Vector3d, 3> centres = {hip, 0.5 * (hip + knee), 0.5 * (knee + foot)};
  const auto rows = [&](const Vector3d& p, int joints_before) {
    MatrixXd J = MatrixXd::Zero(3, M.cols());
    J.leftCols<6>() = point_rows(p);
    for (int k = 0; k <= joints_before; ++k) J.col(first + k) = axes[k].cross(p - joints[k]);
    return J;
  };
  for (int link = 0; link < 3; ++link) {
    const MatrixXd J = rows(centres[link], link);
    MatrixXd turn = MatrixXd::Zero(3, M.cols());
    turn.leftCols<3>().setIdentity();
    for (int k = 0; k <= link; ++k) turn.col(first + k) = axes[k];
    M += mass / 3 * (J.transpose() * J + 0.1 * length * length * turn.transpose() * turn);
    force += mass / 3 * J.transpose() * Vector3d(0, 0, -kGravity);
  }
  foot_rows = rows(foot, 2);
}

FrictionCase quad(std::mt19937_64& random) {
  FrictionCase result;
  const Vector3d edges(0.6, 0.3, 0.15);
  const double m = uniform(random, 5, 50), leg = m * spread(random, 1e-3, 1);
  result.M.setZero(18, 18);
  result.M.topLeftCorner<6, 6>() = box_inertia(m, edges);
  VectorXd force = VectorXd::Zero(18);
  force[5] = -m * kGravity;
  const int feet = integer(random, 1, 4), points = integer(random, 0, 1) ? 3 : 1;
  result.J.resize(3 * feet * points, 18);
  for (int foot = 0; foot < 4; ++foot) {
    const Vector3d hip(foot % 2 ? 0.3 : -0.3, foot / 2 ? 0.15 : -0.15, 0);
    MatrixXd rows;
    add_leg(random, hip, leg, 6 + 3 * foot, result.M, force, rows);
    if (foot >= feet) continue;
    // The last link turns with the base and the leg's hinges.
    MatrixXd turn = MatrixXd::Zero(3, 18);
    turn.leftCols<3>().setIdentity();
    turn.col(6 + 3 * foot) = Vector3d::UnitX();
    turn.col(7 + 3 * foot) = turn.col(8 + 3 * foot) = Vector3d::UnitY();
    const double angle = uniform(random, 0, 2 * M_PI);
    for (int i = 0; i < points; ++i) {
      const double a = angle + 2 * M_PI / 3 * i, radius = points > 1 ? 0.03 : 0;
      const Vector3d offset(radius * std::cos(a), radius * std::sin(a), 0);
      result.J.middleRows<3>(3 * (foot * points + i)) =
          frame(random, Vector3d::UnitZ()) * (rows - skew(offset) * turn);
    }
  }
  result.v.setZero(18);
  const int kind = integer(random, 0, 3);
  result.v.head<6>() = body_velocity(random, kind);
  result.v[5] += kGravity * kStep;
  if (kind == 0)
    for (int k = 6; k < 18; ++k) result.v[k] = normal3(random)[0];
  result.v += kStep * solve_semidefinite(result.M, force);
  return result;
}

FrictionCase bodies(FrictionFamily family, std::mt19937_64& random) {
  FrictionCase result = family == FrictionFamily::quad    ? quad(random)
                        : family == FrictionFamily::box   ? box(random)
                        : family == FrictionFamily::stack ? stack(random)
                                                          : wedge(random);
  form_problem(result);
  return result;
}

}  // namespace

std::string_view name(FrictionFamily family) {
  switch (family) {
    case FrictionFamily::quad:
      return "quad";
    case FrictionFamily::box:
      return "box";
    case FrictionFamily::stack:
      return "stack";
    case FrictionFamily::wedge:
      break;
  }
  return "wedge";
}

void form_problem(FrictionCase& result) {
  result.problem.dimension = 3;
  const MatrixXd half = result.M.llt().matrixL().solve(result.J.transpose());
  result.problem.W = half.transpose() * half;
  result.problem.q = result.J * result.v;
  result.problem.scale = std::sqrt(result.v.dot(result.M * result.v));
}

FrictionCase random_friction(FrictionFamily family, std::mt19937_64& random) {
  FrictionCase result = bodies(family, random);
  const double kind = uniform(random, 0, 1);
  const double all = kind < 0.05 ? 0 : kind < 0.6 ? uniform(random, 0.1, 1) : spread(random, 1, 10);
  result.problem.mu.setConstant(result.J.rows() / 3, all);
  if (kind >= 0.9)
    for (double& mu : result.problem.mu)
      mu = uniform(random, 0, 1) < 0.2 ? 0 : spread(random, 0.1, 10);
  return result;
}

FrictionCase random_friction(FrictionFamily family, std::mt19937_64& random, double mu) {
  FrictionCase result = bodies(family, random);
  result.problem.mu.setConstant(result.J.rows() / 3, mu);
  return result;
}

}  // namespace pequod::test
