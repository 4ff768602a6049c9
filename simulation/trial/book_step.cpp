#include "simulation/trial/book_step.h"

#include <algorithm>
#include <cmath>

namespace pequod {
namespace {

// J, at the end of the step: the projection of its velocity may know it.
double kinetic_at_end(const Model& model, const Trial& trial, const VectorXd& v) {
  const double known = trial.projected.kinetic;
  if (!trial.moved_apart && trial.raised.size() == 0 && !std::isnan(known)) return known;
  return kinetic_energy(model, trial.terms.kinematics(), v, trial.terms.team());
}

}  // namespace

void book_step(const Model& model, const StepStart& start, const Trial& trial, State& out) {
  Ledger& ledger = out.ledger;
  ledger = start.state.ledger;
  ledger.actuator_work += trial.work.actuator;
  ledger.external_work += trial.work.external;
  ledger.damping_loss += trial.work.damping;
  // Friction takes energy. Where a slip turns round within a step of impulses, or forces of a step
  // ended it, impulse times mean velocity may say otherwise: an error of the step, booked as one.
  const double rubbed = trial.work.friction + trial.work.impulse_friction;
  ledger.friction_loss += std::max(rubbed, 0.0);
  ledger.stabilisation += std::min(rubbed, 0.0);
  ledger.normal_loss += trial.work.impulse_normal;
  ledger.suspect += trial.projected.suspect;
  if (!trial.held.set().projects() && trial.raised.size() == 0 && !trial.moved_apart) return;
  const Kinematics &raw = trial.raw.kin, &end = trial.terms.kinematics();
  const Team* const team = trial.terms.team();
  if (trial.ends_raw()) {
    (trial.lands ? ledger.normal_loss : ledger.stabilisation) += trial.projected.taken;
    return;
  }
  (trial.lands ? ledger.normal_loss : ledger.stabilisation) +=
      kinetic_energy(model, raw, trial.raw.v, team) - kinetic_at_end(model, trial, out.v);
  ledger.stabilisation += potential_energy(model, raw, team) - potential_energy(model, end, team);
}

}  // namespace pequod
