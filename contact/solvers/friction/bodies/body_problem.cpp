#include "contact/solvers/friction/bodies/body_problem.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/friction/friction_cone.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/linear/lanes.h"

namespace pequod {
namespace {

// Of the mean diagonal: lets a contact be inverted that no motion of its bodies turns or shifts
// along one direction, and moves what others do by less than any tolerance.
constexpr double kRegular = 1e-13;
// Of W's entries: coupling and difference of the two tangents below are rounding.
constexpr double kUncoupled = 1e-14;
constexpr double kOnCone = 1e-12;  // relative: a force that is outside by less sticks

// S of the contact, and its eigenvectors where it has any of its own.
void split_tangents(ScaledContact& contact) {
  const auto& W = contact.W;
  const double s11 = W[4] - W[1] * W[1] / W[0], s22 = W[8] - W[2] * W[2] / W[0];
  const double s12 = W[5] - W[1] * W[2] / W[0];
  const double mean = 0.5 * (s11 + s22), half = 0.5 * (s11 - s22);
  const double radius = std::sqrt(half * half + s12 * s12);
  contact.sigma = {mean + radius, std::max(mean - radius, 0.0)};
  contact.plain =
      contact.sigma[1] > 0.0 && std::max({std::abs(W[1]), std::abs(W[2]), radius}) <= kUncoupled;
  contact.cosine = 1.0;
  contact.sine = 0.0;
  if (contact.plain || radius == 0.0) return;
  const double angle = 0.5 * std::atan2(s12, half);
  contact.cosine = std::cos(angle);
  contact.sine = std::sin(angle);
}

void find_own_response(ScaledContact& contact) {
  const Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>> first(
      contact.rows.data()),
      second(contact.rows.data() + kBodyRows);
  Eigen::Map<RowMajor3> W(contact.W.data()), inverse(contact.inverse.data());
  W.noalias() = first * first.transpose();
  W.noalias() += second * second.transpose();
  contact.normal = contact.W[0];
  contact.plain = false;
  if (contact.normal > 0.0) split_tangents(contact);
  if (contact.plain)
    inverse = (W.diagonal().array() + kRegular).inverse().matrix().asDiagonal();
  else
    inverse = (W + kRegular * RowMajor3::Identity()).inverse();
}

// Where slip leaves the contact that q asks for, α ≥ 0 with û_t = −α ρ_t.
class SlipLaw {
 public:
  SlipLaw(const ScaledContact& contact, const double* q) : contact_(contact) {
    const auto& W = contact.W;
    const double s1 = q[1] - W[1] * q[0] / W[0], s2 = q[2] - W[2] * q[0] / W[0];
    s_ = {contact.cosine * s1 + contact.sine * s2, contact.cosine * s2 - contact.sine * s1};
    w_ = {contact.cosine * W[1] + contact.sine * W[2], contact.cosine * W[2] - contact.sine * W[1]};
    alone_ = -q[0] / W[0];
    at(0.0);
  }
  void at(double alpha) {
    const double a = contact_.sigma[0] + alpha, b = contact_.sigma[1] + alpha;
    t_ = {s_[0] != 0.0 ? -s_[0] / a : 0.0, s_[1] != 0.0 ? -s_[1] / b : 0.0};
    length = std::sqrt(t_[0] * t_[0] + t_[1] * t_[1]);
    normal = alone_ - (w_[0] * t_[0] + w_[1] * t_[1]) / contact_.W[0];
    const double ta = t_[0] / a, tb = t_[1] / b;  // −dρ_t/dα
    length_rate = length > 0.0 ? -(t_[0] * ta + t_[1] * tb) / length : 0.0;
    normal_rate = (w_[0] * ta + w_[1] * tb) / contact_.W[0];
  }
  void write(double* rho) const {
    const double bound = contact_.mu * normal, share = length > 0.0 ? bound / length : 0.0;
    rho[0] = normal;
    rho[1] = share * (contact_.cosine * t_[0] - contact_.sine * t_[1]);
    rho[2] = share * (contact_.sine * t_[0] + contact_.cosine * t_[1]);
  }
  double length = 0.0, normal = 0.0, length_rate = 0.0, normal_rate = 0.0;

 private:
  const ScaledContact& contact_;
  std::array<double, 2> s_{}, w_{}, t_{};
  double alone_ = 0.0;
};

// Newton's method on 1/|ρ_t| − 1/(μρ_n), which is all but linear in α, between bounds.
void solve_slip(const ScaledContact& contact, const double* q, double* rho) {
  constexpr int kSteps = 100;
  constexpr double kRoot = 4e-16;
  SlipLaw law(contact, q);
  double low = 0.0, high = std::numeric_limits<double>::infinity(), alpha = 0.0;
  for (int step = 0; step < kSteps; ++step) {
    const double bound = contact.mu * law.normal, off = law.length - bound;
    if (bound > 0.0 && std::abs(off) <= kRoot * bound) break;
    (off > 0.0 ? low : high) = alpha;
    double next = -1.0;
    if (bound > 0.0 && law.length > 0.0) {
      const double value = 1.0 / law.length - 1.0 / bound;
      const double rate = -law.length_rate / (law.length * law.length) +
                          contact.mu * law.normal_rate / (bound * bound);
      next = alpha - value / rate;
    }
    if (!(next > low && next < high))
      next = std::isinf(high) ? 2.0 * alpha + contact.sigma[0] : 0.5 * (low + high);
    if (std::abs(next - alpha) <= kRoot * alpha) break;
    alpha = next;
    law.at(alpha);
  }
  law.write(rho);
}

// Where the normal and both tangents move by themselves: friction stops the slip, or is at its
// bound against it.
void solve_plain(const ScaledContact& contact, const double* q, double* rho) {
  rho[0] = -q[0] / contact.normal;
  const double bound = contact.mu * rho[0] * (1.0 + kOnCone) * contact.sigma[0];
  const double square = q[1] * q[1] + q[2] * q[2];
  const bool sticks = contact.no_slip || square <= bound * bound;
  const double share = sticks ? 1.0 / contact.sigma[0] : contact.mu * rho[0] / std::sqrt(square);
  rho[1] = -share * q[1];
  rho[2] = -share * q[2];
}

// What is apart, stays so and carries nothing is no part of the scale of a residual: the farther
// contacts are looked for, the larger its speeds would make that.
bool takes_part(const ScaledContact& contact, double force, double speed) {
  return !(contact.b[0] > 0.0) || force > 0.0 || speed < 0.0;
}

void project_contact(const ScaledContact& contact, double* p) {
  if (!contact.no_slip) return project_on_cone(contact.mu, p);
  if (p[0] <= 0.0) p[0] = p[1] = p[2] = 0.0;
}

}  // namespace

double BodyRows::dot(int i, int k, const VectorXd& y) const {
  double sum = 0.0;
  for (int body = 0; body < 2; ++body) {
    const int block = on[i][body];
    if (block < 0) continue;
    const double *row = of(i, body) + kBodyWidth * k, *own = y.data() + kBodyWidth * block;
    for (int c = 0; c < kBodyWidth; ++c) sum += row[c] * own[c];
  }
  return sum;
}

double BodyRows::squared_norm(int i, int k) const {
  double sum = 0.0;
  for (int body = 0; body < 2; ++body)
    for (int c = kBodyWidth * k; c < kBodyWidth * (k + 1); ++c)
      sum += of(i, body)[c] * of(i, body)[c];
  return sum;
}

void BodyRows::add(int i, const double* r, VectorXd& y) const {
  for (int body = 0; body < 2; ++body) {
    const int block = on[i][body];
    if (block < 0) continue;
    const double* row = of(i, body);
    double* own = y.data() + kBodyWidth * block;
    for (int c = 0; c < kBodyWidth; ++c)
      own[c] += row[c] * r[0] + row[c + kBodyWidth] * r[1] + row[c + 2 * kBodyWidth] * r[2];
  }
}

PEQUOD_TWICE void scale_bodies(const BodyProblem& problem, ScaledBodies& scaled) {
  const int n = problem.contacts();
  scaled.bodies = problem.bodies();
  scaled.y_free.setZero(problem.y.size() + kBodyWidth);
  scaled.y_free.head(problem.y.size()) = problem.y;
  scaled.contacts.resize(n);
  double square = 0.0;
  for (int i = 0; i < n; ++i) {
    ScaledContact& contact = scaled.contacts[i];
    const double* rows = problem.rows.data() + 2 * kBodyRows * i;
    double trace = 0.0;
    for (int k = 0; k < 2 * kBodyRows; ++k) trace += rows[k] * rows[k];
    contact.d = trace > 0.0 ? std::sqrt(3.0 / trace) : 1.0;
    for (std::size_t k = 0; k < contact.rows.size(); ++k) contact.rows[k] = contact.d * rows[k];
    for (std::size_t k = 0; k < 2; ++k) {
      const int body = problem.on[i][k];
      contact.on[k] = kBodyWidth * (body < 0 ? scaled.bodies : body);
    }
    for (int k = 0; k < 3; ++k) contact.b[k] = contact.d * problem.b[3 * i + k];
    contact.mu = problem.mu[i];
    contact.no_slip = contact.mu >= kNoSlipFriction;
    find_own_response(contact);
    std::array<double, 3> q;
    contact_speed(contact, scaled.y_free.data(), q.data());
    if (takes_part(contact, 0.0, q[0])) square += q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  }
  scaled.q_norm = std::sqrt(square);
}

void find_pairs(const ScaledBodies& problem, std::vector<std::array<int, 2>>& pairs) {
  pairs.clear();
  for (const ScaledContact& contact : problem.contacts) {
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    if (a != b && a < problem.bodies && b < problem.bodies) pairs.push_back({a, b});
  }
}

PEQUOD_TWICE void find_motion(const ScaledBodies& problem, const VectorXd& rho, VectorXd& y) {
  y = problem.y_free;
  for (int i = 0; i < problem.n(); ++i)
    add_impulse(problem.contacts[i], rho.data() + 3 * i, y.data());
}

PEQUOD_TWICE BodyResidual natural_map(const ScaledBodies& problem, const VectorXd& rho,
                                      const VectorXd& y) {
  double sum = 0.0, worst = 0.0, speeds = 0.0;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const double* r = rho.data() + 3 * i;
    std::array<double, 3> u, p;
    contact_speed(contact, y.data(), u.data());
    if (takes_part(contact, r[0], u[0])) speeds += u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    for (std::size_t k = 0; k < 3; ++k) p[k] = r[k] - u[k];
    if (!contact.no_slip) p[0] -= contact.mu * std::sqrt(u[1] * u[1] + u[2] * u[2]);
    project_contact(contact, p.data());
    double own = 0.0;
    for (std::size_t k = 0; k < 3; ++k) own += (r[k] - p[k]) * (r[k] - p[k]);
    // Without friction tangents are out of the problem: nothing there is an error.
    sum += own;
    worst = std::max(worst, own);
  }
  const double scale = std::max({problem.q_norm, rho.norm(), std::sqrt(speeds)});
  if (!(scale > 0.0)) return {};
  return {std::sqrt(sum) / scale, std::sqrt(worst) / scale};
}

void project_on_cones(const ScaledBodies& problem, VectorXd& rho) {
  for (int i = 0; i < problem.n(); ++i) project_contact(problem.contacts[i], rho.data() + 3 * i);
}

void solve_contact_law(const ScaledContact& contact, const double* q, double* rho) {
  rho[0] = rho[1] = rho[2] = 0.0;
  if (q[0] >= 0.0 || !(contact.normal > 0.0)) return;
  if (contact.mu == 0.0) {
    rho[0] = -q[0] / contact.normal;
    return;
  }
  if (contact.plain) return solve_plain(contact, q, rho);
  const auto& V = contact.inverse;
  std::array<double, 3> stuck;
  for (std::size_t k = 0; k < 3; ++k)
    stuck[k] = -(V[3 * k] * q[0] + V[3 * k + 1] * q[1] + V[3 * k + 2] * q[2]);
  const double tangent = std::sqrt(stuck[1] * stuck[1] + stuck[2] * stuck[2]);
  if (stuck[0] >= 0.0 && (contact.no_slip || tangent <= contact.mu * stuck[0] * (1.0 + kOnCone))) {
    std::copy(stuck.begin(), stuck.end(), rho);
    return;
  }
  if (!contact.no_slip) return solve_slip(contact, q, rho);
  rho[0] = -q[0] / contact.normal;
}

}  // namespace pequod
