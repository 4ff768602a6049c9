#include "contact/solvers/least_distance_solvers.h"

#include <array>

#include "contact/solvers/dual.h"
#include "contact/solvers/least_distance_lemke.h"
#include "contact/solvers/ppm.h"

namespace pequod {

std::span<const LeastDistanceSolver> least_distance_solvers() {
  static constexpr std::array solvers = {
      LeastDistanceSolver{"dual", "dual active set (Goldfarb & Idnani 1983); cannot cycle",
                          solve_dual},
      LeastDistanceSolver{"ppm", "principal pivoting (Drumwright 2015, Algorithm 1), cycles caught",
                          solve_ppm},
      LeastDistanceSolver{"lemke",
                          "Lemke's method on the n×n complementarity problem; for comparison",
                          solve_least_distance_by_lemke},
  };
  return solvers;
}

std::optional<SolveLeastDistance> find_least_distance_solver(std::string_view name) {
  for (const LeastDistanceSolver& solver : least_distance_solvers())
    if (solver.name == name) return solver.solve;
  return std::nullopt;
}

}  // namespace pequod
