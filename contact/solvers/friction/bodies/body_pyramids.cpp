#include "contact/solvers/friction/bodies/body_pyramids.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {
namespace {

using Direction = std::array<double, 2>;

constexpr double kNothingLeft = 1e-14;  // of a contact's impulses and speeds: none is left
constexpr int kLookEvery = 10;          // sweeps between two looks at the residual, which costs two

double along(const Direction& d, const double* tangent) {
  return d[0] * tangent[0] + d[1] * tangent[1];
}

// One contact, û = W ρ + q:
//   0 ≤ ρ_n ⊥ û_n ≥ 0,  0 ≤ β_j ⊥ d_jᵀû_t + λ ≥ 0,  0 ≤ λ ⊥ μρ_n − Σβ_j ≥ 0,  ρ_t = Σβ_j d_j.
// It is open, sticks, or slides with ρ_t at a corner of the pyramid or between two of them; the
// candidate that breaks the law least is taken, by rounding where the law has a solution.
class PyramidLaw {
 public:
  PyramidLaw(const ScaledContact& contact, std::span<const Direction> directions)
      : c_(contact), d_(directions) {}

  void solve(const double* q, double* rho);
  /// The square of the contact's natural map. @param size  gets |z|² and |w|² added
  double residual(const double* rho, const double* u, double& size) const;

 private:
  void try_candidate(const double* q, const std::array<double, 3>& rho);
  [[nodiscard]] std::array<double, 3> speed(const double* q, const double* rho) const;
  [[nodiscard]] double slip(const double* u) const;
  void try_corner(const double* q, int j);
  void try_side(const double* q, int j);
  void try_slides(const double* q);

  const ScaledContact& c_;
  std::span<const Direction> d_;
  double least_ = 0.0;
  bool solved_ = false;
  std::array<double, 3> best_{};
};

std::array<double, 3> PyramidLaw::speed(const double* q, const double* rho) const {
  std::array<double, 3> u{};
  for (std::size_t k = 0; k < 3; ++k)
    u[k] = q[k] + (c_.W[3 * k] * rho[0] + c_.W[3 * k + 1] * rho[1] + c_.W[3 * k + 2] * rho[2]);
  return u;
}

// λ that the slip asks for.
double PyramidLaw::slip(const double* u) const {
  double most = 0.0;
  for (const Direction& d : d_) most = std::max(most, -along(d, u + 1));
  return most;
}

double PyramidLaw::residual(const double* rho, const double* u, double& size) const {
  const double lambda = slip(u);
  double left = c_.mu * rho[0], sum = 0.0;
  const auto meet = [&](double z, double w) {
    const double m = std::min(z, w);
    sum += m * m;
    size += z * z + w * w;
  };
  meet(rho[0], u[0]);
  // ρ_t between the two directions beside it: which others there are does not matter.
  const int edges = static_cast<int>(d_.size());
  const double turn = 2.0 * std::numbers::pi / edges;
  const double angle = std::atan2(rho[2], rho[1]);
  const int first =
      static_cast<int>(std::floor((angle < 0.0 ? angle + 2.0 * std::numbers::pi : angle) / turn)) %
      edges;
  const Direction &a = d_[first], &b = d_[(first + 1) % edges];
  const double det = a[0] * b[1] - a[1] * b[0];
  const double beta_a = (rho[1] * b[1] - rho[2] * b[0]) / det;
  const double beta_b = (a[0] * rho[2] - a[1] * rho[1]) / det;
  meet(beta_a, along(a, u + 1) + lambda);
  meet(beta_b, along(b, u + 1) + lambda);
  left -= beta_a + beta_b;
  meet(lambda, left);
  return sum;
}

void PyramidLaw::try_candidate(const double* q, const std::array<double, 3>& rho) {
  if (solved_ || !(rho[0] >= 0.0)) return;
  double size = 0.0;
  const double broken = residual(rho.data(), speed(q, rho.data()).data(), size);
  solved_ = broken <= kNothingLeft * kNothingLeft * size;
  if (!(broken < least_)) return;
  least_ = broken;
  best_ = rho;
}

// ρ = ρ_n (1, μ d_j) with û_n = 0
void PyramidLaw::try_corner(const double* q, int j) {
  const Direction& d = d_[j];
  const double response = c_.W[0] + c_.mu * (c_.W[1] * d[0] + c_.W[2] * d[1]);
  if (!(response > 0.0)) return;
  const double normal = -q[0] / response;
  try_candidate(q, {normal, c_.mu * normal * d[0], c_.mu * normal * d[1]});
}

// ρ = ρ_n (1, μ d_j) + p (0, e), e = d_k − d_j of the next corner, with û_n = 0 and eᵀû_t = 0
void PyramidLaw::try_side(const double* q, int j) {
  const Direction &d = d_[j], &next = d_[(j + 1) % d_.size()];
  const Direction e{next[0] - d[0], next[1] - d[1]};
  const auto& W = c_.W;
  const std::array<double, 2> We{W[4] * e[0] + W[5] * e[1], W[7] * e[0] + W[8] * e[1]};
  const double a = W[0] + c_.mu * (W[1] * d[0] + W[2] * d[1]), b = W[1] * e[0] + W[2] * e[1];
  const double c = W[3] * e[0] + W[6] * e[1] + c_.mu * (We[0] * d[0] + We[1] * d[1]);
  const double g = along(e, We.data()), det = a * g - b * c;
  if (det == 0.0) return;
  const double along_side = along(e, q + 1);
  const double normal = (-q[0] * g + b * along_side) / det, p = (-a * along_side + c * q[0]) / det;
  if (!(p >= 0.0 && p <= c_.mu * normal)) return;
  try_candidate(q, {normal, c_.mu * normal * d[0] + p * e[0], c_.mu * normal * d[1] + p * e[1]});
}

// From the corner that opposes q on, as slip seldom turns far from that.
void PyramidLaw::try_slides(const double* q) {
  const int corners = static_cast<int>(d_.size());
  int first = 0;
  for (int j = 1; j < corners; ++j)
    if (along(d_[j], q + 1) < along(d_[first], q + 1)) first = j;
  const auto turned = [&](int by) { return (first + by + corners) % corners; };
  for (int by = 0; 2 * by <= corners && !solved_; ++by) {
    try_corner(q, turned(by));
    try_corner(q, turned(-by));
    try_side(q, turned(by));
    try_side(q, turned(-by - 1));
  }
}

void PyramidLaw::solve(const double* q, double* rho) {
  best_ = {};
  least_ = std::numeric_limits<double>::infinity();
  solved_ = false;
  try_candidate(q, best_);
  if (q[0] < 0.0 && c_.W[0] > 0.0) {
    const auto& V = c_.inverse;
    if (c_.mu == 0.0) {
      try_candidate(q, {-q[0] / c_.W[0], 0.0, 0.0});
    } else {
      try_candidate(q, {-(V[0] * q[0] + V[1] * q[1] + V[2] * q[2]),
                        -(V[3] * q[0] + V[4] * q[1] + V[5] * q[2]),
                        -(V[6] * q[0] + V[7] * q[1] + V[8] * q[2])});
      try_slides(q);
    }
  }
  std::copy(best_.begin(), best_.end(), rho);
}

void sweep_pyramids(BodyPyramidWorkspace& work) {
  std::array<double, 3> q{}, step{};
  for (int i = 0; i < work.problem.n(); ++i) {
    const ScaledContact& contact = work.problem.contacts[i];
    double* rho = work.rho.data() + 3 * i;
    for (std::size_t k = 0; k < 3; ++k) step[k] = -rho[k];
    add_impulse(contact, step.data(), work.y.data());
    contact_speed(contact, work.y.data(), q.data());
    PyramidLaw(contact, work.directions).solve(q.data(), rho);
    add_impulse(contact, rho, work.y.data());
  }
}

double find_residual(const BodyPyramidWorkspace& work) {
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < work.problem.n(); ++i) {
    const ScaledContact& contact = work.problem.contacts[i];
    std::array<double, 3> u{};
    contact_speed(contact, work.y.data(), u.data());
    sum += PyramidLaw(contact, work.directions).residual(work.rho.data() + 3 * i, u.data(), size);
  }
  const double scale = std::max(work.problem.q_norm, std::sqrt(size));
  return scale > 0.0 ? std::sqrt(sum) / scale : 0.0;
}

void start_pyramids(const BodyProblem& problem, int edges, std::span<const double> warm_start,
                    BodyPyramidWorkspace& work) {
  scale_bodies(problem, work.problem);
  work.directions.clear();
  for (int j = 0; j < edges; ++j) {
    const double angle = 2.0 * std::numbers::pi * j / edges;
    work.directions.push_back({std::cos(angle), std::sin(angle)});
  }
  work.rho.setZero(3 * problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i) {
    ScaledContact& contact = work.problem.contacts[i];
    contact.mu = std::min(contact.mu, kNoSlipFriction);
    for (int k = 0; k < 3 && !warm_start.empty(); ++k)
      work.rho[3 * i + k] = warm_start[3 * i + k] / contact.d;
  }
  find_motion(work.problem, work.rho, work.y);
}

}  // namespace

void solve_body_pyramids(const BodyProblem& problem, const BodyPyramidOptions& options,
                         std::span<const double> warm_start, BodyPyramidWorkspace& workspace,
                         BodyPyramidSolution& solution) {
  start_pyramids(problem, options.edges, warm_start, workspace);
  solution.residual = std::numeric_limits<double>::infinity();
  for (solution.sweeps = 0; solution.sweeps < options.sweeps; ++solution.sweeps) {
    sweep_pyramids(workspace);
    if ((solution.sweeps + 1) % kLookEvery != 0 && solution.sweeps + 1 < options.sweeps) continue;
    find_motion(workspace.problem, workspace.rho, workspace.y);
    const double residual = find_residual(workspace);
    if (!(residual < solution.residual)) continue;
    solution.residual = residual;
    workspace.best = workspace.rho;
    workspace.best_y = workspace.y;
    if (residual <= options.tolerance) break;
  }
  solution.converged = solution.residual <= options.tolerance;
  solution.r = workspace.best;
  for (int i = 0; i < problem.contacts(); ++i)
    solution.r.segment<3>(3 * i) *= workspace.problem.contacts[i].d;
  solution.y = workspace.best_y.head(problem.y.size());
}

}  // namespace pequod
