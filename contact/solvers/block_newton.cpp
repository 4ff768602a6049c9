#include "contact/solvers/block_newton.h"

#include <Eigen/IterativeLinearSolvers>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/solvers/friction_equations.h"

namespace pequod {

namespace {

using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

class BlockNewton {
 public:
  BlockNewton(const BlockFriction& problem, const BlockNewtonSettings& settings)
      : problem_(problem),
        settings_(settings),
        F_(3 * problem.n),
        step_(3 * problem.n),
        kinds_(problem.n),
        place_(problem.n),
        A_(problem.n),
        B_(problem.n) {}

  BlockNewtonResult solve(Eigen::VectorXd& rho);

 private:
  double evaluate(const Eigen::VectorXd& rho);
  void find_step(const Eigen::VectorXd& rho);
  SparseRows matrix(int active) const;

  const BlockFriction& problem_;
  const BlockNewtonSettings& settings_;
  Eigen::VectorXd u_, F_, step_;
  std::vector<ContactEquations> kinds_;
  std::vector<int> place_;  ///< number among the contacts that are not open, else −1
  std::vector<Matrix3> A_, B_;
};

/// û, F and its derivative at ρ; returns |F|.
double BlockNewton::evaluate(const Eigen::VectorXd& rho) {
  apply(problem_, rho, u_);
  if (settings_.compliance > 0) u_ += settings_.compliance * (rho - *settings_.centre);
  for (int i = 0; i < problem_.n; ++i) {
    const double* r = rho.data() + 3 * i;
    const double* u = u_.data() + 3 * i;
    double* F = F_.data() + 3 * i;
    const ContactDerivative J{A_[i].data(), B_[i].data()};
    kinds_[i] = problem_.associated ? natural_map_equations(problem_.mu[i], r, u, F, J)
                                    : alart_curnier_equations(problem_.mu[i], r, u, F, J);
    if (kinds_[i] == ContactEquations::stick) {
      A_[i].setZero();
      B_[i].setIdentity();
    }
  }
  return F_.norm();
}

/// J = A + B (W + shift) at the contacts that are not open.
SparseRows BlockNewton::matrix(int active) const {
  SparseRows J(3 * active, 3 * active);
  std::vector<int> sizes(3 * active);
  for (int i = 0; i < problem_.n; ++i)
    if (place_[i] >= 0)
      for (int k = 0; k < 3; ++k)
        sizes[3 * place_[i] + k] = 3 * (problem_.row_start[i + 1] - problem_.row_start[i]);
  J.reserve(sizes);
  for (int i = 0; i < problem_.n; ++i) {
    if (place_[i] < 0) continue;
    for (int b = problem_.row_start[i]; b < problem_.row_start[i + 1]; ++b) {
      const int j = problem_.columns[b];
      if (place_[j] < 0) continue;
      Matrix3 W =
          Eigen::Map<const Matrix3>(problem_.blocks.data() + 9 * static_cast<std::ptrdiff_t>(b));
      if (i == j) W.diagonal().array() += settings_.shift + settings_.compliance;
      Matrix3 block = B_[i] * W;
      if (i == j) block += A_[i];
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) J.insert(3 * place_[i] + k, 3 * place_[j] + l) = block(k, l);
    }
  }
  J.makeCompressed();
  return J;
}

/// Open contacts lose their force, which moves the others; then J δ = −F.
void BlockNewton::find_step(const Eigen::VectorXd& rho) {
  int active = 0;
  for (int i = 0; i < problem_.n; ++i) {
    const bool open = kinds_[i] == ContactEquations::open;
    place_[i] = open ? -1 : active++;
    for (int k = 3 * i; k < 3 * i + 3; ++k) step_[k] = open ? -rho[k] : 0;
  }
  Eigen::VectorXd change;
  apply(problem_, step_, change);
  change -= problem_.q;
  Eigen::VectorXd right(3 * active);
  for (int i = 0; i < problem_.n; ++i)
    if (place_[i] >= 0)
      right.segment<3>(3 * place_[i]) = -F_.segment<3>(3 * i) - B_[i] * change.segment<3>(3 * i);
  if (active == 0) return;
  const SparseRows J = matrix(active);
  Eigen::BiCGSTAB<SparseRows, Eigen::DiagonalPreconditioner<double>> solver;
  solver.setTolerance(settings_.forcing);
  solver.setMaxIterations(1000);
  solver.compute(J);
  const Eigen::VectorXd x = solver.solve(right);
  for (int i = 0; i < problem_.n; ++i)
    if (place_[i] >= 0) step_.segment<3>(3 * i) = x.segment<3>(3 * place_[i]);
}

BlockNewtonResult BlockNewton::solve(Eigen::VectorXd& rho) {
  constexpr int kMemory = 6, kHalvings = 3;
  std::array<double, kMemory> last{};
  BlockNewtonResult result;
  Eigen::VectorXd best = rho, next;
  double least = std::numeric_limits<double>::infinity(), norm = evaluate(rho);
  while (std::isfinite(norm)) {
    if (norm < least) {
      least = norm;
      best = rho;
      result.converged = norm <= settings_.tolerance * problem_.size(rho, u_);
    }
    if (result.converged || result.iterations == settings_.iterations) break;
    last[result.iterations++ % kMemory] = norm;
    const double limit = *std::max_element(last.begin(), last.end());
    find_step(rho);
    double length = 1;
    for (int halving = 0; halving <= kHalvings; ++halving, length *= 0.5) {
      next = rho + length * step_;
      norm = evaluate(next);
      if (norm < limit) break;
    }
    rho = next;
  }
  rho = best;
  return result;
}

}  // namespace

BlockNewtonResult solve_newton(const BlockFriction& problem, const BlockNewtonSettings& settings,
                               Eigen::VectorXd& rho) {
  return BlockNewton(problem, settings).solve(rho);
}

}  // namespace pequod
