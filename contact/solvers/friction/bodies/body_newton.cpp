#include "contact/solvers/friction/bodies/body_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pequod {
namespace {

constexpr double kLeastCompliance = 1e-7;  // of the matrix: redundant contacts lose digits below
// A step that only changes modes back and forth wants halving often: with three at most the median
// problem of 64 balls that settle took half as long again.
constexpr int kStepHalvings = 8, kRemembered = 6, kPatience = 8;

// One contact's equations F = ρ − P(τ), τ = ρ − û − ε(ρ − c), P the projection on the disc of
// radius μτ_n where τ_n > 0, and what they make of δû: δρ = own − C δû with own = −(A + εB)⁻¹F and
// C = (A + εB)⁻¹B, where B = P' and A = I − P'.
struct ContactEquation {
  double *F, *own;  // 3 each
  double* C;        // 9, by rows
};

// Where P' turns the force with the slip by μτ_n/|τ_t|, and makes it as much larger as the disc is.
// @param length  |τ_t|
void linearise_slip(double mu, double epsilon, const double* rho, const double* tau, double length,
                    const ContactEquation& to) {
  const double bound = mu * tau[0];
  const std::array<double, 2> e = {length > 0.0 ? tau[1] / length : 0.0,
                                   length > 0.0 ? tau[2] / length : 0.0};
  const double turn = length > 0.0 ? bound / length : 0.0, stiff = 1.0 / epsilon;
  const auto [F, own, C] = to;
  F[0] = rho[0] - tau[0];
  F[1] = rho[1] - bound * e[0];
  F[2] = rho[2] - bound * e[1];
  own[0] = -stiff * F[0];
  const double along = (1.0 - epsilon) * mu * own[0] - (F[1] * e[0] + F[2] * e[1]);
  const double share = 1.0 / (1.0 - (1.0 - epsilon) * turn);
  const double across = share * (F[1] * e[1] - F[2] * e[0]);
  own[1] = along * e[0] - across * e[1];
  own[2] = along * e[1] + across * e[0];
  C[0] = stiff;
  C[3] = mu * stiff * e[0];
  C[6] = mu * stiff * e[1];
  C[4] = share * turn * e[1] * e[1];
  C[5] = C[7] = -share * turn * e[0] * e[1];
  C[8] = share * turn * e[0] * e[0];
}

// @return whether the contact slides
bool linearise_contact(const ScaledContact& contact, double epsilon, const double* rho,
                       const double* tau, const ContactEquation& to) {
  std::fill(to.C, to.C + 9, 0.0);
  if (tau[0] <= 0.0) {
    for (int k = 0; k < 3; ++k) to.own[k] = -(to.F[k] = rho[k]);
    return false;
  }
  const double length = std::sqrt(tau[1] * tau[1] + tau[2] * tau[2]);
  if (!contact.no_slip && (!(length <= contact.mu * tau[0]) || contact.mu == 0.0)) {
    linearise_slip(contact.mu, epsilon, rho, tau, length, to);
    return contact.mu > 0.0;
  }
  const double stiff = 1.0 / epsilon;
  for (int k = 0; k < 3; ++k) {
    to.F[k] = rho[k] - tau[k];
    to.own[k] = -stiff * to.F[k];
    to.C[4 * k] = stiff;
  }
  return false;
}

// F, own and C of all contacts. @return whether one slides
bool linearise(const ScaledBodies& problem, const BodyNewtonSettings& settings, const VectorXd& rho,
               const VectorXd& y, BodyNewtonBuffers& buffers) {
  const double epsilon = std::max(settings.compliance, kLeastCompliance);
  bool slides = false;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const int first = 3 * i;
    Eigen::Vector3d u;
    contact_speed(contact, y.data(), u.data());
    if (settings.compliance > 0.0)
      u += settings.compliance * (rho.segment<3>(first) - settings.centre->segment<3>(first));
    const Eigen::Vector3d tau = rho.segment<3>(first) - u;
    const ContactEquation equation{buffers.F.data() + first, buffers.own.data() + first,
                                   buffers.C.data() + 3 * first};
    const bool rubs = linearise_contact(contact, epsilon, rho.data() + first, tau.data(), equation);
    slides = slides || rubs;
  }
  return slides;
}

// δρ at ρ, y.
void find_step(const ScaledBodies& problem, bool slides, BodyNewtonBuffers& b) {
  b.right.setZero(problem.y_free.size());
  for (int i = 0; i < problem.n(); ++i)
    add_impulse(problem.contacts[i], b.own.data() + 3 * i, b.right.data());
  b.right.tail<kBodyWidth>().setZero();
  b.factor.factorise(problem, b.C, !slides);
  b.factor.solve(b.right, b.ordered);
  b.step = b.own;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Map<const RowMajor3> C(b.C.data() + 9 * i);
    Eigen::Vector3d change;
    contact_speed(contact, b.right.data(), change.data());
    change -= Eigen::Map<const Eigen::Vector3d>(contact.b.data());
    b.step.segment<3>(3 * i) -= C * change;
  }
}

}  // namespace

BodyNewtonResult solve_body_newton(const ScaledBodies& problem, const BodyNewtonSettings& settings,
                                   BodyNewtonBuffers& b, VectorXd& rho, VectorXd& y) {
  const auto size = static_cast<std::size_t>(problem.n());
  b.F.resize(rho.size());
  b.own.resize(rho.size());
  b.C.resize(9 * size);
  b.factor.analyse(problem);
  const auto scale = [&] {
    const double most = std::max({problem.q_norm, rho.norm(), 0.0});
    return most > 0.0 ? most : 1.0;
  };
  std::array<double, kRemembered> last;
  last.fill(0.0);
  BodyNewtonResult result;
  b.best = rho;
  double least = std::numeric_limits<double>::infinity(), halved = least;
  int since = 0;
  bool slides = linearise(problem, settings, rho, y, b);
  for (int step = 0;; ++step) {
    const double size_of_F = b.F.norm();
    if (!std::isfinite(size_of_F)) break;
    last[step % kRemembered] = size_of_F;
    if (size_of_F < least) {
      least = size_of_F;
      b.best = rho;
    }
    if (size_of_F <= settings.tolerance * scale()) {
      result.converged = true;
      return result;
    }
    since = least <= 0.5 * halved ? 0 : since + 1;
    if (since == 0) halved = least;
    if (step == settings.steps || since > kPatience) break;
    find_step(problem, slides, b);
    ++result.factors;
    const double allowed = *std::max_element(last.begin(), last.end());
    double length = 1.0;
    for (int halving = 0;; ++halving, length *= 0.5) {
      b.tried = rho + length * b.step;
      find_motion(problem, b.tried, b.tried_y);
      slides = linearise(problem, settings, b.tried, b.tried_y, b);
      if (halving == kStepHalvings || b.F.norm() <= allowed) break;
    }
    rho.swap(b.tried);
    y.swap(b.tried_y);
  }
  rho = b.best;
  find_motion(problem, rho, y);
  return result;
}

}  // namespace pequod
