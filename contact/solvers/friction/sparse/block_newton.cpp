#include "contact/solvers/friction/sparse/block_newton.h"

#include <cmath>
#include <limits>

#include "contact/solvers/linear/row_major.h"

namespace pequod {

namespace {

// Of the residual of a Newton step: more exact steps save no iterations.
constexpr double kForcing = 1e-3;

/// out ← J x
void apply(const BlockRows& J, const VectorXd& x, VectorXd& out) {
  const int n = static_cast<int>(J.row_start.size()) - 1;
  out.setZero(3 * n);
  for (int i = 0; i < n; ++i) J.add_row(i, x.data(), out.data() + 3 * i);
}

/// x of J x = right in the buffers, by stabilised biconjugate gradients (van der Vorst 1992)
/// preconditioned by the diagonal, to kForcing of the residual of x = 0. Where their shadow
/// residual has lost them they start again from where they are.
void solve_by_gradients(BlockNewtonBuffers& b) {
  constexpr int kSteps = 1000;
  constexpr double kLost = std::numeric_limits<double>::epsilon();
  const Index size = b.right.size();
  b.x.setZero(size);
  b.r = b.shadow = b.right;
  b.p.setZero(size);
  b.v.setZero(size);
  const double end = kForcing * kForcing * b.right.squaredNorm();
  double shadow_norm = b.shadow.squaredNorm(), rho = 1.0, alpha = 1.0, omega = 1.0;
  for (int step = 0; step < kSteps && b.r.squaredNorm() > end; ++step) {
    const double before = rho;
    rho = b.shadow.dot(b.r);
    if (std::abs(rho) < kLost * kLost * shadow_norm) {
      apply(b.J, b.x, b.r);
      b.r = b.right - b.r;
      b.shadow = b.r;
      rho = shadow_norm = b.r.squaredNorm();
      b.p.setZero();
      b.v.setZero();
    }
    const double beta = rho / before * (alpha / omega);
    b.p = b.r + beta * (b.p - omega * b.v);
    b.y = b.inverse.cwiseProduct(b.p);
    apply(b.J, b.y, b.v);
    alpha = rho / b.shadow.dot(b.v);
    b.s = b.r - alpha * b.v;
    b.z = b.inverse.cwiseProduct(b.s);
    apply(b.J, b.z, b.t);
    const double length = b.t.squaredNorm();
    omega = length > 0.0 ? b.t.dot(b.s) / length : 0.0;
    b.x += alpha * b.y + omega * b.z;
    b.r = b.s - omega * b.t;
    if (omega == 0.0) return;
  }
}

class BlockNewtonStep {
 public:
  BlockNewtonStep(const BlockFriction& problem, const NewtonSettings& settings,
                  BlockNewtonBuffers& buffers)
      : problem_(problem), settings_(settings), b_(buffers) {
    b_.resize(problem.n);
    b_.active.resize(problem.n);
    // Fewer contacts are active at one time and more at another: room for all.
    b_.J.row_start.reserve(problem.n + 1);
    b_.J.columns.reserve(problem.W.columns.size());
    b_.J.blocks.reserve(problem.W.blocks.size());
  }

  bool operator()(const VectorXd& rho);

 private:
  using Block = Eigen::Map<RowMajor3>;

  void place_matrix();
  [[nodiscard]] Block A(int i) { return Block(b_.blocks.data() + 18 * i); }
  [[nodiscard]] Block B(int i) { return Block(A(i).data() + 9); }

  const BlockFriction& problem_;
  const NewtonSettings& settings_;
  BlockNewtonBuffers& b_;
};

/// J = A + B (W + shift) at the contacts that are not open; the others have empty rows, so that all
/// vectors keep their length.
void BlockNewtonStep::place_matrix() {
  BlockRows& J = b_.J;
  J.row_start.assign(1, 0);
  J.columns.clear();
  J.blocks.clear();
  b_.inverse.setOnes(3 * problem_.n);
  for (int i = 0; i < problem_.n; ++i) {
    for (int k = problem_.W.row_start[i]; k < problem_.W.row_start[i + 1]; ++k) {
      const int j = problem_.W.columns[k];
      if (!b_.active[i] || !b_.active[j]) continue;
      RowMajor3 W = Eigen::Map<const RowMajor3>(problem_.W.blocks.data() + 9 * k);
      if (i == j) W.diagonal().array() += settings_.shift + settings_.compliance;
      RowMajor3 block = B(i) * W;
      if (i == j) block += A(i);
      for (int l = 0; i == j && l < 3; ++l)
        if (block(l, l) != 0.0) b_.inverse[3 * i + l] = 1.0 / block(l, l);
      J.columns.push_back(j);
      J.blocks.insert(J.blocks.end(), block.data(), block.data() + 9);
    }
    J.row_start.push_back(static_cast<int>(J.columns.size()));
  }
}

/// Open contacts lose their force, which moves the others; then J δ = −F.
bool BlockNewtonStep::operator()(const VectorXd& rho) {
  for (int i = 0; i < problem_.n; ++i) {
    const bool open = b_.kinds[i] == ContactEquations::open;
    b_.active[i] = open ? 0 : 1;
    for (int k = 3 * i; k < 3 * i + 3; ++k) b_.step[k] = open ? -rho[k] : 0;
    if (b_.kinds[i] != ContactEquations::stick) continue;
    A(i).setZero();
    B(i).setIdentity();
  }
  problem_.apply(b_.step, b_.change);
  b_.change -= problem_.q;
  b_.right.setZero(3 * problem_.n);
  for (int i = 0; i < problem_.n; ++i)
    if (b_.active[i])
      b_.right.segment<3>(3 * i) = -b_.F.segment<3>(3 * i) - B(i) * b_.change.segment<3>(3 * i);
  place_matrix();
  solve_by_gradients(b_);
  for (int i = 0; i < problem_.n; ++i)
    if (b_.active[i]) b_.step.segment<3>(3 * i) = b_.x.segment<3>(3 * i);
  return true;
}

}  // namespace

NewtonResult solve_newton(const BlockFriction& problem, const NewtonSettings& settings,
                          BlockNewtonBuffers& buffers, VectorXd& rho) {
  return iterate_newton(problem, settings, buffers, rho,
                        BlockNewtonStep(problem, settings, buffers));
}

}  // namespace pequod
