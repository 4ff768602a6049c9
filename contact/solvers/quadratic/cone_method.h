// The interior point method on whatever solves its Newton systems.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/linear/vectors.h"
#include "contact/solvers/quadratic/cone_interior_point.h"

namespace pequod {

/// Primal-dual interior point with Nesterov & Todd's scaling and Mehrotra's predictor and corrector
/// (Andersen, Dahl & Vandenberghe 2003). Needs no feasible start, but one inside of the cones.
///
/// `System` knows A and B and the factors of K = [A + Cᵀ Θ⁻² C, Bᵀ; B, −Θ²], C the rows of the
/// cones; at the `first` factor Θ = 1:
///
///   void apply(x, result)                     result ← A x
///   void rows_times(x, result)                first entries of result ← B x
///   void add_transposed(factor, y, result)    result ← result + factor · Bᵀ y
///   bool factorise(iterates, first)
///   bool solve(iterates, first, allowed, x)   x ← K⁻¹ x; `allowed`: 2-norm of what may be left
template <typename System>
class ConeMethod {
 public:
  ConeMethod(const ConeRows& rows, System& system, ConeIterates& iterates)
      : p_(rows),
        system_(system),
        b_(iterates),
        linear_(static_cast<int>(rows.c.size())),
        cones_(static_cast<int>(rows.cones.size())) {
    const int size = linear_ + 3 * cones_;
    for (VectorXd* v : {&b_.s, &b_.z, &b_.lambda, &b_.ds, &b_.dz, &b_.e, &b_.rp, &b_.weight})
      v->resize(size);
    b_.dual.resize(p_.b.size());
    b_.dx.resize(p_.b.size());
    b_.scalings.resize(cones_);
    b_.solution.resize(variables() + linear_);
  }

  InteriorPointResult solve(const InteriorPointSettings& settings, VectorXd& x);

 private:
  // Of the residuals, what one direction may leave.
  static constexpr double kLeft = 1e-3;

  void rows_times(const VectorXd& x, VectorXd& result);
  void add_transposed(double factor, const VectorXd& y, VectorXd& result);
  [[nodiscard]] bool start(VectorXd& x);
  void push_inside(VectorXd& y) const;
  InteriorPointResult residuals(const VectorXd& x);
  void scale();
  [[nodiscard]] bool direction(double allowed);
  void weigh(const VectorXd& y);
  void corrector(double target, double weight);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] int degree() const { return linear_ + cones_; }
  [[nodiscard]] int variables() const { return static_cast<int>(p_.b.size()); }

  const ConeRows& p_;
  System& system_;
  ConeIterates& b_;
  int linear_, cones_;
};

/// result ← all rows of the constraints times x: B x, then (μ x_n, x_t) cone by cone
template <typename System>
void ConeMethod<System>::rows_times(const VectorXd& x, VectorXd& result) {
  system_.rows_times(x, result);
  for (int k = 0; k < cones_; ++k) {
    const int contact = p_.cones[k];
    double* row = result.data() + linear_ + 3 * k;
    row[0] = p_.mu[contact] * x[3 * contact];
    row[1] = x[3 * contact + 1];
    row[2] = x[3 * contact + 2];
  }
}

/// result ← result + factor · rowsᵀ y
template <typename System>
void ConeMethod<System>::add_transposed(double factor, const VectorXd& y, VectorXd& result) {
  system_.add_transposed(factor, y, result);
  for (int k = 0; k < cones_; ++k) {
    const int contact = p_.cones[k];
    const double* row = y.data() + linear_ + 3 * k;
    result[3 * contact] += factor * p_.mu[contact] * row[0];
    result[3 * contact + 1] += factor * row[1];
    result[3 * contact + 2] += factor * row[2];
  }
}

/// y ← y + α e, inside the cones with a margin.
template <typename System>
void ConeMethod<System>::push_inside(VectorXd& y) const {
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
template <typename System>
bool ConeMethod<System>::start(VectorXd& x) {
  b_.e.setZero();
  b_.e.head(linear_) = p_.c;
  if (p_.width.size() > 0)
    for (int k = 0; k < cones_; ++k) b_.e[linear_ + 3 * k] = p_.width[p_.cones[k]];
  if (!system_.factorise(b_, true)) return false;
  // The linear rows of K give B x + c = z, so only those of the cones stand on the right.
  b_.weight = b_.e;
  b_.weight.head(linear_).setZero();
  x = -p_.b;
  add_transposed(-1, b_.weight, x);
  b_.solution << x, -p_.c;
  if (!system_.solve(b_, true, kLeft * b_.solution.norm(), b_.solution)) return false;
  x = b_.solution.head(variables());
  rows_times(x, b_.s);
  b_.s += b_.e;
  b_.z = -b_.s;
  push_inside(b_.s);
  push_inside(b_.z);
  return true;
}

template <typename System>
InteriorPointResult ConeMethod<System>::residuals(const VectorXd& x) {
  rows_times(x, b_.rp);
  b_.rp -= b_.s;
  b_.rp.head(linear_) += p_.c;
  if (p_.width.size() > 0)
    for (int k = 0; k < cones_; ++k) b_.rp[linear_ + 3 * k] += p_.width[p_.cones[k]];
  system_.apply(x, b_.dual);
  b_.dual += p_.b;
  add_transposed(-1, b_.z, b_.dual);
  InteriorPointResult result;
  result.primal = b_.rp.norm() / p_.scale;
  result.dual = b_.dual.norm() / p_.scale;
  result.gap = b_.s.dot(b_.z) / (p_.scale * p_.scale);
  return result;
}

/// Θ of every row and λ = Θ z.
template <typename System>
void ConeMethod<System>::scale() {
  for (int i = 0; i < linear_; ++i) b_.lambda[i] = std::sqrt(b_.s[i] * b_.z[i]);
  for (int k = 0; k < cones_; ++k) {
    const int row = linear_ + 3 * k;
    b_.scalings[k] = scale_pair(b_.s.data() + row, b_.z.data() + row);
    b_.scalings[k].apply(b_.z.data() + row, b_.lambda.data() + row);
  }
}

/// weight ← Θ⁻¹e − Θ⁻²y at the cones
template <typename System>
void ConeMethod<System>::weigh(const VectorXd& y) {
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
template <typename System>
bool ConeMethod<System>::direction(double allowed) {
  const int N = variables();
  b_.weight.head(linear_).setZero();
  weigh(b_.rp);
  b_.dx = -b_.dual;
  add_transposed(1, b_.weight, b_.dx);
  b_.solution.head(N) = b_.dx;
  for (int i = 0; i < linear_; ++i)
    b_.solution[N + i] = std::sqrt(b_.s[i] / b_.z[i]) * b_.e[i] - b_.rp[i];
  if (!system_.solve(b_, false, allowed, b_.solution)) return false;
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
template <typename System>
void ConeMethod<System>::corrector(double target, double weight) {
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

template <typename System>
double ConeMethod<System>::longest_step() const {
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

template <typename System>
InteriorPointResult ConeMethod<System>::solve(const InteriorPointSettings& settings, VectorXd& x) {
  constexpr double kBack = 0.995;  // of the way to the boundary
  // Without it single s_i z_i run ahead to 1e-20 and take the digits of the others with them.
  constexpr double kLeastCentring = 0.03;
  // The affine step from which on its second-order term counts in full: of a step that a thin set
  // all but forbids it only leads astray.
  constexpr double kFarEnough = 0.25;
  InteriorPointResult best;
  if (settings.kept) settings.kept->x.resize(0);
  if (settings.from) {
    x = settings.from->x;
    b_.s = settings.from->s;
    b_.z = settings.from->z;
  } else if (!start(x)) {
    return best;
  }
  VectorXd& best_x = b_.best;
  best_x = x;
  for (int iteration = 0;; ++iteration) {
    InteriorPointResult now = residuals(x);
    now.iterations = iteration;
    if (!(best.error() <= now.error())) {
      best = now;
      best_x = x;
    }
    if (settings.kept && settings.kept->x.size() == 0 && now.gap < settings.keep_below)
      *settings.kept = {x, b_.s, b_.z};
    if (!std::isfinite(now.error()) || best.error() <= settings.tolerance ||
        iteration == settings.iterations)
      break;
    // Rounding has taken over if ten iterations in a row bring nothing.
    if (iteration - best.iterations > 10) break;
    scale();
    if (!system_.factorise(b_, false)) break;
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

}  // namespace pequod
