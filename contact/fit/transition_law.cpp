#include "contact/fit/transition_law.h"

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Relative: a negative force or gap above this is rounding.
constexpr double kRounding = 1e-12;

// λ of these contacts, if it is one.
bool try_contacts(const TransitionLaw& law, const VectorXd& q, unsigned active, VectorXd& lambda) {
  const std::vector<int> set = members(active, static_cast<int>(q.size()));
  lambda = VectorXd::Zero(q.size());
  if (!set.empty()) {
    const VectorXd forces = solve_square(law.M(set, set), VectorXd(-q(set)));
    if (!forces.allFinite()) return false;
    lambda(set) = forces;
  }
  const double zero = -kRounding * (1.0 + q.lpNorm<Eigen::Infinity>());
  if (lambda.minCoeff() < zero) return false;
  VectorXd w = law.M * lambda + q;
  w(set).setZero();
  lambda = lambda.cwiseMax(0.0);
  return w.minCoeff() >= zero;
}

}  // namespace

MatrixXd with_one(const MatrixXd& inputs) {
  MatrixXd features(inputs.rows(), inputs.cols() + 1);
  features << inputs, VectorXd::Ones(inputs.rows());
  return features;
}

std::vector<int> members(unsigned bits, int count) {
  std::vector<int> set;
  for (int j = 0; j < count; ++j)
    if ((bits >> j & 1U) != 0) set.push_back(j);
  return set;
}

LawForces forces_of(const TransitionLaw& law, const VectorXd& features, unsigned first) {
  const VectorXd q = law.H * features;
  LawForces result;
  result.active = first;
  result.solved = try_contacts(law, q, first, result.lambda);
  const unsigned all = 1U << static_cast<unsigned>(q.size());
  for (unsigned active = 0; active < all && !result.solved; ++active) {
    result.active = active;
    result.solved = try_contacts(law, q, active, result.lambda);
  }
  return result;
}

TransitionLaw scaled(TransitionLaw law) {
  for (Index j = 0; j < law.M.rows(); ++j) {
    const double size = law.B.col(j).lpNorm<Eigen::Infinity>();
    if (size > 0.0) {
      // λ_j times size
      law.B.col(j) /= size;
      law.M.col(j) /= size;
    }
    const double diagonal = std::abs(law.M(j, j));
    if (!(diagonal > 0.0)) continue;
    law.M.row(j) /= diagonal;
    law.H.row(j) /= diagonal;
  }
  return law;
}

TransitionLaw exchanged(const TransitionLaw& law, unsigned rows) {
  const int n = static_cast<int>(law.M.rows());
  const std::vector<int> s = members(rows, n), r = members(~rows, n);
  TransitionLaw other = law;
  if (s.empty()) return other;
  const MatrixXd inverse = MatrixXd(law.M(s, s)).inverse();
  const MatrixXd H_s = inverse * law.H(s, Eigen::all), M_sr = inverse * law.M(s, r);
  other.A -= law.B(Eigen::all, s) * H_s;
  other.B(Eigen::all, s) = law.B(Eigen::all, s) * inverse;
  other.B(Eigen::all, r) -= law.B(Eigen::all, s) * M_sr;
  other.M(s, s) = inverse;
  other.M(s, r) = -M_sr;
  other.M(r, s) = law.M(r, s) * inverse;
  other.M(r, r) -= law.M(r, s) * M_sr;
  other.H(s, Eigen::all) = -H_s;
  other.H(r, Eigen::all) -= law.M(r, s) * H_s;
  return other;
}

TransitionLaw simplest(const TransitionLaw& law) {
  TransitionLaw best = scaled(law);
  for (unsigned rows = 1; rows < 1U << static_cast<unsigned>(law.M.rows()); ++rows) {
    const TransitionLaw other = scaled(exchanged(law, rows));
    const bool finite = other.A.allFinite() && other.M.allFinite() && other.H.allFinite();
    // Ties stay with the fewest exchanges that come first.
    if (finite && other.A.norm() < best.A.norm() * (1.0 - 1e-6)) best = other;
  }
  return best;
}

MatrixXd predicted(const TransitionLaw& law, const MatrixXd& inputs) {
  const MatrixXd features = with_one(inputs);
  MatrixXd next(inputs.rows(), law.A.rows());
  for (Index i = 0; i < inputs.rows(); ++i) {
    const VectorXd d = features.row(i);
    const LawForces forces = forces_of(law, d, 0);
    if (forces.solved)
      next.row(i) = law.A * d + law.B * forces.lambda;
    else
      next.row(i).setConstant(NAN);
  }
  return next;
}

}  // namespace pequod
