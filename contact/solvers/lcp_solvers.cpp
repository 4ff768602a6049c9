#include "contact/solvers/lcp_solvers.h"

#include <array>

#include "contact/solvers/lemke.h"

namespace pequod {

namespace {

template <class Solver>
const Solver* find(std::span<const Solver> solvers, std::string_view name) {
  for (const Solver& solver : solvers)
    if (solver.name == name) return &solver;
  return nullptr;
}

}  // namespace

std::span<const LcpSolver> lcp_solvers() {
  static const std::array solvers = {
      LcpSolver{"auto", "lemke", solve_lcp_by_lemke},
      LcpSolver{
          "lemke",
          "Lemke's method, lexicographic (Cottle, Pang & Stone 1992), then regularised; any M",
          solve_lcp_by_lemke},
  };
  return solvers;
}

const LcpSolver* find_lcp_solver(std::string_view name) { return find(lcp_solvers(), name); }

}  // namespace pequod
