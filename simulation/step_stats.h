// What solves cost and how good they were.
#pragma once

#include <algorithm>

namespace pequod {

/// A contact problem that was not solved to its tolerance, and whose best iterate a step took.
struct UnsolvedProblem {
  double residual = 0.0;  ///< relative
  int contacts = 0;
  double t = 0.0;  ///< s

  void take_worse(const UnsolvedProblem& other) {
    if (other.residual > residual) *this = other;
  }
};

/// What one solve, several of them, or a step cost and how good it was.
struct StepStats {
  int pivots = 0;
  int solves = 0;
  double residual = 0.0;
  int locks = 0;
  int reduced = 0;    ///< impacts whose restitution was lowered lest energy be gained
  int switches = 0;   ///< to the default solver, because the named one failed
  double slip = 0.0;  ///< m/s, largest tangential speed of a contact that sticks and carries force
  double gain = 0.0;  ///< of kinetic energy by the impulses of a step, relative, largest
  int unsolved = 0;   ///< problems whose best iterate was taken
  UnsolvedProblem worst_unsolved = {};

  /// Both together: sums of what is counted, the worst of what is measured.
  StepStats& operator+=(const StepStats& other) {
    pivots += other.pivots;
    solves += other.solves;
    residual = std::max(residual, other.residual);
    locks += other.locks;
    reduced += other.reduced;
    switches += other.switches;
    slip = std::max(slip, other.slip);
    gain = std::max(gain, other.gain);
    unsolved += other.unsolved;
    worst_unsolved.take_worse(other.worst_unsolved);
    return *this;
  }
};

}  // namespace pequod
