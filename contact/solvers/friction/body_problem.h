// Many contacts between bodies, by the rows of the bodies alone: W is never formed.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

#include "contact/solvers/poison.h"

namespace pequod {

/// Coordinates of a body: rows of one that has fewer end in zeros.
inline constexpr int kBodyWidth = 6;
/// Entries of the three rows of a contact on one body, row by row.
inline constexpr int kBodyRows = 3 * kBodyWidth;

/// Coulomb's law (friction_problem.h) for contacts between pairs of bodies in the coordinates
/// y = M^½ v, where the kinetic metric is the plain one: u = J y⁺ + b and y⁺ = y + Jᵀ r, so that
/// W = J Jᵀ and q = J y + b.
struct BodyProblem {
  Eigen::VectorXd y;                   ///< 6 × bodies: without impulses
  std::vector<std::array<int, 2>> on;  ///< the two bodies of a contact; −1: none
  std::vector<double> rows;  ///< 36 a contact: 3 × 6 of the first, then of the second body
  Eigen::VectorXd b;         ///< 3 × contacts, m/s, normal first
  std::vector<double> mu;    ///< contacts; kNoSlipFriction and more: no slip

  [[nodiscard]] int bodies() const { return static_cast<int>(y.size()) / kBodyWidth; }
  [[nodiscard]] int contacts() const { return static_cast<int>(on.size()); }
  /// No contacts, storage kept. @param bodies  y of so many, not set
  void reset(int bodies) {
    y.resize(static_cast<Eigen::Index>(kBodyWidth) * bodies);
    on.clear();
    rows.clear();
    mu.clear();
  }
};

/// A contact in contact units, ρ = r/d and û = d u with d = (tr W_ii/3)^−½, where Ŵ has unit mean
/// diagonal, and what its own problem needs.
struct ScaledContact {
  std::array<int, 2> on{};                   ///< first coordinates in y; no body: one of zeros
  std::array<double, 2 * kBodyRows> rows{};  ///< G
  std::array<double, 9> W{}, inverse{};      ///< of the contact alone, by rows
  std::array<double, 3> b{};
  double mu = 0.0, d = 1.0;
  /// S = W_tt − w wᵀ/W_nn = R diag(σ) Rᵀ, R the rotation by an angle of this cosine and sine.
  std::array<double, 2> sigma{};
  double cosine = 1.0, sine = 0.0;
  bool plain = false;  ///< w = 0 and S a multiple of the identity, as of spheres
  bool no_slip = false;
};

/// The problem in contact units. y has one body more, of zeros, for contacts with the world.
struct ScaledBodies {
  std::vector<ScaledContact> contacts;
  Eigen::VectorXd y_free;
  double q_norm = 0.0;  ///< |q̂|
  int bodies = 0;

  [[nodiscard]] int n() const { return static_cast<int>(contacts.size()); }
  void poison() { pequod::poison(y_free); }
};

void scale_bodies(const BodyProblem& problem, ScaledBodies& scaled);

/// û of one contact at y.
inline void contact_speed(const ScaledContact& contact, const double* y, double* u) {
  const double* a = y + contact.on[0];
  const double* b = y + contact.on[1];
  for (int k = 0; k < 3; ++k) {
    const double* G = contact.rows.data() + kBodyWidth * k;
    const double* H = G + kBodyRows;
    double first = 0.0, second = 0.0;
    for (int c = 0; c < kBodyWidth; ++c) {
      first += G[c] * a[c];
      second += H[c] * b[c];
    }
    u[k] = contact.b[static_cast<std::size_t>(k)] + (first + second);
  }
}

/// y ← y + Gᵀ ρ of one contact.
inline void add_impulse(const ScaledContact& contact, const double* rho, double* y) {
  double* a = y + contact.on[0];
  double* b = y + contact.on[1];
  const double* G = contact.rows.data();
  for (int c = 0; c < kBodyWidth; ++c)
    a[c] += G[c] * rho[0] + G[c + 6] * rho[1] + G[c + 12] * rho[2];
  G += kBodyRows;
  for (int c = 0; c < kBodyWidth; ++c)
    b[c] += G[c] * rho[0] + G[c + 6] * rho[1] + G[c + 12] * rho[2];
}

/// y = y_f + Gᵀ ρ: each impulse equal and opposite.
void find_motion(const ScaledBodies& problem, const Eigen::VectorXd& rho, Eigen::VectorXd& y);

/// |ρ − P_K(ρ − û − μ|û_t|e_n)|, of all contacts together and of the worst, over
/// max(|q̂|, |ρ|, |û|).
struct BodyResidual {
  double all = 0.0, worst = 0.0;
};
[[nodiscard]] BodyResidual natural_map(const ScaledBodies& problem, const Eigen::VectorXd& rho,
                                       const Eigen::VectorXd& y);

/// ρ ← its projection on the cones.
void project_on_cones(const ScaledBodies& problem, Eigen::VectorXd& rho);

/// Coulomb's law of one contact, exactly: û = W ρ + q. Open, stuck, or sliding by the one root of
/// |ρ_t| = μρ_n, ρ_t = −(S + αI)⁻¹s, s = q_t − w q_n/W_nn.
void solve_contact_law(const ScaledContact& contact, const double* q, double* rho);

}  // namespace pequod
