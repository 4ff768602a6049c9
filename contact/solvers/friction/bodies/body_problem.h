// Many contacts between bodies, by the rows of the bodies alone: W is never formed.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/row_major.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Coordinates of a body: rows of one that has fewer end in zeros.
inline constexpr int kBodyWidth = 6;
/// Entries of the three rows of a contact on one body, row by row.
inline constexpr int kBodyRows = 3 * kBodyWidth;

/// J: the rows of contacts between pairs of bodies, without the zeros of all other bodies.
struct BodyRows {
  std::vector<std::array<int, 2>> on;  ///< the two bodies of a contact; −1: none
  std::vector<double> rows;  ///< 36 a contact: 3 × 6 of the first, then of the second body

  [[nodiscard]] int contacts() const { return static_cast<int>(on.size()); }
  /// No contacts, storage kept.
  void clear() {
    on.clear();
    rows.clear();
  }
  /// The 3 × 6 of body 0 or 1 of contact i, row by row.
  [[nodiscard]] const double* of(int i, int body) const {
    return rows.data() + kBodyRows * (2 * i + body);
  }
  /// Row k of contact i times y, 6 × bodies; 0 is the normal.
  [[nodiscard]] double dot(int i, int k, const VectorXd& y) const;
  /// |row k of contact i|².
  [[nodiscard]] double squared_norm(int i, int k) const;
  /// y ← y + Jᵀ r of contact i.
  void add(int i, const double* r, VectorXd& y) const;
};

/// Coulomb's law (friction_problem.h) for contacts between pairs of bodies in the coordinates
/// y = M^½ v, where the kinetic metric is the plain one: u = J y⁺ + b and y⁺ = y + Jᵀ r, so that
/// W = J Jᵀ and q = J y + b.
struct BodyProblem : BodyRows {
  VectorXd y;              ///< 6 × bodies: without impulses
  VectorXd b;              ///< 3 × contacts, m/s, normal first
  std::vector<double> mu;  ///< contacts; kNoSlipFriction and more: no slip

  [[nodiscard]] int bodies() const { return static_cast<int>(y.size()) / kBodyWidth; }
  /// No contacts, storage kept. @param bodies  y of so many, not set
  void reset(int bodies) {
    y.resize(static_cast<Index>(kBodyWidth) * bodies);
    clear();
    mu.clear();
  }
};

/// A contact in contact units, ρ = r/d and û = d u with d = (tr W_ii/3)^−½, where Ŵ has unit mean
/// diagonal, and what its own problem needs.
/// Sweeps read it from its first number on, of plain ones only as far as G.
struct ScaledContact {
  std::array<int, 2> on{};  ///< first coordinates in y; no body: one of zeros
  bool plain = false;       ///< w = 0 and S a multiple of the identity, as of spheres
  bool no_slip = false;
  double mu = 0.0;
  std::array<double, 3> b{};
  /// S = W_tt − w wᵀ/W_nn = R diag(σ) Rᵀ, R the rotation by an angle of this cosine and sine.
  std::array<double, 2> sigma{};
  double normal = 0.0;                       ///< W_nn
  std::array<double, 2 * kBodyRows> rows{};  ///< G
  std::array<double, 9> W{}, inverse{};      ///< of the contact alone, by rows
  double d = 1.0;
  double cosine = 1.0, sine = 0.0;
};

/// The problem in contact units. y has one body more, of zeros, for contacts with the world.
struct ScaledBodies {
  std::vector<ScaledContact> contacts;
  VectorXd y_free;
  double q_norm = 0.0;  ///< |q̂|, without contacts that are apart and stay so
  int bodies = 0;

  [[nodiscard]] int n() const { return static_cast<int>(contacts.size()); }
  void poison() { pequod::poison(y_free); }
};

void scale_bodies(const BodyProblem& problem, ScaledBodies& scaled);

/// The pairs of bodies that touch, without the world, as often as they have contacts.
void find_pairs(const ScaledBodies& problem, std::vector<std::array<int, 2>>& pairs);

using BodyVector = Eigen::Matrix<double, kBodyWidth, 1>;

/// û of one contact at y.
inline void contact_speed(const ScaledContact& contact, const double* y, double* u) {
  using Row = Eigen::Map<const BodyVector>;
  const BodyVector a = Row(y + contact.on[0]), b = Row(y + contact.on[1]);
  for (int k = 0; k < 3; ++k) {
    const double* G = contact.rows.data() + kBodyWidth * k;
    u[k] = contact.b[k] + (Row(G).cwiseProduct(a) + Row(G + kBodyRows).cwiseProduct(b)).sum();
  }
}

/// y ← y + Gᵀ ρ of one contact.
inline void add_impulse(const ScaledContact& contact, const double* rho, double* y) {
  using Row = Eigen::Map<const BodyVector>;
  const double r0 = rho[0], r1 = rho[1], r2 = rho[2];
  const double* G = contact.rows.data();
  for (const int at : contact.on) {
    Eigen::Map<BodyVector> own(y + at);
    own += r0 * Row(G) + r1 * Row(G + kBodyWidth) + r2 * Row(G + 2 * kBodyWidth);
    G += kBodyRows;
  }
}

/// y = y_f + Gᵀ ρ: each impulse equal and opposite.
void find_motion(const ScaledBodies& problem, const VectorXd& rho, VectorXd& y);

/// |ρ − P_K(ρ − û − μ|û_t|e_n)|, of all contacts together and of the worst, over
/// max(|q̂|, |ρ|, |û|); of q̂ and û without contacts that are apart, stay so and carry nothing.
struct BodyResidual {
  double all = 0.0, worst = 0.0;
};
[[nodiscard]] BodyResidual natural_map(const ScaledBodies& problem, const VectorXd& rho,
                                       const VectorXd& y);

/// ρ ← its projection on the cones.
void project_on_cones(const ScaledBodies& problem, VectorXd& rho);

/// Coulomb's law of one contact, exactly: û = W ρ + q. Open, stuck, or sliding by the one root of
/// |ρ_t| = μρ_n, ρ_t = −(S + αI)⁻¹s, s = q_t − w q_n/W_nn.
void solve_contact_law(const ScaledContact& contact, const double* q, double* rho);

}  // namespace pequod
