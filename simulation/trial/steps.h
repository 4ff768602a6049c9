// One step, tried to any fraction: what its trials share.
#pragma once

#include "simulation/trial/trial.h"
#include "simulation/trial/workspace.h"
#include "simulation/world.h"

namespace pequod {

/// What is found of the start of a step when it is asked for first, the same for all its trials.
struct StartRates {
  RepeatedRows repeated;
  bool known = false;             ///< rate and acceleration
  VectorXd rate, acceleration;    ///< d/dt of (q, v, works), v̇
  bool pushes = false;            ///< every held contact, by forces that are the only ones
  double load_bound = kInfinity;  ///< N, a sliding contact that carries more has grown
  double lead = 0.0;              ///< s, how far ahead the directions of creeping slips are
  std::vector<double> settling;   ///< m/s², of contacts that creep: see find_settling(); others: 0
  std::vector<Vector3d> aims;     ///< of the first stage, see HeldLaw
  std::vector<Vector3d> turns;    ///< rad/s, by which aims turn that are laid back; or none
  double turn_span = kInfinity;   ///< s, symplectic Euler: see turning_limit()

  void clear() {
    repeated.clear();
    clear_aims();
  }
  /// Directions lead no more.
  void clear_aims() {
    known = false;
    lead = 0.0;
  }
};

/// A step whose trials are taken.
struct StepTask {
  const World& world;
  const StepMethod& method;
  StepStart& start;
  StartRates& rates;
  /// Of the contacts at the start: 1 for those that a trial is to be good for; empty: all.
  std::span<const char> wanted;
  StepWorkspace& workspace;

  [[nodiscard]] const Model& model() const { return world.model(); }
  [[nodiscard]] bool matters(std::size_t i) const { return wanted.empty() || wanted[i]; }
};

}  // namespace pequod
