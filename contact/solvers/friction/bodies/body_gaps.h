// Bodies moved apart where they overlap, by sweeps over the normals of their contacts.
#pragma once

#include <vector>

#include "contact/solvers/friction/bodies/body_problem.h"

namespace pequod {

struct GapOptions {
  double tolerance = 1e-10;  ///< m: what a gap may be below zero at the end
  int sweeps = 2000;         ///< at most
};

/// Storage of open_gaps().
struct GapBuffers {
  std::vector<int> near;
  std::vector<double> inverse;  // 1 / |n|²
  Eigen::VectorXd push;

  void poison() { pequod::poison(push); }
};

/// The least displacement, ½|δ|² in the coordinates y of the bodies, that opens the gaps:
/// g + N δ ≥ 0, N the normals. Projected Gauss–Seidel on its dual from zero (Hildreth 1957): pushes
/// are never negative, so bodies are moved apart and nothing is pulled together.
/// @param gaps   m, of each contact; those of more than some times the deepest are left out
/// @param delta  6 × bodies, in y
/// @return       sweeps done; `options.sweeps` where gaps are left
int open_gaps(const BodyRows& rows, const Eigen::VectorXd& gaps, const GapOptions& options,
              GapBuffers& buffers, Eigen::VectorXd& delta);

}  // namespace pequod
