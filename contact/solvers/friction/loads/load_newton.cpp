#include "contact/solvers/friction/loads/load_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pequod {

namespace {

constexpr int kMostLoadSteps = 12, kLoadHalvings = 3, kLoadMemory = 6;

class LoadNewton {
 public:
  LoadNewton(const LoadScaled& scaled, const LoadNewtonSettings& settings,
             LoadNewtonBuffers& buffers)
      : s_(scaled), settings_(settings), b_(buffers) {
    b_.F.resize(3 * s_.n);
    b_.step_r.resize(3 * s_.n);
    b_.blocks.resize(18 * s_.n);
    b_.response.resize(9 * s_.n);
    b_.kinds.resize(s_.n);
  }

  double evaluate(const VectorXd& y, const VectorXd& r);
  LoadNewtonResult solve(VectorXd& y, VectorXd& r);

 private:
  double advance(double limit, VectorXd& y, VectorXd& r);
  void respond(int i, double* without);
  void add_contact(int i, Eigen::Map<MatrixXd>& H);
  bool find_step();

  const LoadScaled& s_;
  const LoadNewtonSettings& settings_;
  LoadNewtonBuffers& b_;
};

// The residuals and their derivatives; @return their norm
double LoadNewton::evaluate(const VectorXd& y, const VectorXd& r) {
  b_.left = y - s_.y;
  for (int i = 0; i < s_.n; ++i) {
    const double* own = r.data() + 3 * i;
    s_.add(i, -1.0, own, b_.left);
    std::array<double, 3> rho{}, u{};
    s_.speed_of(i, y, u.data());
    for (int k = 0; k < 3; ++k) {
      rho[k] = own[k] / s_.force[i];
      const double centre = settings_.centre ? (*settings_.centre)[3 * i + k] : 0.0;
      u[k] = u[k] / s_.speed + kLoadCompliance * (own[k] - centre) / s_.force[i];
    }
    double* A = b_.blocks.data() + 18 * i;
    b_.kinds[i] =
        alart_curnier_equations(s_.mu[i], rho.data(), u.data(), b_.F.data() + 3 * i, {A, A + 9});
  }
  b_.left.array() /= s_.load.array();
  return std::sqrt(b_.left.squaredNorm() + b_.F.squaredNorm());
}

// A δρ + B (δû + ε δρ) = −F solved for δρ = δρ₀ − C δû.
void LoadNewton::respond(int i, double* without) {
  Eigen::Map<RowMajor3> C(b_.response.data() + 9 * i);
  constexpr double epsilon = kLoadCompliance;
  const auto F = b_.F.segment<3>(3 * i);
  Eigen::Map<Eigen::Vector3d> out(without);
  if (b_.kinds[i] == ContactEquations::open) {
    C.setZero();
    out = -F;
  } else if (b_.kinds[i] == ContactEquations::stick) {
    C = RowMajor3::Identity() / epsilon;
    out = -F / epsilon;
  } else {
    const Eigen::Map<const RowMajor3> A(b_.blocks.data() + 18 * i);
    const Eigen::Map<const RowMajor3> B(A.data() + 9);
    const RowMajor3 inverse = (A + epsilon * B).inverse();
    C = inverse * B;
    out = -inverse * F;
  }
}

// H ← H + P C Gᵀ of contact i, in units.
void LoadNewton::add_contact(int i, Eigen::Map<MatrixXd>& H) {
  const Eigen::Map<const RowMajor3> C(b_.response.data() + 9 * i);
  for (int q = s_.begin[i]; q < s_.begin[i + 1]; ++q) {
    const int column = s_.rows[q];
    const Eigen::Map<const Eigen::Vector3d> moved(&s_.blocks[3 * q]);
    const Eigen::Vector3d pushed = C * moved * (s_.rate[column] / s_.speed * s_.force[i]);
    for (int p = s_.begin[i]; p < s_.begin[i + 1]; ++p) {
      const Eigen::Map<const Eigen::Vector3d> pushes(&s_.pushes[3 * p]);
      H(s_.rows[p], column) += pushes.dot(pushed) / s_.load[s_.rows[p]];
    }
  }
}

// @return  false if there is none
bool LoadNewton::find_step() {
  auto H = b_.lu.matrix(s_.m);
  H.setZero();
  H.diagonal() = s_.rate.cwiseQuotient(s_.load);
  b_.step_y = -b_.left.cwiseProduct(s_.load);
  for (int i = 0; i < s_.n; ++i) {
    double* without = b_.step_r.data() + 3 * i;
    respond(i, without);
    s_.add(i, s_.force[i], without, b_.step_y);
    add_contact(i, H);
  }
  b_.step_y.array() /= s_.load.array();
  for (int k = 0; k < s_.m; ++k) {
    const double largest = H.row(k).cwiseAbs().maxCoeff();
    H.row(k) /= largest;
    b_.step_y[k] /= largest;
  }
  if (!(b_.lu.factor() > 0.0)) return false;
  b_.lu.solve(b_.step_y.data());
  b_.step_y.array() *= s_.rate.array();
  for (int i = 0; i < s_.n; ++i) {
    const Eigen::Map<const RowMajor3> C(b_.response.data() + 9 * i);
    Eigen::Vector3d moved;
    s_.speed_of(i, b_.step_y, moved.data());
    moved += s_.c.segment<3>(3 * i);
    auto own = b_.step_r.segment<3>(3 * i);
    own = (own - C * moved / s_.speed).eval() * s_.force[i];
  }
  return true;
}

double LoadNewton::advance(double limit, VectorXd& y, VectorXd& r) {
  double length = 1.0, norm = 0.0;
  for (int halving = 0; halving <= kLoadHalvings; ++halving, length *= 0.5) {
    b_.next_y = y + length * b_.step_y;
    b_.next_r = r + length * b_.step_r;
    norm = evaluate(b_.next_y, b_.next_r);
    if (norm < limit) break;
  }
  y.swap(b_.next_y);
  r.swap(b_.next_r);
  return norm;
}

LoadNewtonResult LoadNewton::solve(VectorXd& y, VectorXd& r) {
  std::array<double, kLoadMemory> last{};
  LoadNewtonResult result;
  bool aimed = false;
  double norm = evaluate(y, r);
  result.residual = std::numeric_limits<double>::infinity();
  while (std::isfinite(norm)) {
    if (norm < result.residual) {
      result.residual = norm;
      b_.best_y = y;
      b_.best_r = r;
    }
    if (aimed || result.iterations == kMostLoadSteps) break;
    aimed = norm <= settings_.aim;
    last[result.iterations % kLoadMemory] = norm;
    ++result.iterations;
    if (!find_step()) break;
    norm = advance(*std::max_element(last.begin(), last.end()), y, r);
  }
  if (std::isfinite(result.residual)) {
    y = b_.best_y;
    r = b_.best_r;
  }
  return result;
}

}  // namespace

LoadNewtonResult solve_load_newton(const LoadScaled& scaled, const LoadNewtonSettings& settings,
                                   LoadNewtonBuffers& buffers, VectorXd& y, VectorXd& r) {
  return LoadNewton(scaled, settings, buffers).solve(y, r);
}

}  // namespace pequod
