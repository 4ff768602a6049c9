#include "contact/solvers/friction/body_rest.h"

#include <algorithm>

namespace pequod {
namespace {

constexpr double kAsked = 1e-12;   // of |q̂|: a speed b that gaps of rounding ask for
constexpr double kLittle = 1e-2;   // of |y_f|: farther off, rest is no likely end
constexpr double kRested = 1e-14;  // of |y_f|: what a correction leaves by rounding
constexpr double kEpsilon = 1e-8;  // of GᵀG, whose diagonal is about one
constexpr int kRefinements = 3, kRounds = 8;

// 1/ε on loaded contacts: ε(I + GᵀCG) = εI + GᵀG.
void hold_loaded(const ScaledBodies& problem, const Eigen::VectorXd& rho, BodyRestBuffers& b) {
  b.C.assign(9 * static_cast<std::size_t>(problem.n()), 0.0);
  for (int i = 0; i < problem.n(); ++i) {
    if (!(rho[3 * i] > 0.0)) continue;
    const bool slippery = problem.contacts[static_cast<std::size_t>(i)].mu == 0.0;
    for (std::size_t k = 0; k < (slippery ? 1U : 3U); ++k)
      b.C[9 * static_cast<std::size_t>(i) + 4 * k] = 1.0 / kEpsilon;
  }
  b.factor.analyse(problem);
  b.factor.factorise(problem, b.C, true);
}

// ρ ← ρ − G(εI + GᵀG)⁻¹(y_f + Gᵀρ) on loaded contacts.
void correct(const ScaledBodies& problem, BodyRestBuffers& b, Eigen::VectorXd& rho) {
  find_motion(problem, rho, b.right);
  b.right /= kEpsilon;
  b.factor.solve(b.right, b.ordered);
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const auto place = 9 * static_cast<std::size_t>(i);
    Eigen::Vector3d change;
    contact_speed(contact, b.right.data(), change.data());
    for (int k = 0; k < 3; ++k)
      if (b.C[place + 4 * static_cast<std::size_t>(k)] > 0.0)
        rho[3 * i + k] -= change[k] - contact.b[static_cast<std::size_t>(k)];
  }
}

bool is_at_rest(const ScaledBodies& problem, const Eigen::VectorXd& rho, BodyRestBuffers& b) {
  find_motion(problem, rho, b.y);
  return b.y.norm() <= kRested * problem.y_free.norm();
}

}  // namespace

bool may_rest(const ScaledBodies& problem, const Eigen::VectorXd& y) {
  for (const ScaledContact& contact : problem.contacts)
    for (const double b : contact.b)
      if (std::abs(b) > kAsked * problem.q_norm) return false;
  return y.norm() <= kLittle * problem.y_free.norm();
}

bool find_rest(const ScaledBodies& problem, BodyRestBuffers& buffers, Eigen::VectorXd& rho) {
  for (int round = 0; round < kRounds; ++round) {
    hold_loaded(problem, rho, buffers);
    for (int k = 0; k < kRefinements; ++k) correct(problem, buffers, rho);
    project_on_cones(problem, rho);
    if (is_at_rest(problem, rho, buffers)) return true;
  }
  return false;
}

}  // namespace pequod
