#include "contact/fit/penalty_fit.h"

#include <algorithm>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// The cost of one row and its gradient, with an entry fixed.
class RowCost {
 public:
  RowCost(const FitSamples& samples, int row, const VectorXd& target, const PenaltyOptions& options)
      : F_(fit_features(samples)), options_(options), target_(target) {
    if (target_.size() == 0) target_ = VectorXd::Zero(F_.rows());
    weight_ =
        options.complementarity * samples.lambda.col(row).array().square() + options.prediction;
  }

  [[nodiscard]] double value(const VectorXd& row) const {
    const VectorXd p = F_ * row;
    const double smooth = (weight_ * p.array().square()).sum() -
                          2.0 * options_.prediction * p.dot(target_) +
                          options_.prediction * target_.squaredNorm();
    return (smooth + options_.sign * p.cwiseMin(0.0).squaredNorm()) / samples();
  }

  [[nodiscard]] VectorXd gradient(const VectorXd& row) const {
    const VectorXd p = F_ * row;
    const VectorXd slope = (weight_ * p.array()).matrix() - options_.prediction * target_ +
                           options_.sign * p.cwiseMin(0.0);
    VectorXd result = 2.0 / samples() * (F_.transpose() * slope);
    if (options_.fixed >= 0) result[options_.fixed] = 0.0;
    return result;
  }

  // Of the gradient: the largest curvature there can be.
  [[nodiscard]] double lipschitz() const {
    const VectorXd most = weight_ + options_.sign;
    const MatrixXd H = 2.0 / samples() * (F_.transpose() * most.asDiagonal() * F_);
    return symmetric_eigenvalues(H).maxCoeff();
  }
  [[nodiscard]] Index size() const { return F_.cols(); }

 private:
  [[nodiscard]] double samples() const { return static_cast<double>(F_.rows()); }

  MatrixXd F_;
  const PenaltyOptions& options_;
  VectorXd target_;
  Eigen::ArrayXd weight_;
};

// Entries of a basis form as one vector: φ, α, β, W by columns.
constexpr Index kBasis = 18;
using BasisVector = Eigen::Matrix<double, kBasis, 1>;

BasisForm form_of(const BasisVector& x) {
  return {x.head<3>(), x.segment<3>(3), x.segment<3>(6), Matrix3d::Map(x.data() + 9)};
}

BasisVector vector_of(const BasisForm& form) {
  BasisVector x;
  x << form.phi, form.alpha, form.beta, form.W.reshaped();
  return x;
}

// M by one of φ, α, β.
Matrix3d derivative(const BasisVector& x, Index k) {
  Matrix3d D = Matrix3d::Zero();
  if (k < 3) {
    D.row(k) += x.head<3>().transpose();
    D.col(k) += x.head<3>();
  } else if (k < 6) {
    D(k - 3, k - 3) = 1.0;
  } else {
    constexpr int kRow[] = {0, 0, 1}, kColumn[] = {1, 2, 2};
    D(kRow[k - 6], kColumn[k - 6]) = 1.0;
    D(kColumn[k - 6], kRow[k - 6]) = -1.0;
  }
  return D;
}

// Normal equations of all penalties at a form, and their cost.
struct BasisEquations {
  double cost = 0.0;
  Eigen::Matrix<double, kBasis, kBasis> normal = Eigen::Matrix<double, kBasis, kBasis>::Zero();
  BasisVector gradient = BasisVector::Zero();

  void add(double weight, double residual, const BasisVector& slope) {
    cost += weight * residual * residual;
    normal += weight * slope * slope.transpose();
    gradient += weight * residual * slope;
  }
};

BasisEquations equations(const FitSamples& samples, const Vector3d& sums, const BasisVector& x) {
  const BasisForm form = form_of(x);
  const Matrix3d M = form.M();
  Matrix3d D[9];
  for (Index k = 0; k < 9; ++k) D[k] = derivative(x, k);
  BasisEquations all;
  const double share = 1.0 / static_cast<double>(samples.lambda.rows());
  BasisVector slope;
  for (Index s = 0; s < samples.lambda.rows(); ++s) {
    const Vector3d force = samples.lambda.row(s),
                   d(samples.inputs(s, 0), samples.inputs(s, 1), 1.0);
    const Vector3d p = M * force + form.W * d;
    for (Index i = 0; i < 3; ++i) {
      const double weight = share * (force[i] * force[i] + (p[i] < 0.0 ? 1.0 : 0.0));
      if (weight == 0.0) continue;
      slope.setZero();
      for (Index k = 0; k < 9; ++k) slope[k] = D[k].row(i).dot(force);
      for (Index c = 0; c < 3; ++c) slope[9 + 3 * c + i] = d[c];
      all.add(weight, p[i], slope);
    }
  }
  for (Index i = 0; i < 3; ++i) {
    slope.setZero();
    for (Index k = 0; k < 9; ++k) slope[k] = D[k].row(i).sum();
    all.add(1.0, M.row(i).sum() - sums[i], slope);
  }
  return all;
}

// A damped step; an α that is zero and would become negative stays.
BasisVector stepped(const BasisVector& x, const BasisEquations& here, double damping) {
  auto damped = here.normal;
  damped.diagonal() += damping * (here.normal.diagonal().array() + 1e-9).matrix();
  BasisVector gradient = here.gradient;
  for (Index k = 3; k < 6; ++k) {
    if (x[k] > 0.0 || gradient[k] <= 0.0) continue;
    gradient[k] = 0.0;
    damped.row(k).setZero();
    damped.col(k).setZero();
    damped(k, k) = 1.0;
  }
  BasisVector next = x - solve_semidefinite(damped, gradient);
  next.segment<3>(3) = next.segment<3>(3).cwiseMax(0.0);
  return next;
}

}  // namespace

PenaltyRow descend(const FitSamples& samples, int row, const VectorXd& target,
                   const PenaltyOptions& options) {
  const RowCost cost(samples, row, target, options);
  const double step = 1.0 / cost.lipschitz();
  PenaltyRow result;
  VectorXd x = VectorXd::Zero(cost.size());
  if (options.fixed >= 0) x[options.fixed] = options.fixed_value;
  VectorXd y = x;
  double momentum = 1.0;
  for (; result.steps < options.most_steps && !result.converged; ++result.steps) {
    const VectorXd slope = cost.gradient(y);
    const VectorXd next = y - step * slope;
    if (slope.dot(next - x) > 0.0) momentum = 1.0;
    const double faster = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    y = next + (momentum - 1.0) / faster * (next - x);
    x = next;
    momentum = faster;
    result.converged = step * slope.norm() <= options.enough * (1.0 + x.norm());
  }
  result.entries = x;
  result.cost = cost.value(x);
  return result;
}

Matrix3d BasisForm::M() const {
  Matrix3d result = phi * phi.transpose();
  result.diagonal() += alpha;
  Matrix3d skew;
  skew << 0.0, beta[0], beta[1], -beta[0], 0.0, beta[2], -beta[1], -beta[2], 0.0;
  return result + skew;
}

BasisFit fit_basis(const FitSamples& samples, const Vector3d& sums, const BasisForm& start) {
  BasisVector x = vector_of(start);
  double damping = 1e-2;
  BasisEquations here = equations(samples, sums, x);
  for (int round = 0; round < 500 && damping < 1e12 && here.cost > 1e-28; ++round) {
    const BasisVector next = stepped(x, here, damping);
    const BasisEquations there = equations(samples, sums, next);
    if (!(there.cost < here.cost)) {
      damping *= 4.0;
      continue;
    }
    x = next;
    here = there;
    damping = std::max(damping / 4.0, 1e-14);
  }
  return {form_of(x), here.cost};
}

}  // namespace pequod
