// All combinations of contact modes, without those that cannot be: proofs and all solutions.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "contact/quasistatic/problem.h"

namespace pequod {

struct ModeSearchOptions {
  bool all = false;          ///< every solution, else the first
  long most_nodes = 200000;  ///< nodes of the tree; then the search ends incomplete
  double zero = 1e-12;       ///< xᵀy of a solution
};

/// A pair of vertices that solves the problem.
struct ModePair {
  Eigen::VectorXd x, y;
  bool only_x = false, only_y = false;  ///< the only velocities, forces with these modes
};

struct ModeSearch {
  std::vector<ModePair> solutions;  ///< of a continuum, the corners that are found
  bool complete = false;            ///< nothing was left out: no solutions is a proof
  long nodes = 0;                   ///< pairs of feasibility problems that were solved
};

/// Branch and bound over the four modes of each contact: broken (y = 0), rolling (v = 0), sliding
/// to either side (v_n = 0, one v_t and the friction against it zero), as closed sets. A node is
/// cut off where X or Y with its zeros is empty, to the 1e-9 of the simplex method. The contact
/// that is split is the one that adds most to xᵀy.
[[nodiscard]] ModeSearch search_modes(const QuasistaticProblem& problem,
                                      const ModeSearchOptions& options = {});

/// A pair with these contact modes, if there is any.
/// @param problem  3 n_c unknowns: x = (v_n, v_t⁺, v_t⁻), y = (c_n, s_t⁺, s_t⁻)
[[nodiscard]] std::optional<ModePair> pair_in_modes(const UncoupledProblem& problem,
                                                    const std::vector<QuasistaticMode>& modes);

}  // namespace pequod
