// How often a controller must act for its gains to be stable.
#pragma once

#include <string>

#include "simulation/options.h"

namespace pequod {

/// How fast the fastest of the small motions grows that sampled τ = −kp q − kd q̇ leaves, 1/s; ≤ 0
/// if none does. Efforts are held from tick to tick, so they act like one explicit step as long as
/// the period T, whatever the integrator's own order. With W = M⁻¹ of the joints at the start
/// (nothing held: contacts and loops only make W smaller), joint damping and the scene's
/// integrator, (q, q̇) is mapped from tick to tick by a matrix; this is ln(its spectral radius)/T.
/// Not finite if the gains overflow.
/// @param controller  with gains
[[nodiscard]] double gain_growth(const Scenario& scenario, const Controller& controller);

/// The longest period with which none grows, s: 0 if there is none above a sixty-fourth of the
/// controller's own, +∞ beyond a thousand times that. Of one joint of inertia m = 1/W without
/// damping, exactly integrated, it is min(2 m/kd, 2 kd/kp); with one step of symplectic Euler a
/// period 4 = 2 T kd/m + T² kp/m.
/// @param controller  with gains
[[nodiscard]] double longest_stable_period(const Scenario& scenario, const Controller& controller);

/// What to tell a user whose gains make joints swing up; empty if they do not, or by too little to
/// be seen within the run.
[[nodiscard]] std::string gain_warning(const Scenario& scenario, const Controller& controller);

}  // namespace pequod
