#include "app/certify/step_check.h"

#include <algorithm>
#include <cmath>

#include "app/certify/step_parts.h"

namespace pequod::app::certify {

ContactLaw law_of(const StepMethod& method) {
  switch (method.contact.family) {
    case SolverFamily::friction:
      return ContactLaw::coulomb;
    case SolverFamily::pyramid:
      return ContactLaw::pyramid;
    case SolverFamily::dissipation:
      return ContactLaw::dissipation;
    case SolverFamily::least_distance:
      break;
  }
  return method.contact.name == "no-slip" ? ContactLaw::no_slip : ContactLaw::frictionless;
}

double worst_law(ContactLaw law, const std::vector<JudgedContact>& judged) {
  double worst = 0.0;
  for (const JudgedContact& one : judged)
    if (one.scale > 0.0) worst = std::max(worst, law_residual(law, one.terms) / one.scale);
  return worst;
}

double total_gap(ContactLaw law, const std::vector<JudgedContact>& judged) {
  if (law != ContactLaw::frictionless && law != ContactLaw::no_slip) return kNaN;
  double gap = 0.0, scale = 0.0;
  for (const JudgedContact& one : judged) {
    gap += duality_gap(law, one.terms);
    scale += one.scale * one.scale;
  }
  return scale > 0.0 ? std::abs(gap) / scale : 0.0;
}

StepCheck check_step(const Scenario& scenario, const Stepper& stepper) {
  StepCheck check;
  check.t = stepper.trial().state.t;
  check.h = stepper.trial().tau;
  check.contacts = static_cast<int>(stepper.start().touching.size());
  check.forces = !stepper.method().velocity_level();
  if (check.forces)
    check_forces(scenario, stepper, check);
  else
    check_impulses(scenario, stepper, check);
  return check;
}

}  // namespace pequod::app::certify
