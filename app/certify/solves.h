// Every contact problem of a run, judged by its own numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "contact/models/contact_solver.h"

namespace pequod::app::certify {

/// Contact problems of one kind.
struct SolveCount {
  std::int64_t solves = 0;
  std::int64_t unsolved = 0;  ///< of which the solver itself says that it did not solve them
  /// Of which other velocities may solve the problem too, as W of the loaded contacts is singular
  /// and one slides; beyond kAskedContacts nobody asks, and where one slides they may. Of cones
  /// alone.
  std::int64_t several = 0;
  double natural_map = 0.0;  ///< largest of those solved, relative
  double gap = kNoGap;       ///< largest duality gap of those, relative; of convex problems alone

  static constexpr double kNoGap = -1.0;
};

/// By kind: least-distance, cones, dissipation, pyramids, modes.
using SolveCounts = std::map<std::string, SolveCount>;

/// What it takes to fill `counts` from Observer::problem; trial steps and impacts are among them.
/// Residuals are found anew from matrices and answers:
///   least-distance  natural map, and primal less dual value ½|y − y₀|² − (½|y₀|² − ½|ŷ|² + cᵀf +
///                   eᵀfe), ŷ = y₀ + G f + E fe, over s²
///   cones, modes    the natural map in contact units (FrictionResiduals::scaled)
///   dissipation     the gap that its solver's dual gives: no multipliers are told
///   pyramids        |min(z, M z + q)| over 1 + |q|
/// @param counts  outlives the run
[[nodiscard]] ProblemWatch watch_solves(SolveCounts& counts);

/// Of all kinds together.
[[nodiscard]] SolveCount count_all(const SolveCounts& counts);

}  // namespace pequod::app::certify
