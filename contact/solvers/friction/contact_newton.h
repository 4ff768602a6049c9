#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/solvers/friction/friction_equations.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct NewtonSettings {
  int iterations = 20;
  double tolerance = 1e-12;  ///< ends where |F| is at most this times S
  /// Added to the diagonal of W in the Newton matrix alone: W is singular as a rule.
  double shift = 1e-8;
  /// Compliance: û = W ρ + q + ε (ρ − centre); with it no shift is needed.
  double compliance = 0;
  const VectorXd* centre = nullptr;
  const FrictionMode* held = nullptr;  ///< modes that stay as they are; null: found on the way
};

struct NewtonResult {
  bool converged = false;
  int iterations = 0;
  double residual = NAN;  ///< |F|/S of the ρ returned
};

/// What any Newton method on contacts keeps; no meaning from one call to the next.
struct ContactNewtonBuffers {
  VectorXd u, F, step, next, best;
  std::vector<double> blocks;           ///< 18 a contact: A, then B of δF = A δρ + B δû
  std::vector<ContactEquations> kinds;  ///< one a contact

  /// Room for so many contacts.
  void resize(int n) {
    for (VectorXd* v : {&u, &F, &step, &next, &best}) v->resize(3L * n);
    blocks.resize(18 * static_cast<std::size_t>(n));
    kinds.resize(n);
  }
  void poison() { pequod::poison(u, F, step, next, best, blocks, kinds); }
};

/// û, F and its derivative at ρ; returns |F|.
template <class Scaled>
double evaluate_equations(const Scaled& problem, const NewtonSettings& settings,
                          const VectorXd& rho, ContactNewtonBuffers& b) {
  problem.apply(rho, b.u);
  if (settings.compliance > 0) b.u += settings.compliance * (rho - *settings.centre);
  for (int i = 0; i < problem.n; ++i) {
    const double* r = rho.data() + 3 * i;
    const double* u = b.u.data() + 3 * i;
    double* F = b.F.data() + 3 * i;
    const ContactDerivative J{b.blocks.data() + 18 * i, b.blocks.data() + 18 * i + 9};
    const double mu = problem.mu[i];
    b.kinds[i] = settings.held        ? held_equations(settings.held[i], mu, r, u, F, J)
                 : problem.associated ? natural_map_equations(mu, r, u, F, J)
                                      : alart_curnier_equations(mu, r, u, F, J);
  }
  return b.F.norm();
}

/// Semismooth Newton method on Alart & Curnier's equations (1991), or for the associated law on the
/// natural map, with at most three halvings of a step against the worst of the last six norms.
/// Returns in ρ the iterate of least |F|.
/// @param find_step  of ρ: b.step from b.F and its derivative, or false if there is none
template <class Scaled, class FindStep>
NewtonResult iterate_newton(const Scaled& problem, const NewtonSettings& settings,
                            ContactNewtonBuffers& b, VectorXd& rho, FindStep find_step) {
  constexpr int kMemory = 6, kMostHalved = 3;
  std::array<double, kMemory> last{};
  NewtonResult result;
  double norm = evaluate_equations(problem, settings, rho, b);
  double best = std::numeric_limits<double>::infinity();
  while (std::isfinite(norm)) {
    if (norm < best) {
      best = norm;
      b.best = rho;
      result.residual = norm / problem.size(rho, b.u);
      result.converged = result.residual <= settings.tolerance;
    }
    if (result.converged || result.iterations == settings.iterations) break;
    last[result.iterations++ % kMemory] = norm;
    if (!find_step(rho)) break;
    const double limit = *std::max_element(last.begin(), last.end());
    double length = 1;
    for (int halved = 0; halved <= kMostHalved; ++halved, length *= 0.5) {
      b.next = rho + length * b.step;
      norm = evaluate_equations(problem, settings, b.next, b);
      if (norm < limit) break;
    }
    rho = b.next;
  }
  if (std::isfinite(best)) rho = b.best;
  return result;
}

}  // namespace pequod
