// Runs a scene and judges it by what must hold of every scene.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace pequod::test {

/// What a run did, and the first thing that was wrong with it.
struct Verdict {
  std::string failure;        ///< empty: none; else what kind, for counting
  std::string detail;         ///< with its figures
  std::int64_t steps = 0;     ///< calls of Simulation::step
  std::int64_t problems = 0;  ///< contact problems, those of trial steps included
  std::int64_t fallbacks = 0;
  double penetration = 0.0;  ///< m, deepest
  double gain = 0.0;         ///< largest gain of energy at an event or contact solve, relative
  double newton = 0.0;       ///< largest residual of Newton's law in a step, relative
  /// |residual| gained in stretches without events, J over the energy scale: by the scene's step
  /// and by half of it.
  double residual = 0.0, residual_half = 0.0;
  std::uint64_t bits = 0;  ///< a hash of every accepted state: equal runs have equal ones
  bool refined = false;    ///< the residual is too large by the scene's step: judged by a finer one
};

/// Bounds on a run's work: more is a stall. Counts of work, so that they do not depend on a clock.
/// An event takes some 50 problems: rounds of impacts, modes, and trials of the search for the
/// next.
struct WorkBounds {
  std::int64_t steps = 20000;  ///< for at most 400 nominal steps
  std::int64_t problems = 1000000;
};

struct JudgeOptions {
  WorkBounds bounds;
  double gain = 1e-12;   ///< relative: what an event or a contact solve may add to the energy
  double newton = 1e-8;  ///< relative: what Newton's law may leave of the forces on a link
  bool orders = true;    ///< whether stretches without events are run again at half the step
  int looks = 1;         ///< the referee looks at one in so many accepted states
};

/// Runs the scenario to its end. Never throws.
[[nodiscard]] Verdict judge(const Scenario& scenario, const JudgeOptions& options = {});

}  // namespace pequod::test
