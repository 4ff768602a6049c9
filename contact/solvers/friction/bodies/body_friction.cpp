#include "contact/solvers/friction/bodies/body_friction.h"

#include <algorithm>
#include <limits>

namespace pequod {
namespace {

constexpr int kFirstSweeps = 20, kFirstSteps = 6, kLaterSteps = 10, kPlainSweeps = 300,
              kGrowing = 3;
// The path: compliances, steps of Newton's method at most, those after which the compliance falls
// fast or falls at all, and factors.
constexpr double kPathFromSwept = 1e-3, kPathFromZero = 1e-2, kPathLeast = 1e-8, kPathMost = 1.0;
constexpr double kPathFastFall = 0.1, kPathFall = 0.5, kPathRise = 3.0;
// A compliance that failed would fail again soon: the path stays above so many times it, a bound
// that each step which stands lowers.
constexpr double kPathAboveFailed = 2.0, kPathForgets = 0.7;
constexpr int kPathSteps = 20, kQuickSteps = 2, kFairSteps = 8, kFirstPath = 900, kLaterPath = 100;
// Of what leads straight on: the way bends. How many times the last way, at most.
constexpr double kForesight = 0.9, kFarthest = 10.0;
// What an iterate may leave of |y_f| where rest is sought: its likely end, or a guess before the
// path, which is dearer by far.
constexpr double kNearRest = 1e-2, kAnyMotion = 1.0;
// Of |ρ|, and of û against the loads: what a contact below carries or slips is rounding.
constexpr double kNoForce = 1e-12;

// The solve under way.
struct BodySolve {
  const ScaledBodies& problem;
  const BodyFrictionOptions& options;
  BodyFrictionWorkspace& work;
  BodyFrictionSolution& out;
  double least = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool solved() const { return least <= options.tolerance; }
  [[nodiscard]] double aim() const { return std::max(options.tolerance, options.enough); }
  [[nodiscard]] bool will_do() const { return least <= aim(); }
  [[nodiscard]] int sweeps_left() const { return options.sweeps - out.sweeps; }
  [[nodiscard]] int factors_left() const {
    return problem.n() >= options.most_factored ? 0 : options.factors - out.factors;
  }
  [[nodiscard]] bool spent() const { return sweeps_left() <= 0 && factors_left() <= 0; }

  // Keeps ρ, projected on the cones, if it is the best so far.
  void judge_iterate(std::string_view stage, const VectorXd& rho) {
    work.projected = rho;
    project_on_cones(problem, work.projected);
    find_motion(problem, work.projected, work.projected_y);
    const BodyResidual residual = natural_map(problem, work.projected, work.projected_y);
    if (!(residual.all < least)) return;
    least = residual.all;
    out.residual = residual;
    out.stage = stage;
    work.best.swap(work.projected);
    work.best_y.swap(work.projected_y);
  }
  void start_from_best() {
    work.rho = work.best;
    work.y = work.best_y;
  }
};

void run_newton(BodySolve& solve, int steps, std::string_view stage) {
  steps = std::min(steps, solve.factors_left());
  if (steps <= 0 || solve.solved()) return;
  const BodyNewtonSettings settings{.steps = steps, .tolerance = 0.1 * solve.options.tolerance};
  solve.out.factors +=
      solve_body_newton(solve.problem, settings, solve.work.newton, solve.work.rho, solve.work.y)
          .factors;
  solve.judge_iterate(stage, solve.work.rho);
}

// From the centre on, as far as the last way leads in the time of a step, 1/ε.
void look_ahead(BodySolve& solve, double times) {
  BodyFrictionWorkspace& work = solve.work;
  work.rho = work.centre + kForesight * std::min(times, kFarthest) * work.way;
  project_on_cones(solve.problem, work.rho);
  find_motion(solve.problem, work.rho, work.y);
}

// ε of the next step.
// @param least  in and out: what it stays above
double next_compliance(const BodyNewtonResult& last, double compliance, double& least) {
  if (!last.converged) {
    least = kPathAboveFailed * compliance;
    return std::min(kPathRise * compliance, kPathMost);
  }
  least = std::max(kPathForgets * least, kPathLeast);
  const double fall = last.factors <= kQuickSteps  ? kPathFastFall
                      : last.factors <= kFairSteps ? kPathFall
                                                   : 1.0;
  return std::clamp(fall * compliance, least, kPathMost);
}

// Steps of the proximal point method: Newton's method with compliance ε about its own last result.
// Where contacts wedge bodies, impulses drift far along directions that move nothing, at a speed
// that all but stays; so each step begins where the last way leads.
void follow_path(BodySolve& solve, bool from_zero, int most_factors) {
  BodyFrictionWorkspace& work = solve.work;
  if (from_zero) {
    work.rho.setZero();
    work.y = solve.problem.y_free;
  } else {
    solve.start_from_best();
  }
  work.centre = work.rho;
  work.way.setZero(work.rho.size());
  double way_compliance = 0.0;  // with which it was taken
  double least_compliance = kPathLeast;
  BodyNewtonSettings settings;
  settings.centre = &work.centre;
  settings.compliance = from_zero ? kPathFromZero : kPathFromSwept;
  for (int left = std::min(most_factors, solve.factors_left()); left > 0 && !solve.will_do();) {
    settings.steps = std::min(kPathSteps, left);
    settings.tolerance = std::max(0.1 * solve.options.tolerance, 1e-4 * settings.compliance);
    look_ahead(solve, way_compliance / settings.compliance);
    const BodyNewtonResult result =
        solve_body_newton(solve.problem, settings, work.newton, work.rho, work.y);
    solve.out.factors += result.factors;
    left -= std::max(result.factors, 1);
    if (result.converged) {
      work.way = work.rho - work.centre;
      way_compliance = settings.compliance;
      work.centre = work.rho;
      solve.judge_iterate("path", work.rho);
    }
    settings.compliance = next_compliance(result, settings.compliance, least_compliance);
  }
}

// What is left when the first stages did not: one that is stuck stays stuck, so they take turns.
void take_turns(BodySolve& solve) {
  BodyFrictionWorkspace& work = solve.work;
  work.plain = work.best;
  work.plain_y = work.best_y;
  bool from_zero = true;
  for (int count = kPlainSweeps; !solve.will_do() && !solve.spent(); count *= kGrowing) {
    const int sweeps = std::min(count, solve.sweeps_left());
    if (sweeps > 0) {
      solve.out.sweeps +=
          sweep_plainly(solve.problem, sweeps, solve.aim(), work.plain, work.plain_y);
      find_motion(solve.problem, work.plain, work.plain_y);
      solve.judge_iterate("plain", work.plain);
      work.rho = work.plain;
      work.y = work.plain_y;
      run_newton(solve, kLaterSteps, "newton");
    }
    const int before = solve.out.factors;
    if (!solve.will_do()) follow_path(solve, from_zero, kLaterPath);
    from_zero = false;
    if (sweeps <= 0 && solve.out.factors == before) return;
  }
}

// Rest from the best iterate so far: once it is found it has no residual but rounding.
// @param within  of |y_f|: what that iterate may leave
bool try_rest(BodySolve& solve, double within) {
  BodyFrictionWorkspace& work = solve.work;
  if (work.best_y.norm() > within * solve.problem.y_free.norm() || !may_rest(solve.problem))
    return false;
  work.rho = work.best;
  ++solve.out.factors;
  if (!find_rest(solve.problem, work.newton.factor, work.rest, work.rho)) return false;
  solve.judge_iterate("rest", work.rho);
  return solve.solved();
}

void run_stages(BodySolve& solve, bool warm) {
  BodyFrictionWorkspace& work = solve.work;
  solve.judge_iterate(warm ? "warm" : "sweeps", work.rho);
  // Also where the warm start would do: what that leaves would creep on.
  if ((warm && try_rest(solve, kNearRest)) || solve.solved()) return;
  solve.start_from_best();
  solve.out.sweeps += extrapolate_sweeps(solve.problem, std::min(kFirstSweeps, solve.sweeps_left()),
                                         solve.options.tolerance, work.history, work.rho, work.y);
  solve.judge_iterate("sweeps", work.rho);
  solve.start_from_best();
  run_newton(solve, kFirstSteps, "newton");
  if (!solve.will_do() && try_rest(solve, kAnyMotion)) return;
  if (!solve.will_do()) follow_path(solve, false, kFirstPath);
  if (!solve.will_do()) take_turns(solve);
}

// Impulses that add energy do so along g = Gᵀρ: a share t of them changes ½|y|² by
// t(y_f·g) + ½t²|g|², which is zero at t = −2 y_f·g/|g|². Shares stay in the cones.
void give_no_energy(BodySolve& solve) {
  BodyFrictionWorkspace& work = solve.work;
  work.projected_y = work.best_y - solve.problem.y_free;
  const double along = solve.problem.y_free.dot(work.projected_y);
  const double square = work.projected_y.squaredNorm();
  if (2.0 * along + square <= 0.0) return;
  work.best *= std::max(-2.0 * along / square, 0.0);
  find_motion(solve.problem, work.best, work.best_y);
  solve.out.residual = natural_map(solve.problem, work.best, work.best_y);
  solve.out.scaled = true;
}

// Modes and impulses in the units of the problem.
void write_solution(const BodySolve& solve) {
  BodyFrictionSolution& out = solve.out;
  const ScaledBodies& problem = solve.problem;
  const VectorXd& rho = solve.work.best;
  const double scale = rho.norm();
  out.r.resize(rho.size());
  out.modes.resize(problem.n());
  for (int i = 0; i < problem.n(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Vector3d own = rho.segment<3>(3 * i);
    out.r.segment<3>(3 * i) = contact.d * own;
    FrictionMode& mode = out.modes[i];
    const double bound = contact.mu * own[0];
    if (!(own[0] > kNoForce * scale))
      mode = FrictionMode::open;
    else if (contact.no_slip || own.tail<2>().norm() < bound * (1.0 - 1e-9))
      mode = FrictionMode::stick;
    else
      mode = FrictionMode::slide;
  }
  out.y = solve.work.best_y.head(static_cast<Index>(kBodyWidth) * problem.bodies);
  out.accepted = solve.aim();
  out.converged = out.residual.all <= out.accepted;
}

}  // namespace

void solve_body_friction(const BodyProblem& problem, const BodyFrictionOptions& options,
                         std::span<const double> warm_start, BodyFrictionWorkspace& workspace,
                         BodyFrictionSolution& solution) {
  scale_bodies(problem, workspace.problem);
  solution.sweeps = solution.factors = 0;
  solution.scaled = false;
  solution.stage = "none";
  solution.residual = {};
  BodySolve solve{workspace.problem, options, workspace, solution};
  VectorXd& rho = workspace.rho;
  rho.resize(3 * problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i) {
    const ScaledContact& contact = workspace.problem.contacts[i];
    double* own = rho.data() + 3 * i;
    if (warm_start.empty()) {
      contact_speed(contact, workspace.problem.y_free.data(), own);
      for (int k = 0; k < 3; ++k) own[k] = -own[k];
    } else {
      for (int k = 0; k < 3; ++k) own[k] = warm_start[3 * i + k] / contact.d;
    }
  }
  project_on_cones(workspace.problem, rho);
  run_stages(solve, !warm_start.empty());
  if ((problem.b.array() >= 0.0).all()) give_no_energy(solve);
  write_solution(solve);
}

}  // namespace pequod
