#include "contact/solvers/friction/dense/coulomb_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "contact/solvers/friction/contact_sweeps.h"
#include "contact/solvers/friction/friction_ball.h"
#include "contact/solvers/friction/friction_local.h"
#include "contact/solvers/friction/friction_workspace.h"

namespace pequod {

namespace {

constexpr int kMany = 100;  // contacts from which on Newton alone mostly fails
// With more contacts than kSeveral a natural map of kGoodEnough, a tenth of what counts as solved,
// ends the search in its dearest stages. Where dozens of contacts on few bodies contradict each
// other by the rounding of their gaps, no modes are exact, and hundreds of restarts end there too.
constexpr int kSeveral = 16;
constexpr double kGoodEnough = 1e-9;
// Newton's method from random forces: so often, and the first of them before the longest search.
constexpr int kRestarts = 200, kFirstRestarts = 40;
constexpr int kProximalSteps = 30;  // of Newton's method, for each compliance of the proximal path

/// One solve: the stages in order, until one ends exact.
class Chain {
 public:
  Chain(const FrictionOptions& options, FrictionWorkspace& buffers)
      : options_(options), b_(buffers), problem_(buffers.problem) {}

  void solve(bool warm);
  [[nodiscard]] bool grows_without_limit() const;

  std::string_view method = "newton";
  int iterations = 0;
  double scaled = std::numeric_limits<double>::infinity();  ///< residual of b_.best
  bool several = false;

 private:
  bool newton(std::string_view stage, int steps);
  bool sweeps(std::string_view stage, int count, int iterations);
  bool proximal();
  bool admm(std::string_view stage, int steps);
  bool restarts(int from, int to);
  bool any_stage(bool warm);
  bool any_dear_stage();
  [[nodiscard]] bool good_enough() const { return problem_.n > kSeveral && scaled <= kGoodEnough; }
  void take_limit();
  bool follow_to_limit();
  void take_other();
  bool take_if_exact(std::string_view stage, int steps);
  [[nodiscard]] bool several_solutions();

  const FrictionOptions& options_;
  FrictionWorkspace& b_;
  const ScaledFriction& problem_;
  ProximalResult path_;  ///< of the stage `proximal`
};

/// Newton from b_.rho, then the finish. Returns whether the result needs no further stage.
bool Chain::newton(std::string_view stage, int steps) {
  if (options_.max_iterations > 0) steps = options_.max_iterations;
  const NewtonResult result = solve_newton(
      problem_, {.iterations = steps, .tolerance = options_.tolerance}, b_.newton, b_.rho);
  FrictionResiduals residuals;
  bool done = false;
  if (problem_.associated) {
    b_.newton.looked.resize(problem_.rows());
    residuals.scaled = natural_residual(problem_, b_.rho, b_.newton.looked);
    residuals.growth = b_.rho.norm() / std::max(problem_.q_norm, problem_.scale);
    done = residuals.scaled <= options_.tolerance && !(residuals.growth > kGrown);
  } else {
    residuals = make_exact(problem_, b_.newton, b_.rho);
    done = is_exact(residuals) || (problem_.n > kMany && residuals.scaled <= options_.tolerance &&
                                   residuals.growth <= kGrown);
  }
  if (residuals.growth > kGrown) residuals.scaled = std::numeric_limits<double>::infinity();
  if (done || residuals.scaled < scaled) {
    scaled = residuals.scaled;
    b_.best = b_.rho;
    method = stage;
    iterations = result.iterations;
  }
  return done;
}

bool Chain::sweeps(std::string_view stage, int count, int steps) {
  b_.rho = b_.start;
  sweep_exact(problem_, {.sweeps = count, .tolerance = options_.tolerance}, b_.u, b_.rho);
  return newton(stage, steps);
}

bool Chain::proximal() {
  b_.rho.setZero(problem_.rows());
  path_ = follow_proximal_path(problem_, kProximalSteps, b_.newton, b_.rho);
  return newton("proximal", 30);
}

bool Chain::admm(std::string_view stage, int steps) {
  b_.rho = b_.best;
  solve_admm(problem_, steps, options_.tolerance, b_.admm, b_.rho);
  return newton(stage, 50);
}

/// The restarts from one number to another: random forces of several sizes; every second start is
/// swept first.
bool Chain::restarts(int from, int to) {
  std::mt19937 random(options_.seed + from);
  std::normal_distribution<double> normal;
  const double S = std::max(problem_.q_norm, problem_.scale) / std::sqrt(problem_.n);
  for (int k = from; k < to; ++k) {
    const double size = S * std::pow(10, k % 3 - 1);
    for (double& x : b_.rho) x = size * normal(random);
    for (int i = 0; i < problem_.n; ++i) problem_.project(i, b_.rho.data() + 3 * i);
    if (k % 2 == 1 && !problem_.associated) sweep_exact(problem_, {.sweeps = 30}, b_.u, b_.rho);
    if (newton("restart", 50)) return true;
    if (good_enough()) return false;
  }
  return false;
}

bool Chain::any_stage(bool warm) {
  if (warm && newton("warm", 20)) return true;
  const bool many = problem_.n > kMany;
  if (many && admm("admm", 1000)) return true;
  b_.rho = b_.start;
  if (newton("newton", 20)) return true;
  if (!problem_.associated) {
    if (sweeps("nsgs-10", 10, 30) || sweeps("nsgs-100", 100, 50)) return true;
  }
  if (proximal()) return true;
  // Dozens of Newton solves of many contacts would take minutes.
  return !many && any_dear_stage();
}

bool Chain::any_dear_stage() {
  if (good_enough()) return false;
  if (admm("admm", 1000)) return true;
  if (good_enough()) return false;
  if (restarts(0, kFirstRestarts)) return true;
  if (good_enough()) return false;
  if (admm("admm-long", 20000)) return true;
  return !good_enough() && restarts(kFirstRestarts, kRestarts);
}

/// Whether W of the loaded contacts is singular (a pivot of Cholesky's method vanishes) and one of
/// them slides: then velocities may not be unique.
bool Chain::several_solutions() {
  constexpr double kSingular = 1e-9;
  const std::vector<FrictionMode>& modes = b_.newton.modes;
  if (std::ranges::find(modes, FrictionMode::slide) == modes.end()) return false;
  std::vector<int>& rows = b_.newton.active;
  rows.clear();
  for (int i = 0; i < problem_.n; ++i)
    if (modes[i] != FrictionMode::open)
      for (int k = 3 * i; k < 3 * i + 3; ++k) rows.push_back(k);
  b_.loaded.resize(problem_.rows(), problem_.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double* row = b_.loaded.col(static_cast<Index>(i)).data();
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = b_.loaded.col(static_cast<Index>(j)).data();
      double sum = problem_.W(rows[i], rows[j]);
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j == i && sum <= kSingular) return true;
      row[j] = j == i ? std::sqrt(sum) : sum / other[j];
    }
  }
  return false;
}

/// The limit of vanishing compliance, if it can be made exact; else the solution stays.
void Chain::take_limit() {
  b_.rho = b_.best;
  if (follow_to_limit()) return;
  b_.rho.setZero();
  follow_to_limit();
}

bool Chain::follow_to_limit() {
  const ProximalResult path = follow_proximal_path(problem_, kProximalSteps, b_.newton, b_.rho);
  return path.followed && take_if_exact("limit", path.iterations);
}

/// The solution of the sweeps, if it can be made exact; else the one there is stays.
void Chain::take_other() {
  b_.rho.setZero();
  const SweepResult swept = sweep_exact(
      problem_, {.sweeps = 200, .tolerance = options_.tolerance, .backwards = true}, b_.u, b_.rho);
  take_if_exact("other", swept.sweeps);
}

/// Newton's method from b_.rho, whose answer replaces the one there is if its modes are exact.
bool Chain::take_if_exact(std::string_view stage, int steps) {
  solve_newton(problem_, {.iterations = 30, .tolerance = options_.tolerance}, b_.newton, b_.rho);
  const FrictionResiduals residuals = make_exact(problem_, b_.newton, b_.rho);
  if (!is_exact(residuals)) return false;
  scaled = residuals.scaled;
  b_.best = b_.rho;
  method = stage;
  iterations = steps;
  return true;
}

void Chain::solve(bool warm) {
  b_.best = b_.rho;
  const bool done = any_stage(warm);
  using Choice = FrictionOptions::Choice;
  if (!done || problem_.associated || options_.choice == Choice::first_found) return;
  if (options_.choice == Choice::limit) return take_limit();
  const int most = options_.choice == Choice::other ? kMany : kAskedContacts;
  several = problem_.n <= most && several_solutions();
  if (!several) return;
  if (options_.choice == Choice::other)
    take_other();
  else
    take_limit();
}

/// Whether the proximal path ended in a pull towards a direction that W does not feel and that q
/// pushes along: the distance from the equations to any solution.
bool Chain::grows_without_limit() const {
  constexpr double kPull = 1e-7, kNull = 1e-6;
  if (!(path_.pull > kPull)) return false;
  const VectorXd& ray = b_.newton.ray;
  return (problem_.W * ray).norm() <= kNull * ray.norm() && problem_.q.dot(ray) < 0;
}

/// Rolling contacts: no Newton equations, so alternating directions.
void solve_rolling(const FrictionOptions& options, FrictionWorkspace& b,
                   FrictionSolution& solution) {
  const int steps = options.max_iterations > 0 ? options.max_iterations : 20000;
  solution.method = "admm";
  solution.iterations = solve_admm(b.problem, steps, options.tolerance, b.admm, b.rho);
}

// Of the solution: what is the same of all that need no stage of the chain.
void take_without_stages(std::string_view method, FrictionSolution& solution) {
  solution.status = SolveStatus::solved;
  solution.reason.clear();
  solution.method = method;
  solution.iterations = 0;
  solution.several = false;
}

// The contact of a ball by itself, in closed form.
bool solve_one_ball(const FrictionProblem& problem, const FrictionOptions& options,
                    std::span<const double> warm_start, FrictionSolution& solution) {
  if (problem.mu.size() != 1 || problem.dimension != 3 || problem.associated ||
      (!warm_start.empty() && warm_start.size() != 3))  // which is refused where it is used
    return false;
  const RowMajor3 W = problem.W;
  if (!is_of_ball(W.data())) return false;
  solution.r.resize(3);
  if (!solve_contact(W.data(), problem.q.data(), problem.mu[0], solution.r.data())) return false;
  measure(problem, solution);
  if (!solution.exact || !(solution.residuals.scaled <= options.accepted)) return false;
  take_without_stages("ball", solution);
  return true;
}

// Whether the warm start of many contacts is exact and nothing slides, as in piles that stand: what
// solves would leave them alone but for rounding.
bool still_solves(const FrictionProblem& problem, const FrictionOptions& options,
                  std::span<const double> warm_start, FrictionSolution& solution) {
  if (problem.mu.size() < kManyResting || problem.dimension != 3 || problem.associated ||
      options.choice == FrictionOptions::Choice::limit ||
      static_cast<Index>(warm_start.size()) != problem.q.size())
    return false;
  solution.r = Eigen::Map<const VectorXd>(warm_start.data(), problem.q.size());
  measure(problem, solution);
  if (!solution.exact || std::ranges::count(solution.modes, FrictionMode::slide) > 0) return false;
  take_without_stages("start", solution);
  return true;
}

}  // namespace

void solve_coulomb(const FrictionProblem& problem, const FrictionOptions& options,
                   std::span<const double> warm_start, FrictionWorkspace& b,
                   FrictionSolution& solution) {
  check(problem);
  if (solve_one_ball(problem, options, warm_start, solution) ||
      still_solves(problem, options, warm_start, solution))
    return;
  scale_friction(problem, b.problem);
  start_from(b.problem, problem.dimension, {}, b.start);
  start_from(b.problem, problem.dimension, warm_start, b.rho);
  if (b.problem.stride == 5) {
    solve_rolling(options, b, solution);
    finish(problem, b.problem, b.rho, solution);
    judge(options, solution);
    return;
  }
  Chain chain(options, b);
  chain.solve(!warm_start.empty());
  solution.method = chain.method;
  solution.iterations = chain.iterations;
  finish(problem, b.problem, b.best, solution);
  solution.several = chain.several;
  judge(options, solution);
  if (solution.status == SolveStatus::failed && b.problem.no_slip)
    solution.reason += "; where slip is ruled out there may be no solution";
  if (solution.status == SolveStatus::solved || !chain.grows_without_limit()) return;
  b.rho = b.newton.ray.normalized();
  finish(problem, b.problem, b.rho, solution);
  solution.method = "proximal";
  solution.status = SolveStatus::no_solution;
  solution.reason =
      "no impulses open the contacts: at vanishing compliance they grow without limit along r";
}

}  // namespace pequod
