#include "contact/impact.h"

#include <algorithm>

namespace pequod {
namespace {

void add(const ContactSolution& phase, ImpactSolution& total) {
  if (phase.status != SolveStatus::solved) {
    total.usable = phase.usable && (total.usable || total.status == SolveStatus::solved);
    total.status = phase.status;
    total.reason = phase.reason;
  }
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
  total.status = SolveStatus::solved;
  total.reason.clear();
  total.usable = false;
  total.pn.setZero(problem.n);
  total.pt.setZero(2 * problem.n);
  total.residual = 0.0;
  total.pivots = 0;
  total.switches = 0;
}

// N v⁺ ≥ −e N v⁻ in one solve.
void rebound_by_newton(ContactProblem& problem, const ContactModel& model,
                       const ContactSolver& solver, std::span<const double> restitution,
                       double scale, std::span<const int> warm, ContactWorkspace& workspace,
                       ImpactSolution& total) {
  ContactSolution phase;
  const VectorXd speed = problem.normals.matrix().transpose() * problem.y;
  for (int i = 0; i < problem.n; ++i)
    problem.c[i] = std::max(0.0, -scale * nth(restitution, i) * speed[i]);
  model.solve(problem, solver, warm, workspace, phase);
  phase.usable = phase.usable && problem.c.isZero(0.0);
  problem.c.setZero();
  add(phase, total);
}

// e times the impulses of compression along the normals. @return whether there are any
bool expand(const ContactSolution& compression, std::span<const double> restitution, double scale,
            ContactProblem& problem, VectorXd& pressed) {
  pressed.setZero(problem.n);
  for (int i = 0; i < problem.n; ++i) {
    const double p = scale * nth(restitution, i) * compression.fn[i];
    if (p <= 0.0) continue;
    pressed[i] = p;
    problem.y += p * problem.normals.col(i);
  }
  return !pressed.isZero(0.0);
}

// Whether impulses along the normals bring friction with them.
bool rubs(const ContactProblem& problem, const ContactModel& model, const VectorXd& pressed) {
  if (!model.rub) return false;
  bool any = model.friction == StageFriction::no_slip;  // whatever its coefficient
  for (int i = 0; i < problem.n; ++i)
    any = any || (pressed[i] > 0.0 && nth(problem.friction, i) > 0.0);
  return any;
}

// Compression; expansion with the friction that its impulses along the normals allow; and
// compression of what approaches then.
void rebound_by_poisson(ContactProblem& problem, const ContactModel& model,
                        const ContactSolver& solver, std::span<const double> restitution,
                        double scale, std::span<const int> warm, ContactWorkspace& workspace,
                        ImpactSolution& total) {
  ContactSolution phase;
  const auto ends = [&] {
    add(phase, total);
    problem.y = phase.y;
    return !may_take(phase, solver);
  };
  model.solve(problem, solver, warm, workspace, phase);
  VectorXd pressed;
  if (ends() || !expand(phase, restitution, scale, problem, pressed)) return;
  total.pn += pressed;
  const std::vector<int> active = total.active;
  if (rubs(problem, model, pressed)) {
    model.rub(problem, solver, pressed, workspace, phase);
    if (ends()) return;
  }
  model.solve(problem, solver, active, workspace, phase);
  ends();
}

// Either law with all coefficients multiplied by `scale`.
void impact_with(ContactProblem& problem, const ContactModel& model, const ContactSolver& solver,
                 Restitution law, std::span<const double> restitution, double scale,
                 std::span<const int> warm, ContactWorkspace& workspace, ImpactSolution& total) {
  start(problem, total);
  const VectorXd before = problem.y;
  (law == Restitution::poisson ? rebound_by_poisson : rebound_by_newton)(
      problem, model, solver, restitution, scale, warm, workspace, total);
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
    solution.loss = energy_loss(problem.y, solution.y);
    if (may_take(solution, solver) && (solution.loss >= -noise || law == Restitution::newton_raw)) {
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
