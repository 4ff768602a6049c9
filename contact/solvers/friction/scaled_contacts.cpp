#include "contact/solvers/friction/scaled_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "contact/solvers/friction/friction_cone.h"
#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

double ScaledContacts::size(const VectorXd& rho, const VectorXd& u) const {
  const double S = std::max({q_norm, rho.norm(), u.norm(), scale});
  return S > 0 ? S : 1;
}

void ScaledContacts::project(int i, double* p) const {
  if (mu[i] >= kNoSlipFriction) {
    if (p[0] > 0) return;
    p[0] = 0;
    if (!associated) p[1] = p[2] = 0;
    return;
  }
  if (stride == 5)
    project_on_rolling_cone(mu[i], mu_rolling[i], p);
  else
    project_on_cone(mu[i], p);
}

double ScaledContacts::shift(int i, const double* u) const {
  if (associated || mu[i] >= kNoSlipFriction) return 0;
  const double slip = mu[i] * std::sqrt(u[1] * u[1] + u[2] * u[2]);
  if (stride == 3) return slip;
  return slip + mu_rolling[i] * std::sqrt(u[3] * u[3] + u[4] * u[4]);
}

double ScaledContacts::natural_map(const VectorXd& rho, const VectorXd& u) const {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double* r = rho.data() + stride * i;
    const double* velocity = u.data() + stride * i;
    std::array<double, 5> p{};
    for (int k = 0; k < stride; ++k) p[k] = r[k] - velocity[k];
    p[0] -= shift(i, velocity);
    project(i, p.data());
    for (int k = 0; k < stride; ++k) sum += (r[k] - p[k]) * (r[k] - p[k]);
  }
  return std::sqrt(sum) / size(rho, u);
}

void start_from(const ScaledContacts& scaled, int dimension, std::span<const double> r,
                VectorXd& rho) {
  if (r.empty()) {
    rho = -scaled.q;
    for (int i = 0; i < scaled.n; ++i) scaled.project(i, rho.data() + scaled.stride * i);
    return;
  }
  if (static_cast<int>(r.size()) != dimension * scaled.n)
    throw std::invalid_argument("friction problem: the warm start has " + std::to_string(r.size()) +
                                " entries, not " + std::to_string(dimension * scaled.n));
  rho.setZero(scaled.rows());
  for (int i = 0; i < scaled.n; ++i)
    for (int k = 0; k < dimension; ++k)
      rho[scaled.stride * i + k] = r[dimension * i + k] / scaled.d[i];
}

void unscale(const ScaledContacts& scaled, int dimension, const VectorXd& rho, VectorXd& r) {
  r.resize(static_cast<Index>(dimension) * scaled.n);
  for (int i = 0; i < scaled.n; ++i)
    for (int k = 0; k < dimension; ++k)
      r[dimension * i + k] = scaled.d[i] * rho[scaled.stride * i + k];
}

}  // namespace pequod
