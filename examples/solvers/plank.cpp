// A plank on three trestles, as a linear complementarity problem: which of them carry it?
//
// Mass 12 kg, length 2 m; the trestles stand 0.9 m and 0.2 m left of its middle and 0.6 m right of
// it. A load of 30 kg hangs from the right end, so the plank turns about the last trestle.
#include <cstdio>
#include <cstdlib>

#include "contact/solvers/registry/lcp_solvers.h"

int main() {
  using namespace pequod;

  const double g = 9.81;               // m/s²
  const double m = 12.0, load = 30.0;  // kg
  const double mass = m + load;
  const double middle = load * 1.0 / mass;  // m, centre of mass from the middle of the plank
  // kg·m² about the centre of mass: m l²/12 and both shifts
  const double inertia = m * (4.0 / 12.0 + middle * middle) + load * (1 - middle) * (1 - middle);

  // Row i: the trestle's end goes up with the plank, N_i = [1, x_i − x_c]. w = N M⁻¹Nᵀ f − g is the
  // acceleration away from the trestle, f ≥ 0 its force.
  const Eigen::Vector3d x(-0.9 - middle, -0.2 - middle, 0.6 - middle);
  const Eigen::Vector3d one = Eigen::Vector3d::Ones();
  const LcpProblem problem{one * one.transpose() / mass + x * x.transpose() / inertia, -g * one};

  LcpWorkspace workspace;
  LcpSolution solution;
  for (const LcpSolver& solver : lcp_solvers()) {
    solver.solve(problem, {}, {}, workspace, solution);
    std::printf("%-20s ", std::string(solver.name).c_str());
    if (solution.status == SolveStatus::solved)
      std::printf("f = %8.3f %8.3f %8.3f N   w = %6.3f %6.3f %6.3f m/s²   residual %.0e\n",
                  solution.z[0], solution.z[1], solution.z[2], solution.w[0], solution.w[1],
                  solution.w[2], solution.residuals.relative);
    else
      std::printf("%s\n", solution.reason.c_str());
  }

  // The last trestle alone: its force stops its own point, so f = g / (1/mass + x₃²/inertia).
  const double force = g / (1 / mass + x[2] * x[2] / inertia);
  find_lcp_solver("auto")->solve(problem, {}, {}, workspace, solution);
  const double off = (solution.z - Eigen::Vector3d(0, 0, force)).norm();
  std::printf("the last trestle carries %.3f N; off by %.0e N\n", force, off);
  return solution.status == SolveStatus::solved && off < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
