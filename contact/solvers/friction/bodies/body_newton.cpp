#include "contact/solvers/friction/bodies/body_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pequod {
namespace {

constexpr double kLeastCompliance = 1e-7;  // of the matrix: redundant contacts lose digits below
constexpr int kStepHalvings = 3, kRemembered = 6, kPatience = 8;

using Small3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// P' of one contact's projection P of τ = ρ − û − ε(ρ − c), and F = ρ − P.
void project_law(const ScaledContact& contact, const Eigen::Vector3d& rho,
                 const Eigen::Vector3d& tau, Small3& slope, Eigen::Vector3d& F, bool& slides) {
  slope.setZero();
  if (tau[0] <= 0.0) {
    F = rho;
    return;
  }
  const double length = tau.tail<2>().norm(), bound = contact.mu * tau[0];
  if (contact.no_slip || (length <= bound && contact.mu > 0.0)) {
    slope.setIdentity();
    F = rho - tau;
    return;
  }
  const Eigen::Vector2d e = length > 0.0 ? Eigen::Vector2d(tau.tail<2>() / length)
                                         : Eigen::Vector2d(Eigen::Vector2d::Zero());
  slope(0, 0) = 1.0;
  F << rho[0] - tau[0], rho.tail<2>() - bound * e;
  if (contact.mu == 0.0) return;
  slides = true;
  slope.block<2, 1>(1, 0) = contact.mu * e;
  slope.block<2, 2>(1, 1) = bound / length * (Eigen::Matrix2d::Identity() - e * e.transpose());
}

Eigen::Vector3d tau_of(const ScaledContact& contact, const BodyNewtonSettings& settings, int i,
                       const Eigen::Vector3d& rho, const Eigen::VectorXd& y) {
  Eigen::Vector3d u;
  contact_speed(contact, y.data(), u.data());
  if (settings.compliance > 0.0)
    u += settings.compliance * (rho - settings.centre->segment<3>(3 * i));
  return rho - u;
}

// F, C and (A + εB)⁻¹. @return whether a contact slides
bool linearise(const ScaledBodies& problem, const BodyNewtonSettings& settings,
               const Eigen::VectorXd& rho, const Eigen::VectorXd& y, BodyNewtonBuffers& buffers) {
  const double epsilon = std::max(settings.compliance, kLeastCompliance);
  bool slides = false;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const Eigen::Vector3d own = rho.segment<3>(3 * i);
    Small3 slope;
    Eigen::Vector3d F;
    project_law(contact, own, tau_of(contact, settings, i, own, y), slope, F, slides);
    buffers.F.segment<3>(3 * i) = F;
    const auto place = 9 * static_cast<std::ptrdiff_t>(i);
    Eigen::Map<Small3> inverse(buffers.inverse.data() + place), C(buffers.C.data() + place);
    // A = I − P', B = P'.
    inverse = Small3(Small3::Identity() - (1.0 - epsilon) * slope).inverse();
    C = Small3(inverse * slope);
  }
  return slides;
}

// δρ at ρ, y.
void find_step(const ScaledBodies& problem, bool slides, BodyNewtonBuffers& b) {
  b.right.setZero(problem.y_free.size());
  b.step.resize(b.F.size());
  for (int i = 0; i < problem.n(); ++i) {
    const Eigen::Map<const Small3> inverse(b.inverse.data() + 9 * static_cast<std::ptrdiff_t>(i));
    const Eigen::Vector3d own = -inverse * b.F.segment<3>(3 * i);
    b.step.segment<3>(3 * i) = own;
    add_impulse(problem.contacts[static_cast<std::size_t>(i)], own.data(), b.right.data());
  }
  b.right.tail<kBodyWidth>().setZero();
  b.factor.factorise(problem, b.C, !slides);
  b.factor.solve(b.right, b.ordered);
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const Eigen::Map<const Small3> C(b.C.data() + 9 * static_cast<std::ptrdiff_t>(i));
    Eigen::Vector3d change;
    contact_speed(contact, b.right.data(), change.data());
    change -= Eigen::Map<const Eigen::Vector3d>(contact.b.data());
    b.step.segment<3>(3 * i) -= C * change;
  }
}

}  // namespace

BodyNewtonResult solve_body_newton(const ScaledBodies& problem, const BodyNewtonSettings& settings,
                                   BodyNewtonBuffers& b, Eigen::VectorXd& rho, Eigen::VectorXd& y) {
  const auto size = static_cast<std::size_t>(problem.n());
  b.F.resize(rho.size());
  b.C.resize(9 * size);
  b.inverse.resize(9 * size);
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
    last[static_cast<std::size_t>(step % kRemembered)] = size_of_F;
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
