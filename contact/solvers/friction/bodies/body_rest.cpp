#include "contact/solvers/friction/bodies/body_rest.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/friction/friction_cone.h"

namespace pequod {
namespace {

constexpr double kAsked = 1e-12;   // of |q̂|: a speed b that gaps of rounding ask for
constexpr double kRested = 1e-14;  // of |y_f|: what a correction leaves by rounding
constexpr double kEpsilon = 1e-8;  // of GᵀG, whose diagonal is about one
constexpr int kCorrections = 3, kRestRounds = 30;
// How far inside of the cones impulses are sought: of the mean normal impulse, of the contact's own
// at the start, and of the bound of friction.
constexpr double kWithin = 0.05, kOwn = 0.5, kFriction = 0.95;

// 1/ε on loaded contacts: ε(I + GᵀCG) = εI + GᵀG; and the least normal impulse of each.
void hold_loaded(const ScaledBodies& problem, const VectorXd& rho, BodyFactor& factor,
                 BodyRestBuffers& b) {
  const int n = problem.n();
  b.C.assign(9 * n, 0.0);
  b.least.assign(n, 0.0);
  const double mean = rho(Eigen::seq(0, Eigen::last, 3)).mean();
  for (int i = 0; i < n; ++i) {
    const double own = rho[3 * i];
    if (!(own > 0.0)) continue;
    b.least[i] = std::min(kWithin * mean, kOwn * own);
    const bool slippery = problem.contacts[i].mu == 0.0;
    for (int k = 0; k < (slippery ? 1 : 3); ++k) b.C[9 * i + 4 * k] = 1.0 / kEpsilon;
  }
  factor.analyse(problem);
  factor.factorise(problem, b.C, true);
}

// ρ ← ρ − G(εI + GᵀG)⁻¹(y_f + Gᵀρ) on loaded contacts.
void correct(const ScaledBodies& problem, const BodyFactor& factor, BodyRestBuffers& b,
             VectorXd& rho) {
  find_motion(problem, rho, b.right);
  b.right /= kEpsilon;
  factor.solve(b.right, b.ordered);
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    Eigen::Vector3d change;
    contact_speed(contact, b.right.data(), change.data());
    for (int k = 0; k < 3; ++k)
      if (b.C[9 * i + 4 * k] > 0.0) rho[3 * i + k] -= change[k] - contact.b[k];
  }
}

// Whether impulses are in their cones; those that are not go to the nearest point well inside.
bool are_inside(const ScaledBodies& problem, const BodyRestBuffers& b, VectorXd& rho) {
  bool inside = true;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    Eigen::Ref<Eigen::Vector3d> own = rho.segment<3>(3 * i);
    if (own[0] >= 0.0 && (contact.no_slip || own.tail<2>().norm() <= contact.mu * own[0])) continue;
    inside = false;
    own[0] -= b.least[i];
    if (contact.no_slip)
      own[0] = std::max(own[0], 0.0);
    else
      project_on_cone(kFriction * contact.mu, own.data());
    own[0] += b.least[i];
  }
  return inside;
}

}  // namespace

bool may_rest(const ScaledBodies& problem) {
  for (const ScaledContact& contact : problem.contacts)
    for (const double b : contact.b)
      if (std::abs(b) > kAsked * problem.q_norm) return false;
  return true;
}

bool find_rest(const ScaledBodies& problem, BodyFactor& factor, BodyRestBuffers& buffers,
               VectorXd& rho) {
  hold_loaded(problem, rho, factor, buffers);
  for (int round = 0; round < kRestRounds; ++round) {
    for (int k = 0; k < kCorrections; ++k) correct(problem, factor, buffers, rho);
    if (!rho.allFinite()) return false;
    if (!are_inside(problem, buffers, rho)) continue;
    find_motion(problem, rho, buffers.y);
    return buffers.y.norm() <= kRested * problem.y_free.norm();
  }
  return false;
}

}  // namespace pequod
