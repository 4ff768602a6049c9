// Acceleration without contact forces.
#pragma once

#include "simulation/evaluate.h"
#include "simulation/touching.h"

namespace pequod {

struct FreeAcceleration {
  AppliedForce applied;
  VectorXd friction;  ///< generalised viscous friction of the closed contacts
  VectorXd vdot;      ///< M⁻¹ (applied + friction − bias)
};

/// At the (q, v) the evaluator stands at.
/// @param state   supplies held efforts and the time of external forces
/// @param closed  contacts with viscous friction, followed to q; ignored unless `viscous`
void compute_free_acceleration(const Scenario& scenario, const Evaluator& evaluator,
                               const State& state, const VectorXd& v, const Touching& closed,
                               bool viscous, FreeAcceleration& out);

}  // namespace pequod
