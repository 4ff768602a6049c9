// The two halves of check_step().
#pragma once

#include <vector>

#include "app/certify/step_check.h"

namespace pequod::app::certify {

/// A contact in its own units, and what its residuals are relative to, √J or its rate.
struct JudgedContact {
  ContactTerms terms;
  double unit = 0.0;   ///< √kg; 0: nothing moves along its rows
  double scale = 0.0;  ///< 0: it is not judged
};

/// Largest residual of the law, relative. @return 0 of none
[[nodiscard]] double worst_law(ContactLaw law, const std::vector<JudgedContact>& judged);
/// Σ ρᵀû over the squares of the scales; NaN for a law that is not convex.
[[nodiscard]] double total_gap(ContactLaw law, const std::vector<JudgedContact>& judged);

/// Velocity level: fills the figures of a step of impulses.
void check_impulses(const Scenario& scenario, const Stepper& stepper, StepCheck& check);
/// Acceleration level: those of the forces at the end of the step.
void check_forces(const Scenario& scenario, const Stepper& stepper, StepCheck& check);

}  // namespace pequod::app::certify
