#include "contact/solvers/reference/friction_methods.h"

#include <algorithm>
#include <array>

#include "contact/solvers/friction/contact_sweeps.h"
#include "contact/solvers/friction/friction_workspace.h"
#include "contact/solvers/quadratic/cone_interior_point.h"

namespace pequod {

namespace {

const char* refuse_none(const FrictionProblem& /*problem*/) { return nullptr; }

const char* refuse_rolling(const FrictionProblem& problem) {
  return problem.dimension == 5 ? "the method has no equations for rolling friction" : nullptr;
}

const char* refuse_associated(const FrictionProblem& problem) {
  if (const char* why = refuse_rolling(problem)) return why;
  return problem.associated ? "its solve of one contact knows no associated law" : nullptr;
}

const char* refuse_coulomb(const FrictionProblem& problem) {
  if (const char* why = refuse_rolling(problem)) return why;
  return problem.associated ? nullptr
                            : "Coulomb's law is no convex program; only the associated law is";
}

int limit_of(const FrictionOptions& options, int otherwise) {
  return options.max_iterations > 0 ? options.max_iterations : otherwise;
}

/// Newton's method, then exact modes.
int newton_to_modes(const FrictionOptions& options, bool /*warm*/, FrictionWorkspace& b) {
  const NewtonResult result =
      solve_newton(b.problem, {.iterations = limit_of(options, 50), .tolerance = options.tolerance},
                   b.newton, b.rho);
  if (!b.problem.associated) make_exact(b.problem, b.newton, b.rho);
  return result.iterations;
}

template <auto Sweep>
int sweep_contacts(const FrictionOptions& options, bool /*warm*/, FrictionWorkspace& b) {
  return Sweep(b.problem, {.sweeps = limit_of(options, 2000), .tolerance = options.tolerance}, b.u,
               b.rho)
      .sweeps;
}

int alternate_directions(const FrictionOptions& options, bool /*warm*/, FrictionWorkspace& b) {
  return solve_admm(b.problem, limit_of(options, 2000), options.tolerance, b.admm, b.rho);
}

int go_proximal(const FrictionOptions& options, bool warm, FrictionWorkspace& b) {
  if (!warm) b.rho.setZero();
  const int steps =
      follow_proximal_path(b.problem, limit_of(options, 30), b.newton, b.rho).iterations;
  return steps + newton_to_modes(options, warm, b);
}

/// min ½ρᵀWρ + ρᵀq over the cones; a row ρ_n ≥ 0 where there is none.
void state_cone_program(const ScaledFriction& problem, ConeProgram& program) {
  program.A = problem.W;
  program.b = problem.q;
  program.mu = problem.mu;
  const double S = std::max(problem.q_norm, problem.scale);
  program.scale = S > 0 ? S : 1;
  program.cones.clear();
  const auto has_cone = [&](int i) { return problem.mu[i] > 0 && problem.mu[i] < kNoSlipFriction; };
  int rows = 0;
  for (int i = 0; i < problem.n; ++i) {
    if (has_cone(i)) program.cones.push_back(i);
    rows += !has_cone(i);
  }
  program.B.setZero(rows, problem.rows());
  program.c.setZero(rows);
  int row = 0;
  for (int i = 0; i < problem.n; ++i)
    if (!has_cone(i)) program.B(row++, 3 * i) = 1;
}

int go_through_the_interior(const FrictionOptions& options, bool warm, FrictionWorkspace& b) {
  ConeProgram program;
  InteriorPointBuffers buffers;
  state_cone_program(b.problem, program);
  const int steps =
      solve_cone_program(program, {.iterations = limit_of(options, 50)}, buffers, b.rho).iterations;
  b.best = b.rho;
  const double before = natural_residual(b.problem, b.rho, b.u);
  newton_to_modes(options, warm, b);
  if (natural_residual(b.problem, b.rho, b.u) > before) b.rho = b.best;
  return steps;
}

constexpr std::array kMethods = {
    FrictionMethod{"semismooth-newton", "Newton's method on Alart & Curnier's equations (1991)",
                   refuse_rolling, newton_to_modes},
    FrictionMethod{"nsgs", "block Gauss-Seidel, each contact solved exactly", refuse_associated,
                   sweep_contacts<sweep_exact<ScaledFriction>>},
    FrictionMethod{"pgs", "block Gauss-Seidel with projected steps", refuse_none,
                   sweep_contacts<sweep_projected>},
    FrictionMethod{"admm", "alternating directions with De Saxce's shift", refuse_none,
                   alternate_directions},
    FrictionMethod{"proximal", "limit of vanishing compliance; does not depend on the warm start",
                   refuse_rolling, go_proximal},
    FrictionMethod{"interior-point", "Nesterov-Todd method on the associated law; convex",
                   refuse_coulomb, go_through_the_interior},
};

}  // namespace

void FrictionMethod::operator()(const FrictionProblem& problem, const FrictionOptions& options,
                                std::span<const double> warm_start, FrictionWorkspace& b,
                                FrictionSolution& solution) const {
  check(problem);
  solution.method = name;
  if (const char* why = refuses(problem))
    return refuse(problem.q.size(), problem.mu.size(), why, solution);
  scale_friction(problem, b.problem);
  start_from(b.problem, problem.dimension, warm_start, b.rho);
  solution.iterations = iterate(options, !warm_start.empty(), b);
  finish(problem, b.problem, b.rho, solution);
  judge(options, solution);
}

std::span<const FrictionMethod> friction_methods() { return kMethods; }

}  // namespace pequod
