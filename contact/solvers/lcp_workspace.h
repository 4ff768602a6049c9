#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/dense_lu.h"
#include "contact/solvers/lemke_dictionary.h"

namespace pequod {

/// Buffers of the complementarity solvers, kept from solve to solve so that only the first solve of
/// a size allocates. A workspace carries no meaning from one solve to the next.
struct LcpWorkspace {
  Eigen::VectorXd start;                    ///< the warm start, empty if there is none
  Eigen::VectorXd kept, step;               ///< n each, of the shared steps
  Eigen::VectorXd best, centre, shifted_q;  ///< n each, of the regularisation
  std::vector<int> set;                     ///< rows where z > 0
  DenseLu lu;
  LemkeDictionary lemke;
};

}  // namespace pequod
