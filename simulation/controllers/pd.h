// Holds a posture.
#pragma once

#include "simulation/controller.h"

namespace pequod {

/// τ = kp (q* − q) − kd q̇ on every revolute and prismatic joint.
struct PdOptions {
  double period = 0.001;  ///< s
  double kp = 100.0;      ///< N·m/rad or N/m
  double kd = 2.0;        ///< N·m·s/rad or N·s/m
  VectorXd target;        ///< per joint of the entity, in its order; empty: the initial positions
};

[[nodiscard]] Controller make_pd(const Model& model, int entity, const PdOptions& options);

}  // namespace pequod
