#include "contact/solvers/friction/bodies/body_sweeps.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "contact/solvers/linear/lanes.h"

namespace pequod {
namespace {

constexpr int kExtrapolatedSweep = 4;  // every so manieth
constexpr int kPlainLook = 10;  // sweeps between two looks at the natural map, which costs two
constexpr double kGramShift = 1e-10;  // of the diagonal: changes that repeat each other
constexpr double kTakenBack = 2.0;    // times the least change
// Times the tolerance: a sweep that changes impulses by more of their size has not yet met it.
constexpr double kSmallChange = 10.0;

// û less the contact's own part: what its law is solved for.
void take_own(const ScaledContact& contact, const double* r, double* q) {
  if (contact.plain) {
    q[0] -= contact.normal * r[0];
    q[1] -= contact.sigma[0] * r[1];
    q[2] -= contact.sigma[0] * r[2];
    return;
  }
  const auto& W = contact.W;
  for (std::size_t k = 0; k < 3; ++k)
    q[k] -= W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2];
}

// The contact's law at the motion that the others leave.
void sweep_contact(const ScaledContact& contact, double* r, double* y) {
  std::array<double, 3> q, now, step;
  contact_speed(contact, y, q.data());
  take_own(contact, r, q.data());
  solve_contact_law(contact, q.data(), now.data());
  for (std::size_t k = 0; k < 3; ++k) {
    step[k] = now[k] - r[k];
    r[k] = now[k];
  }
  if (step[0] == 0.0 && step[1] == 0.0 && step[2] == 0.0) return;
  add_impulse(contact, step.data(), y);
}

// What the window makes of the last sweep: g − Σ γ_k Δg_k with the γ that leave the least change.
void extrapolate(int filled, AndersonHistory& history, VectorXd& rho) {
  constexpr int kMost = AndersonHistory::kWindow;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;
  Small gram(filled, filled);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1> right(filled);
  for (int i = 0; i < filled; ++i) {
    const VectorXd& change = history.change[i];
    for (int j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = change.dot(history.change[j]);
    right[i] = change.dot(history.last_change);
  }
  gram.diagonal() *= 1.0 + kGramShift;
  gram.diagonal().array() += std::numeric_limits<double>::min();
  const auto gamma = Small(gram).ldlt().solve(right).eval();
  for (int i = 0; i < filled; ++i) rho -= gamma[i] * history.result[i];
}

}  // namespace

PEQUOD_TWICE void sweep_bodies(const ScaledBodies& problem, VectorXd& rho, VectorXd& y) {
  for (int i = 0; i < problem.n(); ++i)
    sweep_contact(problem.contacts[i], rho.data() + 3 * i, y.data());
}

int extrapolate_sweeps(const ScaledBodies& problem, int count, double tolerance,
                       AndersonHistory& history, VectorXd& rho, VectorXd& y) {
  int filled = 0, next = 0;
  bool has_last = false, extrapolated = false;
  double least = std::numeric_limits<double>::infinity();
  for (int done = 1; done <= count; ++done) {
    history.now = rho;
    sweep_bodies(problem, rho, y);
    history.now = rho - history.now;
    const double change = history.now.norm();
    if (extrapolated && change > kTakenBack * least) {
      rho = history.last_swept;
      y = history.kept_y;
      filled = next = 0;
      has_last = extrapolated = false;
      continue;
    }
    extrapolated = false;
    least = std::min(least, change);
    if (has_last) {
      history.change[next] = history.now - history.last_change;
      history.result[next] = rho - history.last_swept;
      next = (next + 1) % AndersonHistory::kWindow;
      filled = std::min(filled + 1, AndersonHistory::kWindow);
    }
    history.last_change.swap(history.now);
    history.last_swept = rho;
    has_last = true;
    if (done % kExtrapolatedSweep != 0 || done == count || filled == 0) continue;
    // A small change is cheap to see; whether it means a solution is asked only then.
    if (change <= kSmallChange * tolerance * std::max(problem.q_norm, rho.norm()) &&
        natural_map(problem, rho, y).all <= tolerance)
      return done;
    history.kept_y = y;
    extrapolate(filled, history, rho);
    project_on_cones(problem, rho);
    find_motion(problem, rho, y);
    extrapolated = true;
  }
  return count;
}

int sweep_plainly(const ScaledBodies& problem, int count, double tolerance, VectorXd& rho,
                  VectorXd& y) {
  for (int done = 1; done <= count; ++done) {
    sweep_bodies(problem, rho, y);
    if (done % kPlainLook == 0 && natural_map(problem, rho, y).all <= tolerance) return done;
  }
  return count;
}

}  // namespace pequod
