#include "contact/solvers/registry/friction_solvers.h"

#include <array>

#include "contact/solvers/friction/dense/coulomb_chain.h"
#include "contact/solvers/friction/sparse/sparse_friction.h"
#include "contact/solvers/reference/friction_enumeration.h"
#include "contact/solvers/reference/friction_methods.h"

namespace pequod {

namespace {

using SolveByFriction = void (*)(const FrictionProblem&, const FrictionOptions&,
                                 std::span<const double>, FrictionWorkspace&, FrictionSolution&);

FrictionSolver friction_row(std::string_view name, std::string_view description,
                            SolveByFriction solve) {
  return {name, description, solve};
}

}  // namespace

std::span<const FrictionSolver> friction_solvers() {
  static const std::array solvers = {
      friction_row("coulomb", "chain of methods, each ended by Newton's on exact modes",
                   solve_coulomb),
      friction_row("semismooth-newton", "Newton's method on Alart & Curnier's equations (1991)",
                   solve_friction_newton),
      friction_row("nsgs", "block Gauss-Seidel, each contact solved exactly", solve_nsgs),
      friction_row("pgs", "block Gauss-Seidel with projected steps", solve_projected_gauss_seidel),
      friction_row("admm", "alternating directions with De Saxce's shift", solve_friction_admm),
      friction_row("proximal", "limit of vanishing compliance; does not depend on the warm start",
                   solve_proximal),
      friction_row("interior-point", "Nesterov-Todd method on the associated law; convex",
                   solve_friction_interior_point),
      friction_row("enumerate", "all modes of a planar problem, seven contacts at most",
                   solve_by_enumeration),
  };
  return solvers;
}

std::optional<SolveFriction> find_friction_solver(std::string_view name) {
  for (const FrictionSolver& solver : friction_solvers())
    if (solver.name == name) return solver.solve;
  return std::nullopt;
}

std::span<const SparseFrictionSolver> sparse_friction_solvers() {
  static const std::array solvers = {
      SparseFrictionSolver{"semismooth-newton", "sweeps, then Newton's method by BiCGSTAB",
                           solve_sparse_newton},
      SparseFrictionSolver{"nsgs", "block Gauss-Seidel, each contact solved exactly",
                           solve_sparse_nsgs},
      SparseFrictionSolver{"admm", "alternating directions on a sparse factor", solve_sparse_admm},
  };
  return solvers;
}

std::optional<SolveSparseFriction> find_sparse_friction_solver(std::string_view name) {
  for (const SparseFrictionSolver& solver : sparse_friction_solvers())
    if (solver.name == name) return solver.solve;
  return std::nullopt;
}

}  // namespace pequod
