// The subcommands. Each returns the exit code.
#pragma once

#include <filesystem>
#include <string>

#include "app/summary.h"

namespace pequod::app {

struct RunRequest {
  SceneSource source;
  std::filesystem::path output;  ///< empty: runs/NAME
  bool resume = false, quiet = false, json = false;
  double checkpoint_every = 1.0;  ///< s of wall time
  std::string command_line;       ///< as it was typed, for the hint how to resume
};
/// Simulates a scene into a run folder.
int run(const RunRequest& request);

/// Prints everything that is wrong with a scene or a URDF, and every guess.
int check(const SceneSource& source);

/// Prints the integrators, contact models, solvers and controllers, and what their pairs mean.
int list();

/// Prints the JSON Schema of scenes.
int schema();

}  // namespace pequod::app
