// Balls poured into a box: the scene, and runs of it that may be cut short.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/experiments/experiment.h"

namespace pequod::app {

/// A lattice of balls.
struct Lattice {
  std::array<int, 3> places{};  ///< along x, y, z
  double half_width = 0.5;      ///< m, of the box

  [[nodiscard]] int balls() const { return places[0] * places[1] * places[2]; }
};

/// Copies of the one ball of a scene on a lattice of 87.5 mm, each coordinate off by up to 2 mm,
/// the lowest layer where that ball is; walls that are planes moved to the half width.
[[nodiscard]] Scenario pour(const Scenario& scenario, const Lattice& lattice);

/// What a run may cost before it is cut short.
struct PourCaps {
  double wall = 0.0;    ///< s
  double memory = 0.0;  ///< bytes of address space; 0: any
};

/// One record of a run: a step.
struct PourSample {
  double t = 0.0, kinetic = 0.0;            // s, J
  double total = 0.0, stabilisation = 0.0;  // J
  double contacts = 0.0, residual = 0.0;    // of the step before
  double gap = 0.0;                         // m
  double wall = 0.0;                        // s, since the start
};

/// A run as far as it came.
struct PourRun {
  std::vector<PourSample> samples;
  double steps = 0.0, fallbacks = 0.0, unsolved = 0.0, switches = 0.0;
  double deepest = 0.0, gain = 0.0, worst = 0.0;  // m; of kinetic energy; of residuals
  std::vector<std::vector<Vector3d>> frames;      ///< places of the balls at the times asked
  std::string ended;                              ///< "ran", or why not
};

/// Runs in a process of its own, which is ended at a cap.
/// @param frames  s, at which places are kept, rising
[[nodiscard]] PourRun run_pour(const Scenario& scenario, const PourCaps& caps,
                               const std::vector<double>& frames = {});

}  // namespace pequod::app
