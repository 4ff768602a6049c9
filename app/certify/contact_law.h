// How far the force and the motion of one contact are from what its law asks.
#pragma once

#include <Eigen/Core>

namespace pequod::app::certify {

/// What a contact model asks of one contact.
enum class ContactLaw {
  frictionless,  ///< 0 ≤ r_n ⊥ u_n ≥ 0, r_t = 0
  no_slip,       ///< 0 ≤ r_n ⊥ u_n ≥ 0, and u_t = 0 where it sticks
  coulomb,       ///< in the cone, and of what slips friction opposes the slip
  pyramid,       ///< the same in a pyramid of some edges
  dissipation    ///< in the cone and u_n ≥ 0; what least energy asks is no matter of one contact
};

/// In contact units ρ = r/d and û = d u, d = (tr W/3)^−½ with the contact's own response W: both
/// are roots of energies, √J. At the acceleration level forces and accelerations stand in their
/// place.
struct ContactTerms {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< ρ along n, s, t
  Eigen::Vector3d motion = Eigen::Vector3d::Zero();  ///< û along n, s, t
  double mu = 0.0;                                   ///< may be infinite
  bool sticks = false;                               ///< as the solver tells
  int edges = 8;                                     ///< of the pyramid
  double width = 0.0;  ///< by which viscous friction widens the cone, as ρ; dissipation alone
};

/// |natural map| in √J, zero where the law holds and nowhere else:
///   frictionless  (min(ρ_n, û_n), ρ_t)
///   no_slip       (min(ρ_n, û_n), û_t if it sticks)
///   coulomb       ρ − P_K(ρ − û − μ|û_t| e_n), K the cone of μ; from μ = 1000 on as no_slip
///   pyramid       (min(ρ_n, û_n), excess of ρ_t over μ ρ_n times the polygon, what the dissipation
///                 −û_tᵀρ_t lacks of the largest in that polygon, over the size of the larger)
///   dissipation   (excess of |ρ_t| over √(μ²ρ_n² + width²), min(ρ_n, 0), min(û_n, 0))
[[nodiscard]] double law_residual(ContactLaw law, const ContactTerms& contact);

/// ρᵀû for laws whose problem is convex, J: what the pair of force and motion is above the least
/// energy, if the force moves the bodies as it should. Zero for a law that is not convex.
[[nodiscard]] double duality_gap(ContactLaw law, const ContactTerms& contact);

}  // namespace pequod::app::certify
