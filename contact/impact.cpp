#include "contact/impact.h"

#include <algorithm>

namespace pequod {
namespace {

void add(const ContactSolution& phase, ImpactSolution& total) {
  total.status = phase.status;
  total.reason = phase.reason;
  total.y = phase.y;
  total.pn += phase.fn;
  total.pt += phase.ft;
  total.sticking = phase.sticking;
  total.active = phase.active;
  total.residual = std::max(total.residual, phase.residual);
  total.pivots += phase.pivots;
  total.switches += phase.switches;
}

void start(const ContactProblem& problem, ImpactSolution& total) {
  total.pn.setZero(problem.n);
  total.pt.setZero(2 * problem.n);
  total.residual = 0.0;
  total.pivots = 0;
  total.switches = 0;
}

// Both laws with all coefficients multiplied by `scale`.
void impact_with(ContactProblem& problem, const ContactModel& model, const ContactSolver& solver,
                 Restitution law, std::span<const double> restitution, double scale,
                 std::span<const int> warm, ContactWorkspace& workspace, ImpactSolution& total) {
  start(problem, total);
  ContactSolution phase;
  if (law != Restitution::poisson) {
    const VectorXd speed = problem.normals.matrix().transpose() * problem.y;
    for (int i = 0; i < problem.n; ++i)
      problem.c[i] = std::max(0.0, -scale * restitution[static_cast<std::size_t>(i)] * speed[i]);
    model.solve(problem, solver, warm, workspace, phase);
    problem.c.setZero();
    add(phase, total);
    return;
  }
  model.solve(problem, solver, warm, workspace, phase);
  add(phase, total);
  if (phase.status != LeastDistanceStatus::solved) return;
  bool bounces = false;
  const VectorXd before = problem.y;
  problem.y = phase.y;
  for (int i = 0; i < problem.n; ++i) {
    const double p = scale * restitution[static_cast<std::size_t>(i)] * phase.fn[i];
    if (p <= 0.0) continue;
    bounces = true;
    problem.y += p * problem.normals.col(i);
    total.pn[i] += p;
  }
  if (bounces) {
    const std::vector<int> active = total.active;
    model.solve(problem, solver, active, workspace, phase);
    add(phase, total);
  }
  problem.y = before;
}

// ½|y⁻|² − ½|y⁺|² without cancellation.
double energy_loss(const VectorXd& before, const VectorXd& after) {
  return 0.5 * (before - after).dot(before + after);
}

}  // namespace

void resolve_impact(ContactProblem& problem, const ContactModel& model, const ContactSolver& solver,
                    Restitution law, std::span<const double> restitution, std::span<const int> warm,
                    ContactWorkspace& workspace, ImpactSolution& solution) {
  problem.c.setZero(problem.n);
  const double noise = 1e-12 * problem.y.squaredNorm();  // rounding of the energies compared
  double low = 0.0, high = 1.0, scale = 1.0;
  solution.reduced = false;
  for (int trial = 0; trial < 30; ++trial) {
    impact_with(problem, model, solver, law, restitution, scale, warm, workspace, solution);
    const bool last = scale == 0.0 || law == Restitution::newton_raw;
    const bool solved = solution.status == LeastDistanceStatus::solved;
    solution.loss = energy_loss(problem.y, solution.y);
    if (solved && (solution.loss >= -noise || law == Restitution::newton_raw)) {
      if (!solution.reduced || high - low < 1e-3) return;
      low = scale;
    } else {
      if (last) return;
      high = scale;
      solution.reduced = true;
    }
    scale = high - low < 1e-3 ? low : 0.5 * (low + high);
  }
}

}  // namespace pequod
