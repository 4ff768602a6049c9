#pragma once

#include <vector>

#include "contact/solvers/complementarity/baraff_sets.h"
#include "contact/solvers/complementarity/box_reduction.h"
#include "contact/solvers/complementarity/dantzig.h"
#include "contact/solvers/complementarity/lcp_least_distance.h"
#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lemke_dictionary.h"
#include "contact/solvers/linear/dense_lu.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of semismooth Newton: n entries each, J n×n.
struct NewtonWorkspace {
  VectorXd scale, w, phi, by_z, by_w, slope, d, z;
  MatrixXd J;

  void poison() { pequod::poison(scale, w, phi, by_z, by_w, slope, d, z, J); }
};

/// Buffers of the complementarity solvers, kept from solve to solve so that only the first solve of
/// a size allocates. A workspace carries no meaning from one solve to the next.
struct LcpWorkspace {
  VectorXd start;                    ///< the warm start, empty if there is none
  VectorXd kept, step;               ///< n each, of the shared steps
  VectorXd best, centre, shifted_q;  ///< n each, of the regularisation
  VectorXd spare_start;              ///< the buffer of `start` while that is empty
  std::vector<int> set;              ///< rows where z is strictly between its bounds
  DenseLu lu;
  LemkeDictionary lemke;
  DantzigWorkspace dantzig;
  NewtonWorkspace newton;
  BaraffWorkspace baraff;
  LcpLeastDistanceWorkspace least_distance;

  BoxReduction reduction;  ///< a box as an LCP,
  LcpSolution reduced;     ///< its solution
  LcpSolution fallback;    ///< the best of the methods that failed
  VectorXd reduced_start;
  std::vector<LcpWorkspace> inner;  ///< one, for the LCP of a box: its size is another

  void poison() {
    pequod::poison(kept, step, best, shifted_q, spare_start, set, lu, lemke, dantzig, newton,
                   baraff, least_distance, reduced_start);
  }
};

}  // namespace pequod
