#include "contact/solvers/friction/dissipation/body_dissipation.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/quadratic/cone_method.h"

namespace pequod {
namespace {

using Vector = const Eigen::Ref<const VectorXd>&;
using Response = Eigen::Map<const RowMajor3>;

// Solves that bring back the digits that elimination costs, at most.
constexpr int kMostRefinements = 8;
// In contact units, added to Γ⁻¹: of impulses that wedge bodies Γ grows to 1e13, and all else is
// lost in its rounding. Of 108 packings 6 do not end without it, nor with 1e-10; with 1e-6 to 1e-9
// one or two. Refinement is with the system as it is.
constexpr double kSoft = 1e-8;
// Of all motion: what a solve is judged by at least, where contacts feel less of it.
constexpr double kLeastFelt = 1e-6;
// Of S²: the gap of the iterate from which a solve with more contacts starts. Over 1001 balls it
// saves a quarter of all iterations; from 1e-1 on steps turn short, and at 1e-3 most do not end.
constexpr double kWellInside = 1.0;

// The Newton systems of QP 1 over bodies. Rows of B: û_n ≥ 0 of each contact, the bound on the sum,
// then ρ_n ≥ 0 of those without friction, whose tangents A leaves alone.
class BodyConeSystem {
 public:
  explicit BodyConeSystem(BodyDissipationWorkspace& work)
      : p_(work.problem), w_(work), n_(work.problem.n()) {
    w_.saddle.analyse(p_);
  }

  void apply(Vector x, VectorXd& result);
  void rows_times(Vector x, VectorXd& result);
  void add_transposed(double factor, Vector y, VectorXd& result);
  [[nodiscard]] bool factorise(const ConeIterates& at, bool first);
  [[nodiscard]] bool solve(const ConeIterates& at, bool first, double allowed, VectorXd& x);

 private:
  [[nodiscard]] const ScaledContact& contact(int i) const { return p_.contacts[i]; }
  [[nodiscard]] Response gives(int i) const { return Response(w_.gives.data() + 9 * i); }
  // Calls take(contact, row) for the bounds ρ_n ≥ 0.
  template <typename Take>
  void for_bounds(const Take& take) const {
    int row = n_ + 1;
    for (int i = 0; i < n_; ++i)
      if (contact(i).mu == 0.0) take(i, row++);
  }
  /// y ← Gᵀx
  void move(Vector x, VectorXd& y) const {
    y.setZero(p_.y_free.size());
    for (int i = 0; i < n_; ++i) add_impulse(contact(i), x.data() + 3 * i, y.data());
  }
  /// G y of one contact
  [[nodiscard]] Eigen::Vector3d speed(int i, const VectorXd& y) const {
    Eigen::Vector3d u;
    contact_speed(contact(i), y.data(), u.data());
    return u - Eigen::Map<const Eigen::Vector3d>(contact(i).b.data());
  }
  /// y ← y + Nᵀ impulse of one contact
  void push(int i, double impulse, VectorXd& y) const {
    const Eigen::Vector3d rho(impulse, 0.0, 0.0);
    add_impulse(contact(i), rho.data(), y.data());
  }
  void eliminate(const VectorXd& right, VectorXd& x);
  void solve_bordered(VectorXd& x);
  double find_residual(const ConeIterates& at, bool first, const VectorXd& x);

  const ScaledBodies& p_;
  BodyDissipationWorkspace& w_;
  int n_;
  double pivot_ = NAN;  // of the bound on the sum
};

void BodyConeSystem::apply(Vector x, VectorXd& result) {
  move(x, w_.motion);
  for (int i = 0; i < n_; ++i) {
    result.segment<3>(3 * i) = speed(i, w_.motion);
    if (contact(i).mu == 0.0) result.segment<2>(3 * i + 1) += x.segment<2>(3 * i + 1);
  }
}

void BodyConeSystem::rows_times(Vector x, VectorXd& result) {
  move(x, w_.motion);
  for (int i = 0; i < n_; ++i) result[i] = speed(i, w_.motion)[0];
  result[n_] = w_.sum.dot(x);
  for_bounds([&](int i, int row) { result[row] = x[3 * i]; });
}

void BodyConeSystem::add_transposed(double factor, Vector y, VectorXd& result) {
  w_.motion.setZero(p_.y_free.size());
  for (int i = 0; i < n_; ++i) push(i, y[i], w_.motion);
  for (int i = 0; i < n_; ++i) result.segment<3>(3 * i) += factor * speed(i, w_.motion);
  result += factor * y[n_] * w_.sum;
  for_bounds([&](int i, int row) { result[3 * i] += factor * y[row]; });
}

// Γ = (Cᵀ Θ⁻² C)⁻¹ = C⁻¹ Θ² C⁻¹, a little less than that, with C = diag(μ, 1, 1); without friction
// that of the bound.
bool BodyConeSystem::factorise(const ConeIterates& at, bool first) {
  w_.square.resize(at.s.size() - 3 * static_cast<Index>(at.scalings.size()));
  for (int i = 0; i < w_.square.size(); ++i) w_.square[i] = first ? 1.0 : at.s[i] / at.z[i];
  w_.along.resize(n_);
  w_.gives.assign(9 * n_, 0.0);
  std::size_t cone = 0;
  for (int i = 0; i < n_; ++i) {
    w_.along[i] = 1.0 / w_.square[i];
    Eigen::Map<Eigen::Matrix3d> own(w_.gives.data() + 9 * i);
    own.setIdentity();
    if (contact(i).mu == 0.0) continue;
    if (!first)
      for (int k = 0; k < 3; ++k)
        at.scalings[cone].apply_square(own.col(k).data(), own.col(k).data());
    ++cone;
    own.row(0) /= contact(i).mu;
    own.col(0) /= contact(i).mu;
  }
  for_bounds([&](int i, int row) { w_.gives[9 * i] = w_.square[row]; });
  for (int i = 0; i < n_; ++i) {
    Eigen::Map<Eigen::Matrix3d> own(w_.gives.data() + 9 * i);
    const Eigen::Matrix3d softer = own * (Eigen::Matrix3d::Identity() + kSoft * own).inverse();
    own = 0.5 * (softer + softer.transpose());
  }
  w_.saddle.factorise(p_, w_.along, w_.gives);
  w_.right.setZero(3 * n_ + w_.square.size());
  w_.right.head(3 * n_) = w_.sum;
  eliminate(w_.right, w_.by_sum);
  pivot_ = w_.sum.dot(w_.by_sum.head(3 * n_)) + w_.square[n_];
  return std::isfinite(pivot_);
}

// The system without the row and column of the bound on the sum. With w of the rows û_n ≥ 0 and
// v = a + Nᵀw:
//   δρ = Γ(r₁ − G v),  w = Λ(N a − r₂),  [1 + NᵀΛN, −1; −1, −GᵀΓG](a, v) = (NᵀΛr₂, −GᵀΓr₁).
void BodyConeSystem::eliminate(const VectorXd& right, VectorXd& x) {
  const Index N = 3 * static_cast<Index>(n_);
  x = right;
  for_bounds([&](int i, int row) { x[3 * i] += right[N + row] / w_.square[row]; });
  w_.a.setZero(p_.y_free.size());
  w_.v.setZero(p_.y_free.size());
  for (int i = 0; i < n_; ++i) {
    push(i, right[N + i] / w_.square[i], w_.a);
    const Eigen::Vector3d given = -(gives(i) * x.segment<3>(3 * i));
    add_impulse(contact(i), given.data(), w_.v.data());
  }
  w_.saddle.solve(w_.a, w_.v);
  w_.a.tail<kBodyWidth>().setZero();  // the world
  w_.v.tail<kBodyWidth>().setZero();
  for (int i = 0; i < n_; ++i) {
    const Eigen::Vector3d left = x.segment<3>(3 * i) - speed(i, w_.v);
    x.segment<3>(3 * i) = gives(i) * left;
    x[N + i] = (speed(i, w_.a)[0] - right[N + i]) / w_.square[i];
  }
  x[N + n_] = 0.0;
  for_bounds([&](int i, int row) { x[N + row] = (x[3 * i] - right[N + row]) / w_.square[row]; });
}

// x ← K⁻¹ right, right in the workspace.
void BodyConeSystem::solve_bordered(VectorXd& x) {
  eliminate(w_.right, x);
  const Index N = 3 * static_cast<Index>(n_);
  const double multiplier = (w_.sum.dot(x.head(N)) - w_.right[N + n_]) / pivot_;
  x -= multiplier * w_.by_sum;
  x[N + n_] = multiplier;
}

// right ← asked − K x, both in the workspace. @return its norm
double BodyConeSystem::find_residual(const ConeIterates& at, bool first, const VectorXd& x) {
  const Index N = 3 * static_cast<Index>(n_);
  w_.above.resize(N);
  w_.below.resize(w_.square.size());
  apply(x.head(N), w_.above);
  add_transposed(1.0, x.tail(w_.square.size()), w_.above);
  std::size_t cone = 0;
  for (int i = 0; i < n_; ++i) {
    if (contact(i).mu == 0.0) continue;
    Eigen::Vector3d own = x.segment<3>(3 * i);
    own[0] *= contact(i).mu;
    if (!first) at.scalings[cone].apply_inverse_square(own.data(), own.data());
    ++cone;
    own[0] *= contact(i).mu;
    w_.above.segment<3>(3 * i) += own;
  }
  rows_times(x.head(N), w_.below);
  w_.below -= w_.square.cwiseProduct(x.tail(w_.square.size()));
  w_.right.head(N) = w_.asked.head(N) - w_.above;
  w_.right.tail(w_.square.size()) = w_.asked.tail(w_.square.size()) - w_.below;
  return w_.right.norm();
}

bool BodyConeSystem::solve(const ConeIterates& at, bool first, double allowed, VectorXd& x) {
  w_.asked = w_.right = x;
  solve_bordered(w_.x);
  double left = find_residual(at, first, w_.x);
  for (int i = 0; i < kMostRefinements && left > allowed; ++i) {
    solve_bordered(w_.step);
    w_.step += w_.x;
    const double next = find_residual(at, first, w_.step);
    if (!(next < left)) break;
    left = next;
    w_.x.swap(w_.step);
  }
  x = w_.x;
  return x.allFinite();
}

// Without friction a contact has no tangents.
void drop_tangents(ScaledBodies& problem) {
  for (ScaledContact& contact : problem.contacts) {
    if (contact.mu > 0.0) continue;
    std::fill(contact.rows.begin() + kBodyWidth, contact.rows.begin() + kBodyRows, 0.0);
    std::fill(contact.rows.begin() + kBodyRows + kBodyWidth, contact.rows.end(), 0.0);
    contact.b[1] = contact.b[2] = 0.0;
  }
}

// Everything of the program but its matrices.
void state_rows(const ScaledBodies& problem, double kappa, BodyDissipationWorkspace& work) {
  const int n = problem.n();
  ConeRows& rows = work.rows;
  rows.bounds = 0;
  rows.cones.clear();
  rows.mu.resize(n);
  rows.b.resize(3 * n);
  work.sum.setZero(3 * n);
  double unit = 0.0;
  for (int i = 0; i < n; ++i) {
    const ScaledContact& contact = problem.contacts[i];
    contact_speed(contact, problem.y_free.data(), rows.b.data() + 3 * i);
    rows.mu[i] = contact.mu;
    if (contact.mu > 0.0) rows.cones.push_back(i);
    rows.bounds += contact.mu == 0.0;
    unit = std::max(unit, contact.d);
    work.sum[3 * i] = -contact.d;
  }
  work.sum /= unit;
  rows.c.setZero(n + 1 + rows.bounds);
  for (int i = 0; i < n; ++i) rows.c[i] = rows.b[3 * i];
  rows.c[n] = kappa / unit;
  const double felt = std::max(rows.b.norm(), kLeastFelt * problem.y_free.norm());
  rows.scale = felt > 0.0 ? felt : 1.0;
}

// ρ ← the impulses of least energy between ρ and those of phase I: both keep the bounds, so all
// between do, and phase I gains nothing.
void stay_below_first(const ScaledBodies& problem, BodyDissipationWorkspace& work) {
  find_motion(problem, work.first, work.first_y);
  find_motion(problem, work.rho, work.y);
  VectorXd &way = work.step, &moved = work.motion;
  way = work.first - work.rho;
  moved = work.first_y - work.y;
  double slope = moved.dot(work.y);
  for (int i = 0; i < problem.n(); ++i)
    for (int k = 0; k < 3; ++k) slope += way[3 * i + k] * problem.contacts[i].b[k];
  const double curvature = moved.squaredNorm();
  if (!(slope < 0.0)) return;
  work.rho += (curvature > -slope ? -slope / curvature : 1.0) * way;
  find_motion(problem, work.rho, work.y);
}

// In the units of the problem, and what they break, as solve_maximum_dissipation().
void read_dissipation(const ScaledBodies& problem, double scale,
                      const BodyDissipationWorkspace& work, MaximumDissipationSolution& solution) {
  const Index N = 3 * static_cast<Index>(problem.n());
  solution.r.resize(N);
  solution.u.resize(N);
  solution.penetration = solution.cone = solution.energy_change = 0.0;
  double sum = 0.0;
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Vector3d rho = work.rho.segment<3>(3 * i);
    Eigen::Vector3d u, before;
    contact_speed(contact, work.y.data(), u.data());
    contact_speed(contact, problem.y_free.data(), before.data());
    solution.r.segment<3>(3 * i) = contact.d * rho;
    solution.u.segment<3>(3 * i) = u / contact.d;
    solution.penetration = std::max(solution.penetration, -u[0] / scale);
    solution.cone = std::max(
        {solution.cone, -rho[0] / scale, (rho.tail<2>().norm() - contact.mu * rho[0]) / scale});
    solution.energy_change += 0.5 * rho.dot(u + before);
    sum += contact.d * rho[0];
  }
  solution.excess =
      solution.kappa > 0.0 ? std::max(0.0, sum / solution.kappa - 1.0) : std::max(0.0, sum);
}

// The interior point method, from the point if that is set and leads to the end, else from nothing.
// ρ is then the best iterate, in the cones.
void approach_least(const MaximumDissipationOptions& options, std::span<const int> names,
                    DissipationPoint& point, BodyDissipationWorkspace& workspace,
                    MaximumDissipationSolution& solution) {
  InteriorPointSettings settings;
  settings.iterations = options.max_iterations;
  settings.tolerance = options.tolerance;
  if (!names.empty()) settings.kept = &workspace.kept;
  settings.keep_below = kWellInside;
  BodyConeSystem system(workspace);
  for (const bool goes_on : {true, false}) {
    if (goes_on && (names.empty() || !point.is_set())) continue;
    if (goes_on) take_up(point, names, workspace.rows, workspace.from);
    settings.from = goes_on ? &workspace.from : nullptr;
    const InteriorPointResult result =
        ConeMethod(workspace.rows, system, workspace.iterates).solve(settings, workspace.rho);
    solution.iterations += result.iterations;
    solution.gap = result.error();
    if (solution.gap <= options.accepted) break;
  }
  if (settings.kept && settings.kept->x.size() > 0)
    keep(workspace.kept, names, workspace.rows, point);
  if (!workspace.rho.allFinite()) workspace.rho = workspace.first;
  project_on_cones(workspace.problem, workspace.rho);
}

}  // namespace

bool solve_body_dissipation(const BodyProblem& given, const VectorXd& normal,
                            const MaximumDissipationOptions& options, std::span<const int> names,
                            DissipationPoint& point, BodyDissipationWorkspace& workspace,
                            MaximumDissipationSolution& solution) {
  scale_bodies(given, workspace.problem);
  ScaledBodies& problem = workspace.problem;
  for (const ScaledContact& contact : problem.contacts)
    if (contact.no_slip) return false;
  drop_tangents(problem);
  solution.normal = normal;
  solution.kappa = normal.sum();
  state_rows(problem, solution.kappa * (1.0 + options.slack), workspace);
  workspace.first.setZero(3 * problem.n());
  for (int i = 0; i < problem.n(); ++i) workspace.first[3 * i] = normal[i] / problem.contacts[i].d;
  workspace.rho = workspace.first;
  solution.iterations = 0;
  solution.gap = 0.0;
  // No friction, be it for want of normal impulses: nothing is left to choose.
  if (solution.kappa > 0.0 && !workspace.rows.cones.empty())
    approach_least(options, names, point, workspace, solution);
  stay_below_first(problem, workspace);
  read_dissipation(problem, workspace.rows.scale, workspace, solution);
  judge_dissipation(options, solution);
  return true;
}

}  // namespace pequod
