#include "contact/solvers/cone_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/gaussian_elimination.h"
#include "contact/solvers/small_vector_operations.h"

namespace pequod {

namespace {

// Of the residuals, what one direction may leave.
constexpr double kLeft = 1e-3;

class InteriorPoint {
 public:
  InteriorPoint(const ConeProgram& program, InteriorPointBuffers& buffers)
      : p_(program),
        b_(buffers),
        linear_(static_cast<int>(program.c.size())),
        cones_(static_cast<int>(program.cones.size())) {
    const int rows = linear_ + 3 * cones_;
    for (Eigen::VectorXd* v : {&b_.s, &b_.z, &b_.lambda, &b_.ds, &b_.dz, &b_.e, &b_.rp, &b_.weight})
      v->resize(rows);
    b_.dual.resize(p_.b.size());
    b_.dx.resize(p_.b.size());
    b_.scalings.resize(cones_);
    b_.solution.resize(size());
    low_rank_ = 3 * cones_ == variables() && find_low_rank(p_.A, p_.B, p_.bounds, b_.low_rank);
  }

  InteriorPointResult solve(const InteriorPointSettings& settings, Eigen::VectorXd& x);

 private:
  void rows_times(const Eigen::VectorXd& x, Eigen::VectorXd& result) const;
  void add_transposed(double factor, const Eigen::VectorXd& y, Eigen::VectorXd& result) const;
  [[nodiscard]] bool form_and_factorise(bool first);
  [[nodiscard]] bool form_dense(bool first);
  [[nodiscard]] bool solve_system(bool first, double allowed);
  [[nodiscard]] bool start(Eigen::VectorXd& x);
  void push_inside(Eigen::VectorXd& y) const;
  InteriorPointResult residuals(const Eigen::VectorXd& x);
  void scale();
  [[nodiscard]] bool direction(double allowed);
  void weigh(const Eigen::VectorXd& y);
  void corrector(double target, double weight);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] int degree() const { return linear_ + cones_; }
  [[nodiscard]] int variables() const { return static_cast<int>(p_.b.size()); }
  [[nodiscard]] int size() const { return variables() + linear_; }

  const ConeProgram& p_;
  InteriorPointBuffers& b_;
  int linear_, cones_;
  bool low_rank_ = false;
};

/// result ← all rows of the constraints times x: B x, then (μ x_n, x_t) cone by cone
void InteriorPoint::rows_times(const Eigen::VectorXd& x, Eigen::VectorXd& result) const {
  const Eigen::Index N = x.size();
  for (int i = 0; i < linear_; ++i) result[i] = dot(p_.B.data() + i * N, x.data(), N);
  for (int k = 0; k < cones_; ++k) {
    const int contact = p_.cones[k];
    double* row = result.data() + linear_ + 3 * k;
    row[0] = p_.mu[contact] * x[3 * contact];
    row[1] = x[3 * contact + 1];
    row[2] = x[3 * contact + 2];
  }
}

/// result ← result + factor · rowsᵀ y
void InteriorPoint::add_transposed(double factor, const Eigen::VectorXd& y,
                                   Eigen::VectorXd& result) const {
  const Eigen::Index N = result.size();
  for (int i = 0; i < linear_; ++i)
    add_scaled(factor * y[i], p_.B.data() + i * N, result.data(), N);
  for (int k = 0; k < cones_; ++k) {
    const int contact = p_.cones[k];
    const double* row = y.data() + linear_ + 3 * k;
    result[3 * contact] += factor * p_.mu[contact] * row[0];
    result[3 * contact + 1] += factor * row[1];
    result[3 * contact + 2] += factor * row[2];
  }
}

/// Factors of K = [A + Cᵀ Θ⁻² C, Bᵀ; B, −Θ²], C the rows of the cones; at the first call Θ = 1.
/// With the linear rows eliminated too, as in normal equations, a feasible set of no
/// interior loses all digits: a twentieth of boxes and half of stacks did not end.
bool InteriorPoint::form_and_factorise(bool first) {
  if (!low_rank_) return form_dense(first);
  b_.low_rank.linear.resize(linear_);
  for (int i = 0; i < linear_; ++i) b_.low_rank.linear[i] = first ? 1.0 : b_.s[i] / b_.z[i];
  low_rank_ = factor_low_rank(p_.mu, first ? std::vector<ConeScaling>{} : b_.scalings, b_.low_rank);
  return low_rank_ || form_dense(first);
}

bool InteriorPoint::form_dense(bool first) {
  const int N = variables(), stride = size();
  b_.dense.pivots.resize(stride);
  b_.dense.matrix.resize(static_cast<std::size_t>(stride) * stride);
  double* K = b_.dense.matrix.data();
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
    row[N + i] = first ? -1 : -b_.s[i] / b_.z[i];
  }
  for (int k = 0; k < cones_; ++k) {
    const int contact = p_.cones[k];
    const double mu = p_.mu[contact];
    for (int j = 0; j < 3; ++j) {
      std::array<double, 3> column{};
      column[j] = j == 0 ? mu : 1;
      if (!first) b_.scalings[k].apply_inverse_square(column.data(), column.data());
      for (int i = 0; i < 3; ++i)
        K[(3 * contact + i) * stride + 3 * contact + j] += (i == 0 ? mu : 1) * column[i];
    }
  }
  return factorise_eliminated(K, size(), stride, b_.dense.pivots.data());
}

/// solution ← K⁻¹ solution, from all of K where the system of low rank leaves more than `allowed`
/// of the right side.
bool InteriorPoint::solve_system(bool first, double allowed) {
  if (low_rank_) {
    if (solve_low_rank(p_.A, p_.B, allowed, b_.low_rank, b_.solution)) return true;
    low_rank_ = false;
    if (!form_dense(first)) return false;
  }
  solve_eliminated(b_.dense.matrix.data(), size(), size(), b_.dense.pivots.data(),
                   b_.solution.data());
  return true;
}

/// y ← y + α e, inside the cones with a margin.
void InteriorPoint::push_inside(Eigen::VectorXd& y) const {
  double margin = std::numeric_limits<double>::infinity();
  for (int i = 0; i < linear_; ++i) margin = std::min(margin, y[i]);
  for (int k = 0; k < cones_; ++k)
    margin = std::min(margin, cone_margin(y.data() + linear_ + 3 * k));
  const double least = 0.1 * p_.scale;
  if (margin >= least) return;
  for (int i = 0; i < linear_; ++i) y[i] += least - margin;
  for (int k = 0; k < cones_; ++k) y[linear_ + 3 * k] += least - margin;
}

/// x of least ½xᵀAx + bᵀx + ½|rows x + c|²; s and −z the rows there, pushed inside.
bool InteriorPoint::start(Eigen::VectorXd& x) {
  b_.e.setZero();
  b_.e.head(linear_) = p_.c;
  if (p_.width.size() > 0)
    for (int k = 0; k < cones_; ++k) b_.e[linear_ + 3 * k] = p_.width[p_.cones[k]];
  if (!form_and_factorise(true)) return false;
  // The linear rows of K give B x + c = z, so only those of the cones stand on the right.
  b_.weight = b_.e;
  b_.weight.head(linear_).setZero();
  x = -p_.b;
  add_transposed(-1, b_.weight, x);
  b_.solution << x, -p_.c;
  if (!solve_system(true, kLeft * b_.solution.norm())) return false;
  x = b_.solution.head(variables());
  rows_times(x, b_.s);
  b_.s += b_.e;
  b_.z = -b_.s;
  push_inside(b_.s);
  push_inside(b_.z);
  return true;
}

InteriorPointResult InteriorPoint::residuals(const Eigen::VectorXd& x) {
  rows_times(x, b_.rp);
  b_.rp -= b_.s;
  b_.rp.head(linear_) += p_.c;
  if (p_.width.size() > 0)
    for (int k = 0; k < cones_; ++k) b_.rp[linear_ + 3 * k] += p_.width[p_.cones[k]];
  b_.dual.noalias() = p_.A * x;
  b_.dual += p_.b;
  add_transposed(-1, b_.z, b_.dual);
  InteriorPointResult result;
  result.primal = b_.rp.norm() / p_.scale;
  result.dual = b_.dual.norm() / p_.scale;
  result.gap = b_.s.dot(b_.z) / (p_.scale * p_.scale);
  return result;
}

/// Θ of every row and λ = Θ z.
void InteriorPoint::scale() {
  for (int i = 0; i < linear_; ++i) b_.lambda[i] = std::sqrt(b_.s[i] * b_.z[i]);
  for (int k = 0; k < cones_; ++k) {
    const int row = linear_ + 3 * k;
    b_.scalings[k] = scale_pair(b_.s.data() + row, b_.z.data() + row);
    b_.scalings[k].apply(b_.z.data() + row, b_.lambda.data() + row);
  }
}

/// weight ← Θ⁻¹e − Θ⁻²y at the cones
void InteriorPoint::weigh(const Eigen::VectorXd& y) {
  for (int k = 0; k < cones_; ++k) {
    const int row = linear_ + 3 * k;
    std::array<double, 3> first, second;
    b_.scalings[k].apply_inverse(b_.e.data() + row, first.data());
    b_.scalings[k].apply_inverse_square(y.data() + row, second.data());
    for (int j = 0; j < 3; ++j) b_.weight[row + j] = first[j] - second[j];
  }
}

/// dx, ds, dz with A dx − rowsᵀdz = −dual, rows dx − ds = −rp, Θ dz + Θ⁻¹ds = e. At the cones
/// ds = rp + rows dx and dz = Θ⁻¹e − Θ⁻²ds; at the linear rows −dz is unknown of K, and
/// ds = Θe − Θ²dz keeps its digits however small s is.
bool InteriorPoint::direction(double allowed) {
  const int N = variables();
  b_.weight.head(linear_).setZero();
  weigh(b_.rp);
  b_.dx = -b_.dual;
  add_transposed(1, b_.weight, b_.dx);
  b_.solution.head(N) = b_.dx;
  for (int i = 0; i < linear_; ++i)
    b_.solution[N + i] = std::sqrt(b_.s[i] / b_.z[i]) * b_.e[i] - b_.rp[i];
  if (!solve_system(false, allowed)) return false;
  b_.dx = b_.solution.head(N);
  rows_times(b_.dx, b_.ds);
  b_.ds += b_.rp;
  weigh(b_.ds);
  b_.dz = b_.weight;
  for (int i = 0; i < linear_; ++i) {
    const double square = b_.s[i] / b_.z[i];
    b_.dz[i] = -b_.solution[N + i];
    b_.ds[i] = std::sqrt(square) * b_.e[i] - square * b_.dz[i];
  }
  return true;
}

/// e ← λ \ (target·1 − λ∘λ − weight·(Θ⁻¹ds)∘(Θ dz)), from the affine direction.
void InteriorPoint::corrector(double target, double weight) {
  for (int i = 0; i < linear_; ++i)
    b_.e[i] = (target - b_.s[i] * b_.z[i] - weight * b_.ds[i] * b_.dz[i]) / b_.lambda[i];
  for (int k = 0; k < cones_; ++k) {
    const int row = linear_ + 3 * k;
    std::array<double, 3> ds, dz, right, square;
    b_.scalings[k].apply_inverse(b_.ds.data() + row, ds.data());
    b_.scalings[k].apply(b_.dz.data() + row, dz.data());
    cone_product(ds.data(), dz.data(), right.data());
    cone_product(b_.lambda.data() + row, b_.lambda.data() + row, square.data());
    for (int j = 0; j < 3; ++j) right[j] = (j == 0 ? target : 0) - square[j] - weight * right[j];
    cone_quotient(b_.lambda.data() + row, right.data(), b_.e.data() + row);
  }
}

double InteriorPoint::longest_step() const {
  double step = std::numeric_limits<double>::infinity();
  for (int i = 0; i < linear_; ++i) {
    if (b_.ds[i] < 0) step = std::min(step, -b_.s[i] / b_.ds[i]);
    if (b_.dz[i] < 0) step = std::min(step, -b_.z[i] / b_.dz[i]);
  }
  for (int k = 0; k < cones_; ++k) {
    const int row = linear_ + 3 * k;
    step = std::min({step, cone_step(b_.s.data() + row, b_.ds.data() + row),
                     cone_step(b_.z.data() + row, b_.dz.data() + row)});
  }
  return step;
}

InteriorPointResult InteriorPoint::solve(const InteriorPointSettings& settings,
                                         Eigen::VectorXd& x) {
  constexpr double kBack = 0.995;  // of the way to the boundary
  // Without it single s_i z_i run ahead to 1e-20 and take the digits of the others with them.
  constexpr double kLeastCentring = 0.03;
  // The affine step from which on its second-order term counts in full: of a step that a thin set
  // all but forbids it only leads astray.
  constexpr double kFarEnough = 0.25;
  InteriorPointResult best;
  if (!start(x)) return best;
  Eigen::VectorXd& best_x = b_.best;
  best_x = x;
  for (int iteration = 0;; ++iteration) {
    InteriorPointResult now = residuals(x);
    now.iterations = iteration;
    if (!(best.error() <= now.error())) {
      best = now;
      best_x = x;
    }
    if (!std::isfinite(now.error()) || best.error() <= settings.tolerance ||
        iteration == settings.iterations)
      break;
    // Rounding has taken over if ten iterations in a row bring nothing.
    if (iteration - best.iterations > 10) break;
    scale();
    if (!form_and_factorise(false)) break;
    const double allowed =
        kLeft * p_.scale * std::max(settings.tolerance, std::min(1.0, now.error()));
    b_.e = -b_.lambda;
    if (!direction(allowed)) break;
    const double affine = std::min(1.0, longest_step());
    const double mean = b_.s.dot(b_.z) / degree();
    corrector(std::max(kLeastCentring, std::pow(1 - affine, 3)) * mean,
              std::min(1.0, affine / kFarEnough));
    if (!direction(allowed)) break;
    const double step = std::min(1.0, kBack * longest_step());
    x += step * b_.dx;
    b_.s += step * b_.ds;
    b_.z += step * b_.dz;
  }
  x = best_x;
  return best;
}

}  // namespace

double InteriorPointResult::error() const {
  if (std::isnan(gap + primal + dual)) return std::numeric_limits<double>::infinity();
  return std::max({gap, primal, dual});
}

InteriorPointResult solve_cone_program(const ConeProgram& program,
                                       const InteriorPointSettings& settings,
                                       InteriorPointBuffers& buffers, Eigen::VectorXd& x) {
  return InteriorPoint(program, buffers).solve(settings, x);
}

}  // namespace pequod
