// The LCP inside a transition law, for the fit.
#pragma once

#include <vector>

#include "contact/fit/transition_fit.h"

namespace pequod {

/// (d, 1), a row a sample.
[[nodiscard]] Eigen::MatrixXd with_one(const Eigen::MatrixXd& inputs);

/// Forces of small LCPs by trying contacts.
struct LawForces {
  Eigen::VectorXd lambda;
  unsigned active = 0;  ///< bit j: λ_j may be positive
  bool solved = false;
};
/// @param features  (d, 1)
/// @param first     the contacts that are tried first
[[nodiscard]] LawForces forces_of(const TransitionLaw& law, const Eigen::VectorXd& features,
                                  unsigned first);

/// Indices of the set bits.
[[nodiscard]] std::vector<int> members(unsigned bits, int count);

/// The same map with the scales of TransitionLaw.
[[nodiscard]] TransitionLaw scaled(TransitionLaw law);

/// The same map with λ and w exchanged in some rows; none where M has no inverse there.
[[nodiscard]] TransitionLaw exchanged(const TransitionLaw& law, unsigned rows);

/// Of the forms of the same map the one of least |A|, scaled.
[[nodiscard]] TransitionLaw simplest(const TransitionLaw& law);

}  // namespace pequod
