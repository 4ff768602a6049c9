// The uncoupled complementarity problem and its bilinear program (Pang, Trinkle & Lo 1994).
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <vector>

#include "contact/quasistatic/polyhedron.h"

namespace pequod {

/// Find x in X and y in Y with xᵀy = 0 (sec. 3); both have n entries.
struct UncoupledProblem {
  Polyhedron X, Y;
};

struct BilinearOptions {
  double zero = 1e-12;      ///< xᵀy below this is a solution; print has 1e-10
  int most_pairs = 1000;    ///< found by LPs; then it ends
  int restarts = 20;        ///< from adjacent vertices chosen at random, as in print
  bool back_to_lps = true;  ///< after a random step go back to the LPs (the paper's variant), else
                            ///< repeat Step 3 only
  std::uint64_t seed = 1;   ///< of the choices
};

enum class BilinearStatus {
  solved,
  stationary,  ///< no better pair was found: not a proof
  no_x,        ///< X is empty
  no_y,        ///< Y is empty
  failed       ///< the simplex method gave up
};

struct BilinearSolution {
  BilinearStatus status = BilinearStatus::failed;
  Eigen::VectorXd x, y;         ///< the best pair of vertices
  double product = NAN;         ///< xᵀy
  int pairs = 0;                ///< found by LPs, the first pair not counted
  int programs = 0;             ///< LPs solved, the first two counted
  int adjacent_steps = 0;       ///< steps to a better pair of adjacent vertices
  int restarts = 0;             ///< steps to a random one
  std::vector<double> history;  ///< xᵀy of the first pair and of each after it
};

/// Minimises xᵀy by LPs in x and in y in turn (sec. 4, Steps 0–2), from stationary pairs by the
/// best pair of adjacent vertices, or a random one if none is better (Step 3).
/// The first pair is what the LPs without an objective return.
[[nodiscard]] BilinearSolution minimise_product(const UncoupledProblem& problem,
                                                const BilinearOptions& options = {});

}  // namespace pequod
