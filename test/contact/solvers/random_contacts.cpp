#include "test/contact/solvers/random_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/decompositions.h"
#include "test/contact/solvers/random_numbers.h"

namespace pequod::test {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

/// Adds n·(velocity of the point p of body b) to a row; velocities are [w; v] of centres of mass.
void add_point(const Vector3d& p_from_centre, double sign, int body, MatrixXd::RowXpr row) {
  const Vector3d n = Vector3d::UnitZ();
  row.segment<3>(6 * body) += sign * p_from_centre.cross(n).transpose();
  row.segment<3>(6 * body + 3) += sign * n.transpose();
}

/// Boxes of 0.4 m to 1 m stacked on the floor, each with contacts on its lower face.
Contacts stack_of_boxes(std::mt19937_64& random) {
  Contacts result;
  const int bodies = integer(random, 1, 4);
  const int n = std::max(
      bodies, integer(random, 1, 3) < 3 ? integer(random, 1, 32) : integer(random, 33, 256));
  const double decades = integer(random, 0, 1) == 0 ? 0.0 : uniform(random, 0.0, 6.0);
  result.family = "boxes";
  result.mass_ratio = bodies > 1 ? std::pow(10.0, decades) : 1.0;
  result.M.setZero(6 * bodies, 6 * bodies);
  result.N.setZero(n, 6 * bodies);
  std::vector<Vector3d> half;
  for (int b = 0; b < bodies; ++b) {
    half.push_back(0.5 * Vector3d::NullaryExpr([&] { return uniform(random, 0.4, 1.0); }));
    const double mass = b % 2 == 0 ? 1.0 : result.mass_ratio;
    const Vector3d square = half[b].cwiseAbs2();
    const Vector3d inertia = mass / 3.0 * (Vector3d::Constant(square.sum()) - square);  // solid box
    const Matrix3d R =
        Eigen::AngleAxisd(uniform(random, 0.0, 6.28), Vector3d::UnitZ()).toRotationMatrix();
    result.M.block<3, 3>(6 * b, 6 * b) = R * inertia.asDiagonal() * R.transpose();
    result.M.block<3, 3>(6 * b + 3, 6 * b + 3) = mass * Matrix3d::Identity();
  }
  const bool corners = integer(random, 0, 1) == 0;  // corners repeat and tie
  for (int i = 0; i < n; ++i) {
    const int b = i % bodies;
    const auto side = [&] {
      const double x = uniform(random, -1.0, 1.0);
      return corners ? std::copysign(1.0, x) : x;
    };
    const Vector3d p(side() * half[b].x(), side() * half[b].y(), -half[b].z());
    add_point(p, 1.0, b, result.N.row(i));
    if (b > 0) add_point(Vector3d(p.x(), p.y(), half[b - 1].z()), -1.0, b - 1, result.N.row(i));
  }
  return result;
}

/// A floating base with four legs of three joints: 18 coordinates, M with the sparsity of the tree.
Contacts quadruped(std::mt19937_64& random) {
  Contacts result;
  result.family = "quadruped";
  MatrixXd L = MatrixXd::Zero(18, 18);  // M = LᵀL, branch by branch
  L.topLeftCorner<6, 6>() = normal(random, 6, 6).triangularView<Eigen::Lower>();
  for (int leg = 0; leg < 4; ++leg) {
    const int at = 6 + 3 * leg;
    L.block<3, 3>(at, at) =
        0.3 * normal(random, 3, 3).triangularView<Eigen::Lower>().toDenseMatrix();
    L.block<3, 6>(at, 0) = 0.3 * normal(random, 3, 6);
  }
  for (int i = 0; i < 18; ++i) L(i, i) = (i < 6 ? 1.0 : 0.3) * uniform(random, 0.5, 2.0);
  result.M = L.transpose() * L;
  const int n = integer(random, 4, 12);
  result.N.setZero(n, 18);
  for (int i = 0; i < n; ++i) {
    result.N.block<1, 6>(i, 0) = normal(random, 1, 6);
    result.N.block<1, 3>(i, 6 + 3 * (i % 4)) = normal(random, 1, 3);
  }
  return result;
}

void repeat_rows(std::mt19937_64& random, Contacts& contacts, bool nearly) {
  for (Eigen::Index i = 1; i < contacts.N.rows(); ++i) {
    if (uniform(random, 0.0, 1.0) >= 0.3) continue;
    const Eigen::RowVectorXd earlier = contacts.N.row(integer(random, 0, static_cast<int>(i) - 1));
    contacts.N.row(i) = earlier;
    if (nearly)
      contacts.N.row(i) += std::pow(10.0, uniform(random, -16.0, -4.0)) *
                           normal(random, 1, static_cast<int>(earlier.size()));
  }
}

/// Two opposite rows of which both want to open.
void pinch(std::mt19937_64& random, Contacts& contacts) {
  const int n = static_cast<int>(contacts.N.rows());
  const int i = integer(random, 0, n - 2), j = integer(random, i + 1, n - 1);
  contacts.N.row(j) = -contacts.N.row(i);
  contacts.c[i] = uniform(random, 0.1, 1.0);
  contacts.c[j] = -contacts.c[i] + uniform(random, 0.01, 1.0);
  contacts.feasible = false;
}

}  // namespace

Contacts random_contacts(std::mt19937_64& random, bool nearly_repeated) {
  Contacts result = integer(random, 0, 3) == 0 ? quadruped(random) : stack_of_boxes(random);
  const int m = static_cast<int>(result.M.rows());
  if (integer(random, 0, 1) == 0) repeat_rows(random, result, nearly_repeated);
  const int n = static_cast<int>(result.N.rows());
  // Falling and turning, or at rest with gravity's 9.81 mm/s of one step, or rows at exactly zero.
  const int motion = integer(random, 0, 2);
  result.v = motion == 0 ? normal(random, m, 1) : MatrixXd::Zero(m, 1);
  for (int i = 5; i < (result.family == "boxes" ? m : 6); i += 6) result.v[i] -= 9.81e-3;
  if (motion == 2) result.v += 1e-6 * normal(random, m, 1);
  result.J.setZero(0, m);
  if (integer(random, 0, 4) == 0) {
    result.J = normal(random, integer(random, 1, 3), m);
    result.J.row(result.J.rows() - 1) = 2.0 * result.J.row(0);
  }
  result.c.setZero(n);
  const int kind = integer(random, 0, 9);
  if (kind >= 5) {
    // Like −Ṅv: not zero, met by some velocity; half of the rows with nothing to spare.
    VectorXd target = result.v + result.v.norm() * normal(random, m, 1);
    target -= LeastNormFactor(result.J).solve(VectorXd(result.J * target));
    result.c = result.N * target;
    for (double& c : result.c)
      if (integer(random, 0, 1) == 0) c -= uniform(random, 0.0, 1.0) * result.v.norm();
  }
  if (kind == 9 && n > 1) pinch(random, result);
  return result;
}

namespace {

// L⁻¹Xᵀ. Of no rows at all Eigen's triangular solver would form a reference to nothing.
MatrixXd to_metric(const Eigen::LLT<MatrixXd>& llt, const MatrixXd& X) {
  if (X.rows() == 0) return MatrixXd(X.cols(), 0);
  return llt.matrixL().solve(X.transpose());
}

}  // namespace

LeastDistanceProblem least_distance(const Contacts& contacts) {
  const Eigen::LLT<MatrixXd> llt(contacts.M);
  LeastDistanceProblem problem;
  problem.y0 = llt.matrixU() * contacts.v;
  problem.G = to_metric(llt, contacts.N);
  problem.E = to_metric(llt, contacts.J);
  problem.c = contacts.c;
  problem.e.setZero(contacts.J.rows());
  return problem;
}

}  // namespace pequod::test
