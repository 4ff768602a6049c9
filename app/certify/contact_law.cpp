#include "app/certify/contact_law.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod::app::certify {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double complementarity(const ContactTerms& contact) {
  return std::min(contact.force[0], contact.motion[0]);
}

Vector3d onto_cone(const Vector3d& x, double mu) {
  const Vector2d t = x.tail<2>();
  const double size = t.norm();
  if (size <= mu * x[0]) return x;
  if (mu * size <= -x[0]) return Vector3d::Zero();
  const double normal = (x[0] + mu * size) / (1.0 + mu * mu);
  Vector3d onto;
  onto << normal, mu * normal / size * t;
  return onto;
}

double coulomb_residual(const ContactTerms& contact) {
  Vector3d shifted = contact.force - contact.motion;
  shifted[0] -= contact.mu * contact.motion.tail<2>().norm();
  return (contact.force - onto_cone(shifted, contact.mu)).norm();
}

double no_slip_residual(const ContactTerms& contact) {
  const double slip = contact.sticks ? contact.motion.tail<2>().norm() : 0.0;
  return std::hypot(complementarity(contact), slip);
}

// The corners of the polygon are the directions of friction; its sides are nearer by cos(π/edges).
double pyramid_residual(const ContactTerms& contact) {
  const double bound = contact.mu * std::max(contact.force[0], 0.0);
  const double step = 2.0 * std::acos(-1.0) / contact.edges;
  double outside = 0.0, most = 0.0;
  for (int k = 0; k < contact.edges; ++k) {
    const Vector2d corner(std::cos(k * step), std::sin(k * step));
    const Vector2d side(std::cos((k + 0.5) * step), std::sin((k + 0.5) * step));
    outside = std::max(outside, side.dot(contact.force.tail<2>()) - bound * std::cos(0.5 * step));
    most = std::max(most, -bound * corner.dot(contact.motion.tail<2>()));
  }
  const double lacks = most + contact.motion.tail<2>().dot(contact.force.tail<2>());
  const double size = std::max(bound, contact.motion.tail<2>().norm());
  return Vector3d(complementarity(contact), outside, size > 0.0 ? lacks / size : 0.0).norm();
}

double dissipation_residual(const ContactTerms& contact) {
  const double bound = std::hypot(contact.mu * std::max(contact.force[0], 0.0), contact.width);
  const double excess = std::max(0.0, contact.force.tail<2>().norm() - bound);
  return Vector3d(excess, std::min(contact.force[0], 0.0), std::min(contact.motion[0], 0.0)).norm();
}

}  // namespace

double law_residual(ContactLaw law, const ContactTerms& contact) {
  switch (law) {
    case ContactLaw::frictionless:
      return std::hypot(complementarity(contact), contact.force.tail<2>().norm());
    case ContactLaw::no_slip:
      return no_slip_residual(contact);
    case ContactLaw::coulomb:
      return contact.mu >= kNoSlipFriction ? no_slip_residual(contact) : coulomb_residual(contact);
    case ContactLaw::pyramid:
      return contact.mu >= kNoSlipFriction ? no_slip_residual(contact) : pyramid_residual(contact);
    case ContactLaw::dissipation:
      break;
  }
  return dissipation_residual(contact);
}

double duality_gap(ContactLaw law, const ContactTerms& contact) {
  const bool convex = law == ContactLaw::frictionless || law == ContactLaw::no_slip;
  return convex ? contact.force.dot(contact.motion) : 0.0;
}

}  // namespace pequod::app::certify
