#include "contact/solvers/registry/lcp_solvers.h"

#include <array>

#include "contact/solvers/complementarity/dantzig.h"
#include "contact/solvers/complementarity/lcp_auto.h"
#include "contact/solvers/complementarity/lcp_least_distance.h"
#include "contact/solvers/complementarity/lemke.h"
#include "contact/solvers/complementarity/semismooth_newton.h"
#include "contact/solvers/reference/enumeration.h"
#include "contact/solvers/reference/ppm.h"

namespace pequod {

std::span<const LcpSolver> lcp_solvers() {
  static const std::array solvers = {
      LcpSolver{"auto", "dantzig and dual if M is symmetric, then lemke, then semismooth-newton",
                solve_lcp_auto},
      LcpSolver{"dantzig", "incremental pivoting (Baraff 1994); M symmetric semidefinite",
                solve_lcp_by_dantzig},
      LcpSolver{"dual", "dual active set (Goldfarb & Idnani 1983); M symmetric semidefinite",
                solve_lcp_by_dual},
      LcpSolver{"ppm", "principal pivoting (Drumwright 2015); M symmetric semidefinite",
                solve_lcp_by_ppm},
      LcpSolver{
          "lemke",
          "Lemke's method, lexicographic (Cottle, Pang & Stone 1992), then regularised; any M",
          solve_lcp_by_lemke},
      LcpSolver{"semismooth-newton",
                "Fischer–Burmeister with line search (De Luca, Facchinei & Kanzow 1996); any M",
                solve_lcp_by_newton},
      LcpSolver{"enumerate", "all complementary choices, the exact reference; up to 20 rows",
                solve_lcp_by_enumeration},
  };
  return solvers;
}

std::span<const BoxSolver> box_solvers() {
  static const std::array solvers = {
      BoxSolver{"auto", "written as an LCP, which its auto solves, then semismooth-newton",
                solve_box_auto},
      BoxSolver{"lemke", "written as an LCP, Lemke's method", solve_box_by_lemke},
      BoxSolver{"semismooth-newton", "Billups' function with line search; any M",
                solve_box_by_newton},
  };
  return solvers;
}

}  // namespace pequod
