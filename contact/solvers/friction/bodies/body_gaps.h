// Bodies moved apart where they overlap, by sweeps over the normals of their contacts.
#pragma once

#include <vector>

#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct GapOptions {
  double tolerance = 1e-10;  ///< m: what a gap may be below zero at the end
  int sweeps = 2000;         ///< at most
};

/// A contact of open_gaps(): what tells whether there is anything to do for it.
struct GapLook {
  std::array<int, 2> on{};  // bodies; none: one of zeros
  int seen = -1;            // how many moves there had been at the last look
};
/// And the rest, in two lines of the cache.
struct alignas(64) NearGap {
  double gap = 0.0;      // m, at the start
  double inverse = 0.0;  // 1 / |n|²
  double push = 0.0;
  std::array<double, 2 * kBodyWidth> normal{};  // of the first, then of the second body
};

/// Storage of open_gaps().
struct GapBuffers {
  std::vector<GapLook> looks;
  std::vector<NearGap> near;
  std::vector<int> moved_at;  // bodies, one of zeros behind: how many moves there had been
  VectorXd moved;             // in y

  void poison() { pequod::poison(moved); }
};

/// The least displacement, ½|δ|² in the coordinates y of the bodies, that opens the gaps:
/// g + N δ ≥ 0, N the normals. Projected Gauss–Seidel on its dual from zero (Hildreth 1957): pushes
/// are never negative, so bodies are moved apart and nothing is pulled together.
/// @param gaps   m, of each contact; those of more than some times the deepest are left out
/// @param delta  6 × bodies, in y
/// @return       sweeps done; `options.sweeps` where gaps are left
int open_gaps(const BodyRows& rows, const VectorXd& gaps, const GapOptions& options,
              GapBuffers& buffers, VectorXd& delta);

}  // namespace pequod
