#include "contact/solvers/quadratic/cone_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/linear/gaussian_elimination.h"
#include "contact/solvers/linear/small_vector_operations.h"
#include "contact/solvers/quadratic/cone_method.h"

namespace pequod {

namespace {

/// The Newton systems of dense matrices.
class DenseConeSystem {
 public:
  DenseConeSystem(const ConeProgram& program, InteriorPointBuffers& buffers)
      : p_(program), b_(buffers), linear_(static_cast<int>(program.c.size())) {
    low_rank_ = 3 * static_cast<int>(program.cones.size()) == variables() &&
                find_low_rank(p_.A, p_.B, p_.bounds, b_.low_rank);
  }

  void apply(const VectorXd& x, VectorXd& result) const { result.noalias() = p_.A * x; }
  void rows_times(const VectorXd& x, VectorXd& result) const {
    const Index N = x.size();
    for (int i = 0; i < linear_; ++i) result[i] = dot(p_.B.data() + i * N, x.data(), N);
  }
  void add_transposed(double factor, const VectorXd& y, VectorXd& result) const {
    const Index N = result.size();
    for (int i = 0; i < linear_; ++i)
      add_scaled(factor * y[i], p_.B.data() + i * N, result.data(), N);
  }
  [[nodiscard]] bool factorise(const ConeIterates& at, bool first);
  [[nodiscard]] bool solve(const ConeIterates& at, bool first, double allowed, VectorXd& x);

 private:
  [[nodiscard]] bool form_dense(const ConeIterates& at, bool first);
  [[nodiscard]] int variables() const { return static_cast<int>(p_.b.size()); }
  [[nodiscard]] int size() const { return variables() + linear_; }

  const ConeProgram& p_;
  InteriorPointBuffers& b_;
  int linear_;
  bool low_rank_ = false;
};

/// With the linear rows eliminated too, as in normal equations, a feasible set of no interior loses
/// all digits: a twentieth of boxes and half of stacks did not end.
bool DenseConeSystem::factorise(const ConeIterates& at, bool first) {
  if (!low_rank_) return form_dense(at, first);
  b_.low_rank.linear.resize(linear_);
  for (int i = 0; i < linear_; ++i) b_.low_rank.linear[i] = first ? 1.0 : at.s[i] / at.z[i];
  low_rank_ = factor_low_rank(p_.mu, first ? std::vector<ConeScaling>{} : at.scalings, b_.low_rank);
  return low_rank_ || form_dense(at, first);
}

bool DenseConeSystem::form_dense(const ConeIterates& at, bool first) {
  const int N = variables(), stride = size();
  b_.pivots.resize(stride);
  b_.matrix.resize(static_cast<std::size_t>(stride) * stride);
  double* K = b_.matrix.data();
  for (int i = 0; i < N; ++i) {
    double* row = K + i * stride;
    std::copy_n(p_.A.data() + i * N, N, row);
    // Variables without a constraint may be ones that A does not feel.
    row[i] += 1e-14 * p_.A(i, i);
    for (int j = 0; j < linear_; ++j) row[N + j] = p_.B(j, i);
  }
  for (int i = 0; i < linear_; ++i) {
    double* row = K + (N + i) * stride;
    std::copy_n(p_.B.data() + i * N, N, row);
    std::fill_n(row + N, linear_, 0.0);
    row[N + i] = first ? -1 : -at.s[i] / at.z[i];
  }
  for (int k = 0; k < static_cast<int>(p_.cones.size()); ++k) {
    const int contact = p_.cones[k];
    const double mu = p_.mu[contact];
    for (int j = 0; j < 3; ++j) {
      std::array<double, 3> column{};
      column[j] = j == 0 ? mu : 1;
      if (!first) at.scalings[k].apply_inverse_square(column.data(), column.data());
      for (int i = 0; i < 3; ++i)
        K[(3 * contact + i) * stride + 3 * contact + j] += (i == 0 ? mu : 1) * column[i];
    }
  }
  return factorise_eliminated(K, size(), stride, b_.pivots.data());
}

/// From all of K where the system of low rank leaves more than `allowed` of the right side.
bool DenseConeSystem::solve(const ConeIterates& at, bool first, double allowed, VectorXd& x) {
  if (low_rank_) {
    if (solve_low_rank(p_.A, p_.B, allowed, b_.low_rank, x)) return true;
    low_rank_ = false;
    if (!form_dense(at, first)) return false;
  }
  solve_eliminated(b_.matrix.data(), size(), size(), b_.pivots.data(), x.data());
  return true;
}

}  // namespace

double InteriorPointResult::error() const {
  if (std::isnan(gap + primal + dual)) return std::numeric_limits<double>::infinity();
  return std::max({gap, primal, dual});
}

InteriorPointResult solve_cone_program(const ConeProgram& program,
                                       const InteriorPointSettings& settings,
                                       InteriorPointBuffers& buffers, VectorXd& x) {
  DenseConeSystem system(program, buffers);
  return ConeMethod(program, system, buffers.iterates).solve(settings, x);
}

}  // namespace pequod
