#include "contact/solvers/friction/loads/load_friction.h"

#include <algorithm>
#include <limits>

namespace pequod {

namespace {

constexpr double kBoundedCompliance = 1e-3;  // of friction with bounds, in units of the loads
// Of the loads: what is left where the modes are found, and what is aimed at.
constexpr double kLoadModes = 1e-9, kLoadAim = 1e-14;
// The same of a solution, where several distributions of load are at the edges of their cones and
// centres come to rest as 1/k²: contacts that stick creep by so much of the fastest speed.
constexpr double kLoadSolved = 1e-10;
constexpr int kLoadRounds = 6, kUnitRounds = 4;
// Of centres: those of a tie come nearer by a third each, or slower. What is no solution after a
// few hardly becomes one.
constexpr int kFewCentres = 8, kCentres = 30;
// Units that differ by more are other ones.
constexpr double kOtherUnit = 10.0;
// Of the unit of speed: a slip that is slower is the rounding of a stick.
constexpr double kLoadSlip = 1e-12;

// Whether the units are about those of the impulses found in them.
bool units_hold(const VectorXd& before, const VectorXd& now) {
  for (Index i = 0; i < now.size(); ++i)
    if (now[i] > kOtherUnit * before[i] || before[i] > kOtherUnit * now[i]) return false;
  return true;
}

// Newton's method with compliance, again where loads turn out to be others than those of the guess.
// Units are then of the result. @return  whether it has found the modes
bool find_modes(LoadFrictionWorkspace& w, LoadFrictionSolution& solution) {
  scale_by_loads(w.r, w.scaled);
  for (int round = 0; round < kUnitRounds; ++round) {
    const LoadNewtonResult result =
        solve_load_newton(w.scaled, {.aim = kLoadModes}, w.newton, w.y, w.r);
    solution.iterations += result.iterations;
    if (!(result.residual <= kLoadModes)) return false;
    w.units = w.scaled.force;
    scale_by_loads(w.r, w.scaled);
    if (units_hold(w.units, w.scaled.force)) return true;
  }
  return false;
}

// The same from friction with bounds, those of the last normal impulses in turn.
bool find_modes_by_bounds(LoadFrictionWorkspace& w, LoadFrictionSolution& solution) {
  for (int round = 0; round < kLoadRounds; ++round) {
    scale_by_loads(solution.r, w.scaled);
    w.centre = solution.r;
    w.bounds.resize(w.scaled.n);
    for (int i = 0; i < w.scaled.n; ++i)
      w.bounds[i] = w.scaled.mu[i] == 0.0 ? 0.0 : w.scaled.mu[i] * std::max(0.0, solution.r[3 * i]);
    solution.iterations += solve_bounded_friction(w.scaled, w.bounds, w.centre, kBoundedCompliance,
                                                  w.bounded, solution.y, solution.r);
    w.y = solution.y;
    w.r = solution.r;
    if (find_modes(w, solution)) return true;
  }
  return false;
}

FrictionMode load_mode(const LoadScaled& scaled, int i, const VectorXd& y, const VectorXd& r,
                       double residual) {
  if (!(r[3 * i] > 0.0)) return FrictionMode::open;
  Eigen::Vector3d u;
  scaled.speed_of(i, y, u.data());
  const bool slides =
      u.tail<2>().norm() > std::max(kLoadSlip, residual) * scaled.speed || scaled.mu[i] == 0.0;
  return slides ? FrictionMode::slide : FrictionMode::stick;
}

// The proximal method: impulses become the centre of the compliance until they do not change.
void solve_rigid(LoadFrictionWorkspace& w, LoadFrictionSolution& solution) {
  solution.residual = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kCentres && !(solution.residual <= kLoadAim); ++round) {
    if (round == kFewCentres && !(solution.residual <= kLoadSolved)) break;
    w.centre = w.r;
    const LoadNewtonResult result =
        solve_load_newton(w.scaled, {.aim = kLoadAim, .centre = &w.centre}, w.newton, w.y, w.r);
    solution.iterations += result.iterations;
    double moved = 0.0;
    for (int i = 0; i < w.scaled.n; ++i)
      moved = std::max(moved, (w.r - w.centre).segment<3>(3 * i).norm() / w.scaled.force[i]);
    solution.residual = result.residual + kLoadCompliance * moved;
  }
  solution.solved = solution.residual <= kLoadSolved;
  solution.y = w.y;
  solution.r = w.r;
}

// Modes, and forces in their cones: what a slide has beyond or below its bound is a rounding.
void read_load_modes(const LoadScaled& scaled, LoadFrictionSolution& solution) {
  solution.modes.resize(scaled.n);
  for (int i = 0; i < scaled.n; ++i) {
    const FrictionMode mode = load_mode(scaled, i, solution.y, solution.r, solution.residual);
    solution.modes[i] = mode;
    auto r = solution.r.segment<3>(3 * i);
    if (mode == FrictionMode::open) r.setZero();
    const double friction = r.tail<2>().norm(), bound = scaled.mu[i] * r[0];
    if (friction > bound || (mode == FrictionMode::slide && friction > 0.0))
      r.tail<2>() *= bound / friction;
  }
}

}  // namespace

void solve_load_friction(const LoadFrictionProblem& problem, std::span<const double> guess,
                         LoadFrictionWorkspace& w, LoadFrictionSolution& solution) {
  solution.solved = false;
  solution.iterations = 0;
  scale_by_speed(problem, w.scaled);
  if (w.scaled.speed == 0.0) return;
  w.r.setZero(3 * w.scaled.n);
  if (!guess.empty()) w.r = Eigen::Map<const VectorXd>(guess.data(), std::ssize(guess));
  w.y = problem.y;
  for (int i = 0; i < w.scaled.n; ++i) w.scaled.add(i, 1.0, w.r.data() + 3 * i, w.y);
  solution.y = w.y;
  solution.r = w.r;
  solution.method = "warm";
  if (find_modes(w, solution)) solve_rigid(w, solution);
  if (!solution.solved) {
    solution.method = "bounded";
    if (!find_modes_by_bounds(w, solution)) return;
    solve_rigid(w, solution);
  }
  read_load_modes(w.scaled, solution);
}

}  // namespace pequod
