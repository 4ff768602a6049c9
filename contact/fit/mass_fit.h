// Mass identified from the impulses that contacts give a body.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace pequod {

/// What happened to a body in some intervals of time.
struct MassSamples {
  Eigen::MatrixXd impulse;  ///< N×3, N·s, of all contacts together
  Eigen::MatrixXd change;   ///< N×3, m/s, of its velocity, without what gravity did: Δv − g Δt
};

struct MassFit {
  double mass = NAN;             ///< kg; NaN if nothing touches it
  double low = NAN, high = NAN;  ///< three standard errors to each side: 99.7 %
  int intervals = 0;             ///< that are not without impulse
};

/// Mass of a rigid body from impulse = mass · change of its centre's velocity: the impulses'
/// lengths over the changes along them, both summed, so that errors of the velocities do not bias
/// it.
[[nodiscard]] MassFit fit_mass(const MassSamples& samples);

/// Mass of a body whose parts move against each other, such as a robot of which the base's velocity
/// is known: what its contacts carry over a long time is its weight. From sums along gravity; the
/// error is that of twenty stretches of the time, whose own ends count fully.
[[nodiscard]] MassFit fit_weight(const MassSamples& samples, const Eigen::Vector3d& gravity);

}  // namespace pequod
