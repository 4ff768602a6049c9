// A run in memory, for what its rows and its figures are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/comparison.h"
#include "simulation/simulation.h"

namespace pequod::app::certify {

/// A figure of summary.json that has a unit.
struct EndFigure {
  std::string name, unit;
  double value = kNaN;
};

/// What a run leaves in its logs.
struct Track {
  StateLog state, energy;          ///< as state.csv and energy.csv have it
  std::vector<EndFigure> figures;  ///< of the whole run; none of one that failed
  RunStatistics statistics;
  std::string failure;     ///< why and when it ended early; empty if it did not
  bool stopped = false;    ///< by the caller
  std::string state_text;  ///< the bytes of state.csv
};

/// Called after each step with the share of the run that is done, 0…1. @return whether to go on
using Going = std::function<bool(double share)>;

/// Runs a scenario to its end. What it throws is a failure of the track.
/// @param observer  is told as well; its `record` and `events` are not looked at
[[nodiscard]] Track run_track(const Scenario& scenario, Observer observer, const Going& going);

/// The same scene with half the longest step of its grid; with an adaptive step also a tolerance
/// that is smaller by 2⁵, the order of its formula.
[[nodiscard]] Scenario halved(const Scenario& scenario);
/// How much shorter its steps are, over the mean of all.
[[nodiscard]] double step_ratio(const Scenario& scenario, const Scenario& finer);

/// The same with a thousandth of the tolerance of Coulomb's problems; none where the contact model
/// has no tolerance that a scene may name: its solvers end on exact sets.
[[nodiscard]] std::optional<Scenario> tightened(const Scenario& scenario);

/// The same with another choice among the motions that obey Coulomb's law, where there are several;
/// none where the contact model or its solver has no choice.
[[nodiscard]] std::optional<Scenario> with_other_friction(const Scenario& scenario);

}  // namespace pequod::app::certify
