#include "contact/solvers/friction/sparse/block_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/solvers/friction/sparse/block_gradients.h"

namespace pequod {

namespace {

using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

class BlockNewton {
 public:
  BlockNewton(const BlockFriction& problem, const BlockNewtonSettings& settings,
              BlockNewtonBuffers& buffers)
      : problem_(problem), settings_(settings), b_(buffers) {
    b_.F.resize(3 * problem.n);
    b_.step.resize(3 * problem.n);
    b_.kinds.resize(problem.n);
    b_.active.resize(problem.n);
    b_.A.resize(problem.n);
    b_.B.resize(problem.n);
    // Fewer contacts are active at one time and more at another: room for all.
    b_.J.row_start.reserve(problem.n + 1);
    b_.J.columns.reserve(problem.columns.size());
    b_.J.blocks.reserve(problem.blocks.size());
  }

  BlockNewtonResult solve(Eigen::VectorXd& rho);

 private:
  double evaluate(const Eigen::VectorXd& rho);
  void find_step(const Eigen::VectorXd& rho);
  void place_matrix();

  const BlockFriction& problem_;
  const BlockNewtonSettings& settings_;
  BlockNewtonBuffers& b_;
};

/// û, F and its derivative at ρ; returns |F|.
double BlockNewton::evaluate(const Eigen::VectorXd& rho) {
  apply(problem_, rho, b_.u);
  if (settings_.compliance > 0) b_.u += settings_.compliance * (rho - *settings_.centre);
  for (int i = 0; i < problem_.n; ++i) {
    const double* r = rho.data() + 3 * i;
    const double* u = b_.u.data() + 3 * i;
    double* F = b_.F.data() + 3 * i;
    const ContactDerivative J{b_.A[i].data(), b_.B[i].data()};
    b_.kinds[i] = problem_.associated ? natural_map_equations(problem_.mu[i], r, u, F, J)
                                      : alart_curnier_equations(problem_.mu[i], r, u, F, J);
    if (b_.kinds[i] == ContactEquations::stick) {
      b_.A[i].setZero();
      b_.B[i].setIdentity();
    }
  }
  return b_.F.norm();
}

/// J = A + B (W + shift) at the contacts that are not open; the others have empty rows, so that all
/// vectors keep their length.
void BlockNewton::place_matrix() {
  BlockNewtonBuffers::Matrix& J = b_.J;
  J.row_start.assign(1, 0);
  J.columns.clear();
  J.blocks.clear();
  J.inverse.setOnes(3 * problem_.n);
  for (int i = 0; i < problem_.n; ++i) {
    for (int k = problem_.row_start[i]; k < problem_.row_start[i + 1]; ++k) {
      const int j = problem_.columns[k];
      if (!b_.active[i] || !b_.active[j]) continue;
      Matrix3 W =
          Eigen::Map<const Matrix3>(problem_.blocks.data() + 9 * static_cast<std::ptrdiff_t>(k));
      if (i == j) W.diagonal().array() += settings_.shift + settings_.compliance;
      Matrix3 block = b_.B[i] * W;
      if (i == j) block += b_.A[i];
      for (int l = 0; i == j && l < 3; ++l)
        if (block(l, l) != 0.0) J.inverse[3 * i + l] = 1.0 / block(l, l);
      J.columns.push_back(j);
      J.blocks.insert(J.blocks.end(), block.data(), block.data() + 9);
    }
    J.row_start.push_back(static_cast<int>(J.columns.size()));
  }
}

/// Open contacts lose their force, which moves the others; then J δ = −F.
void BlockNewton::find_step(const Eigen::VectorXd& rho) {
  for (int i = 0; i < problem_.n; ++i) {
    const bool open = b_.kinds[i] == ContactEquations::open;
    b_.active[i] = open ? 0 : 1;
    for (int k = 3 * i; k < 3 * i + 3; ++k) b_.step[k] = open ? -rho[k] : 0;
  }
  apply(problem_, b_.step, b_.change);
  b_.change -= problem_.q;
  b_.right.setZero(3 * problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    if (b_.active[i])
      b_.right.segment<3>(3 * i) = -b_.F.segment<3>(3 * i) - b_.B[i] * b_.change.segment<3>(3 * i);
  place_matrix();
  solve_by_gradients(settings_.forcing, b_);
  for (int i = 0; i < problem_.n; ++i)
    if (b_.active[i]) b_.step.segment<3>(3 * i) = b_.x.segment<3>(3 * i);
}

BlockNewtonResult BlockNewton::solve(Eigen::VectorXd& rho) {
  constexpr int kMemory = 6, kHalvings = 3;
  std::array<double, kMemory> last{};
  BlockNewtonResult result;
  b_.best = rho;
  double least = std::numeric_limits<double>::infinity(), norm = evaluate(rho);
  while (std::isfinite(norm)) {
    if (norm < least) {
      least = norm;
      b_.best = rho;
      result.converged = norm <= settings_.tolerance * problem_.size(rho, b_.u);
    }
    if (result.converged || result.iterations == settings_.iterations) break;
    last[result.iterations++ % kMemory] = norm;
    const double limit = *std::max_element(last.begin(), last.end());
    find_step(rho);
    double length = 1;
    for (int halving = 0; halving <= kHalvings; ++halving, length *= 0.5) {
      b_.next = rho + length * b_.step;
      norm = evaluate(b_.next);
      if (norm < limit) break;
    }
    rho = b_.next;
  }
  rho = b_.best;
  return result;
}

}  // namespace

BlockNewtonResult solve_newton(const BlockFriction& problem, const BlockNewtonSettings& settings,
                               BlockNewtonBuffers& buffers, Eigen::VectorXd& rho) {
  return BlockNewton(problem, settings, buffers).solve(rho);
}

}  // namespace pequod
