// Impulses that leave many touching bodies at rest.
#pragma once

#include <vector>

#include "contact/solvers/friction/bodies/body_factor.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Storage.
struct BodyRestBuffers {
  std::vector<double> C, least;
  VectorXd right, ordered, y;

  void poison() { pequod::poison(C, least, right, ordered, y); }
};

/// Whether impulses may leave all bodies at rest: no contact is asked to open or to close (b = 0
/// but for rounding).
[[nodiscard]] bool may_rest(const ScaledBodies& problem);

/// Looks for ρ with y_f + Gᵀρ = 0 in the cones: with b = 0 each of them solves Coulomb's law, whose
/// shift vanishes with the slip. On the loaded contacts ρ moves by the shortest way to those
/// impulses, (εI + GᵀG)⁻¹ iterated until ε no longer counts, and back to well inside of the cones,
/// in turns: on the cones themselves the turns would not end.
/// @param factor  storage; its order of the bodies is kept from call to call
/// @param rho  where it begins, in the cones; out: if rest is found in the cones, else of no use
/// @return     whether that leaves nothing but rounding of the motion without contact
[[nodiscard]] bool find_rest(const ScaledBodies& problem, BodyFactor& factor,
                             BodyRestBuffers& buffers, VectorXd& rho);

}  // namespace pequod
