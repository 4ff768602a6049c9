#include "contact/solvers/quadratic/low_rank_newton.h"

#include <cmath>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

constexpr double kRank = 1e-14;  // of the largest diagonal entry: what is left of A is rounding
constexpr double kOfTheRange = 1e-12;  // of a row's largest entry: some roundings of L
constexpr Index kManyVariables = 48;   // below, factoring all of K costs no more
constexpr int kRefinements = 2;

// L of A = L Lᵀ by columns of largest pivots, to the first columns of V. @return the pivots, as
// many as its rank, or `most` if that does not do
std::vector<Index> factor_outer(const RowMajorMatrix& A, Index most, MatrixXd& V, VectorXd& left) {
  std::vector<Index> pivots;
  left = A.diagonal();
  const double least = kRank * left.maxCoeff();
  for (Index k = 0; k < most; ++k) {
    Index pivot = 0;
    const double largest = left.maxCoeff(&pivot);
    if (!(largest > least)) break;
    pivots.push_back(pivot);
    V.col(k) = A.col(pivot);
    V.col(k).noalias() -= V.leftCols(k) * V.row(pivot).head(k).transpose();
    V.col(k) /= std::sqrt(largest);
    left -= V.col(k).cwiseAbs2();
  }
  return pivots;
}

// V and T of [L Bᵀ] = V T, L in the first columns of V and its pivots given.
void share_columns(const std::vector<Index>& pivots, const Eigen::Ref<const RowMajorMatrix>& B,
                   LowRankNewton& system) {
  const auto r = static_cast<Index>(pivots.size());
  const MatrixXd at_pivots = system.V(pivots, Eigen::seqN(0, r));
  Index columns = r;
  system.T.setZero(r + B.rows(), r + B.rows());
  system.T.topLeftCorner(r, r).setIdentity();
  for (Index row = 0; row < B.rows(); ++row) {
    const VectorXd wanted = B.row(row);
    const VectorXd c = at_pivots.triangularView<Eigen::Lower>().solve(wanted(pivots).eval());
    const double rest = (wanted - system.V.leftCols(r) * c).lpNorm<Eigen::Infinity>();
    if (rest <= kOfTheRange * wanted.lpNorm<Eigen::Infinity>()) {
      system.T.col(r + row).head(r) = c;
      continue;
    }
    system.T(columns, r + row) = 1.0;
    system.V.col(columns++) = wanted;
  }
  system.V.conservativeResize(Eigen::NoChange, columns);
  system.T.conservativeResize(columns, Eigen::NoChange);
}

// result ← K (x, w)
void apply(const RowMajorMatrix& A, const RowMajorMatrix& B, const LowRankNewton& system,
           const VectorXd& x, VectorXd& result) {
  const Index N = A.rows(), l = B.rows();
  result.head(N).noalias() = A * x.head(N);
  result.head(N).noalias() += B.transpose() * x.tail(l);
  for (Index i = 0; i < N; i += 3) result.segment<3>(i) += system.D[i / 3] * x.segment<3>(i);
  result.tail(l).noalias() = B * x.head(N);
  result.tail(l) -= system.linear.cwiseProduct(x.tail(l));
}

// v ← D⁻¹ v, its first N entries
void apply_inverse(const LowRankNewton& system, Eigen::Ref<VectorXd> v) {
  for (std::size_t k = 0; k < system.inverse.size(); ++k) {
    const Eigen::Vector3d part = v.segment<3>(3 * static_cast<Index>(k));
    v.segment<3>(3 * static_cast<Index>(k)) = system.inverse[k] * part;
  }
}

// (C Θ⁻² C + e eᵀ/bound)⁻¹, C = diag(μ, 1, 1), e the normal. Written without 1/μ: of a
// cone that is all but flat a general inverse loses the digits of the normal.
Eigen::Matrix3d invert_bounded(const Eigen::Matrix3d& square, double mu, double bound) {
  const double normal = mu * mu * bound + square(0, 0);
  const Eigen::Vector2d across = square.bottomLeftCorner<2, 1>();
  Eigen::Matrix3d inverse;
  inverse(0, 0) = bound * square(0, 0) / normal;
  inverse.bottomLeftCorner<2, 1>() = bound * mu / normal * across;
  inverse.topRightCorner<1, 2>() = inverse.bottomLeftCorner<2, 1>().transpose();
  inverse.bottomRightCorner<2, 2>() =
      square.bottomRightCorner<2, 2>() - across * (across / normal).transpose();
  return inverse;
}

// Calls visit(normal, row) for the normal components that rows of B bound.
template <typename Visit>
void visit_bounds(const LowRankNewton& system, Visit visit) {
  for (std::size_t k = 0; k < system.bound.size(); ++k)
    if (system.bound[k] >= 0) visit(3 * static_cast<Index>(k), system.bound[k]);
}

// step ← the solution for `left`, without refinement; left is changed
void solve_once(LowRankNewton& system) {
  const Index N = system.V.rows(), in_T = system.T.cols() - system.rank;
  visit_bounds(system, [&](Index normal, Index row) {
    system.left[normal] += system.left[N + row] / system.linear[row];
  });
  system.step = system.left;
  apply_inverse(system, system.step.head(N));
  system.along.noalias() = system.V.transpose() * system.step.head(N);
  system.small_step.noalias() = system.T.transpose() * system.along;
  system.small_step.tail(in_T) -= system.left.segment(N, in_T);
  solve_in_place(system.factor, system.small_step);
  system.along.noalias() = system.T * system.small_step;
  system.step.head(N) = system.left.head(N);
  system.step.head(N).noalias() -= system.V * system.along;
  apply_inverse(system, system.step.head(N));
  system.step.segment(N, in_T) = system.small_step.tail(in_T);
  visit_bounds(system, [&](Index normal, Index row) {
    system.step[N + row] = (system.step[normal] - system.left[N + row]) / system.linear[row];
  });
}

}  // namespace

bool find_low_rank(const RowMajorMatrix& A, const RowMajorMatrix& B, Index bounds,
                   LowRankNewton& system) {
  const Index N = A.rows(), in_T = B.rows() - bounds, most = (N - in_T) / 2;
  system.rank = 0;
  if (N < kManyVariables || most <= 0) return false;
  system.V.resize(N, most + in_T);
  const std::vector<Index> pivots = factor_outer(A, most, system.V, system.left);
  system.rank = static_cast<Index>(pivots.size());
  if (system.rank == most) return false;
  share_columns(pivots, B.topRows(in_T), system);
  system.bound.assign(N / 3, -1);
  for (Index row = in_T; row < B.rows(); ++row) {
    Index normal = 0;
    B.row(row).maxCoeff(&normal);
    system.bound[normal / 3] = row;
  }
  return true;
}

bool factor_low_rank(const VectorXd& mu, const std::vector<ConeScaling>& scalings,
                     LowRankNewton& system) {
  const auto contacts = static_cast<std::size_t>(mu.size());
  const Index r = system.rank, in_T = system.T.cols() - r;
  system.D.resize(contacts);
  system.inverse.resize(contacts);
  system.DV.resize(system.V.rows(), system.V.cols());
  for (std::size_t k = 0; k < contacts; ++k) {
    const double slope = mu[k];
    const Eigen::Vector3d C(slope, 1.0, 1.0);
    Eigen::Matrix3d square = Eigen::Matrix3d::Identity(), inverse_square = square;
    for (int j = 0; j < 3 && !scalings.empty(); ++j) {
      const Eigen::Vector3d unit = Eigen::Vector3d::Unit(j);
      Eigen::Vector3d once;
      scalings[k].apply_inverse_square(unit.data(), inverse_square.col(j).data());
      scalings[k].apply(unit.data(), once.data());
      scalings[k].apply(once.data(), square.col(j).data());
    }
    system.D[k] = C.asDiagonal() * inverse_square * C.asDiagonal();
    system.inverse[k] = system.bound[k] >= 0
                            ? invert_bounded(square, slope, system.linear[system.bound[k]])
                            : Eigen::Matrix3d(C.cwiseInverse().asDiagonal() * square *
                                              C.cwiseInverse().asDiagonal());
    const auto at = 3 * static_cast<Index>(k);
    system.DV.middleRows<3>(at).noalias() = system.inverse[k] * system.V.middleRows<3>(at);
  }
  system.VDV.noalias() = system.V.transpose() * system.DV;
  system.small.noalias() = system.T.transpose() * (system.VDV * system.T);
  system.small.diagonal().head(r).array() += 1.0;
  system.small.diagonal().tail(in_T) += system.linear.head(in_T);
  factorise(system.small, system.factor);
  return system.factor.info() == Eigen::Success;
}

bool solve_low_rank(const RowMajorMatrix& A, const RowMajorMatrix& B, double allowed,
                    LowRankNewton& system, VectorXd& solution) {
  system.right = system.left = solution;
  system.x.setZero(solution.size());
  system.step.resize(solution.size());
  for (int pass = 0; pass <= kRefinements; ++pass) {
    solve_once(system);
    system.x += system.step;
    apply(A, B, system, system.x, system.left);
    system.left = system.right - system.left;
  }
  if (!(system.left.norm() <= allowed)) return false;
  solution = system.x;
  return true;
}

}  // namespace pequod
