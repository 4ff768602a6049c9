// Friction cones as pyramids, linear complementarity problems (Stewart & Trinkle 1996, Anitescu &
// Potra 1997).
#include <algorithm>

#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"

namespace pequod {
namespace {

// What the named solver does not solve, the default one may.
void solve_with_fallback(const ContactSolver& solver, ContactWorkspace& workspace, int& switches) {
  const auto with = [&](const LcpSolver& lcp) {
    lcp.solve(workspace.pyramids, {}, {}, workspace.lcp_solver, workspace.lcp_solution);
  };
  with(*solver.lcp);
  const LcpSolver& first = lcp_solvers().front();
  if (workspace.lcp_solution.status != LcpStatus::failed || solver.name == first.name) return;
  ++switches;
  with(first);
}

void solve_pyramids(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                    ContactWorkspace& workspace, ContactSolution& solution) {
  pose_friction(problem, true, workspace);
  FrictionContacts contacts{workspace.friction.W, workspace.friction.q,
                            workspace.friction.mu.cwiseMin(kNoSlipFriction)};
  // c < 0 where an open contact may come nearer; Anitescu & Potra do not let it.
  for (int i = 0; i < problem.n && !lifted; ++i) contacts.q[3 * i] += std::min(0.0, problem.c[i]);
  workspace.pyramids = pyramid_lcp(contacts, problem.edges);
  solution.switches = 0;
  solve_with_fallback(solver, workspace, solution.switches);
  const LcpSolution& in = workspace.lcp_solution;
  solution.status = in.status == LcpStatus::solved        ? LeastDistanceStatus::solved
                    : in.status == LcpStatus::no_solution ? LeastDistanceStatus::no_solution
                                                          : LeastDistanceStatus::failed;
  solution.reason = in.reason;
  solution.pivots = in.pivots;
  solution.residual = in.residuals.relative;
  const VectorXd r = pyramid_impulses(in.z, contacts.mu.size(), problem.edges);
  read_impulses(problem, r, workspace, solution);
  hold_what_sticks(problem, solution);
  for (std::size_t j = 0; j < problem.bound.size(); ++j) {
    const double force =
        r[static_cast<Eigen::Index>(3 * (static_cast<std::size_t>(problem.n) + j) + 1)];
    const bool slides = std::abs(force) >= (1.0 - kNegligible) * problem.bound[j];
    solution.slide.push_back(!slides ? 0 : force > 0.0 ? -1 : 1);
    solution.fj.push_back(force);
  }
}

}  // namespace

void solve_stewart_trinkle(const ContactProblem& problem, const ContactSolver& solver,
                           std::span<const int> /*warm*/, ContactWorkspace& workspace,
                           ContactSolution& solution) {
  solve_pyramids(problem, solver, true, workspace, solution);
}

void solve_anitescu_potra(const ContactProblem& problem, const ContactSolver& solver,
                          std::span<const int> /*warm*/, ContactWorkspace& workspace,
                          ContactSolution& solution) {
  solve_pyramids(problem, solver, false, workspace, solution);
}

}  // namespace pequod
