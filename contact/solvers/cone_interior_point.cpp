#include "contact/solvers/cone_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/small_vector_operations.h"

namespace pequod {

namespace {

/// Lower Cholesky factor in place; false if a pivot is not positive.
bool factorise(RowMajorMatrix& H) {
  const Eigen::Index N = H.rows();
  for (Eigen::Index i = 0; i < N; ++i) {
    double* row = H.data() + i * N;
    for (Eigen::Index j = 0; j < i; ++j) {
      const double* other = H.data() + j * N;
      row[j] = (row[j] - dot(row, other, j)) * other[j];
    }
    const double pivot = row[i] - dot(row, row, i);
    if (!(pivot > 0)) return false;
    row[i] = 1 / std::sqrt(pivot);  // the diagonal holds inverses
  }
  return true;
}

/// x ← H⁻¹ x
void solve_factorised(const RowMajorMatrix& H, Eigen::VectorXd& x) {
  const Eigen::Index N = H.rows();
  for (Eigen::Index i = 0; i < N; ++i) x[i] = (x[i] - dot(H.data() + i * N, x.data(), i)) * H(i, i);
  for (Eigen::Index i = N - 1; i >= 0; --i) {
    x[i] *= H(i, i);
    add_scaled(-x[i], H.data() + i * N, x.data(), i);
  }
}

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
    b_.factor.resize(p_.b.size(), p_.b.size());
  }

  InteriorPointResult solve(const InteriorPointSettings& settings, Eigen::VectorXd& x);

 private:
  void rows_times(const Eigen::VectorXd& x, Eigen::VectorXd& result) const;
  void add_transposed(double factor, const Eigen::VectorXd& y, Eigen::VectorXd& result) const;
  bool form_and_factorise(bool first);
  bool start(Eigen::VectorXd& x);
  void push_inside(Eigen::VectorXd& y) const;
  InteriorPointResult residuals(const Eigen::VectorXd& x);
  void scale();
  void direction();
  void corrector(double target);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] int degree() const { return linear_ + cones_; }

  const ConeProgram& p_;
  InteriorPointBuffers& b_;
  int linear_, cones_;
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

/// H = A + rowsᵀ Θ⁻² rows, at the first call with Θ = 1.
bool InteriorPoint::form_and_factorise(bool first) {
  const Eigen::Index N = p_.b.size();
  b_.factor = p_.A;
  for (int i = 0; i < linear_; ++i) {
    const double weight = first ? 1 : b_.z[i] / b_.s[i];
    const double* row = p_.B.data() + i * N;
    for (Eigen::Index j = 0; j < N; ++j)
      if (row[j] != 0) add_scaled(weight * row[j], row, b_.factor.data() + j * N, j + 1);
  }
  for (int k = 0; k < cones_; ++k) {
    const int contact = p_.cones[k];
    const double mu = p_.mu[contact];
    for (int j = 0; j < 3; ++j) {
      std::array<double, 3> column{};
      column[j] = j == 0 ? mu : 1;
      if (!first) b_.scalings[k].apply_inverse_square(column.data(), column.data());
      for (int i = j; i < 3; ++i)
        b_.factor(3 * contact + i, 3 * contact + j) += (i == 0 ? mu : 1) * column[i];
    }
  }
  // Variables without a constraint may be ones that A does not feel.
  b_.factor.diagonal().array() += 1e-14 * (1 + p_.A.diagonal().maxCoeff());
  return factorise(b_.factor);
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
  x = -p_.b;
  add_transposed(-1, b_.e, x);
  solve_factorised(b_.factor, x);
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

/// dx, ds, dz with A dx − rowsᵀdz = −dual, rows dx − ds = −rp, Θ dz + Θ⁻¹ds = e:
///   H dx = −dual + rowsᵀ(Θ⁻¹e − Θ⁻²rp),  dz = Θ⁻¹e − Θ⁻²(rp + rows dx),  ds = rp + rows dx.
void InteriorPoint::direction() {
  Eigen::VectorXd& weighted = b_.weight;
  const auto weigh = [&](const Eigen::VectorXd& y) {  // Θ⁻¹e − Θ⁻²y
    for (int i = 0; i < linear_; ++i)
      weighted[i] = std::sqrt(b_.z[i] / b_.s[i]) * b_.e[i] - b_.z[i] / b_.s[i] * y[i];
    for (int k = 0; k < cones_; ++k) {
      const int row = linear_ + 3 * k;
      std::array<double, 3> first, second;
      b_.scalings[k].apply_inverse(b_.e.data() + row, first.data());
      b_.scalings[k].apply_inverse_square(y.data() + row, second.data());
      for (int j = 0; j < 3; ++j) weighted[row + j] = first[j] - second[j];
    }
  };
  weigh(b_.rp);
  b_.dx = -b_.dual;
  add_transposed(1, weighted, b_.dx);
  solve_factorised(b_.factor, b_.dx);
  rows_times(b_.dx, b_.ds);
  b_.ds += b_.rp;
  weigh(b_.ds);
  b_.dz = weighted;
}

/// e ← λ \ (target·1 − λ∘λ − (Θ⁻¹ds)∘(Θ dz)), from the affine direction.
void InteriorPoint::corrector(double target) {
  for (int i = 0; i < linear_; ++i)
    b_.e[i] = (target - b_.s[i] * b_.z[i] - b_.ds[i] * b_.dz[i]) / b_.lambda[i];
  for (int k = 0; k < cones_; ++k) {
    const int row = linear_ + 3 * k;
    std::array<double, 3> ds, dz, right, square;
    b_.scalings[k].apply_inverse(b_.ds.data() + row, ds.data());
    b_.scalings[k].apply(b_.dz.data() + row, dz.data());
    cone_product(ds.data(), dz.data(), right.data());
    cone_product(b_.lambda.data() + row, b_.lambda.data() + row, square.data());
    for (int j = 0; j < 3; ++j) right[j] = (j == 0 ? target : 0) - square[j] - right[j];
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
  InteriorPointResult best;
  if (!start(x)) return best;
  Eigen::VectorXd& best_x = b_.best;
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
    b_.e = -b_.lambda;
    direction();
    const double affine = std::min(1.0, longest_step());
    const double mean = b_.s.dot(b_.z) / degree();
    corrector(std::pow(1 - affine, 3) * mean);
    direction();
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
