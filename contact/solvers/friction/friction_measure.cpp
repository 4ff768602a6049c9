#include "contact/solvers/friction/friction_measure.h"

#include <array>

#include "contact/solvers/friction/friction_cone.h"

namespace pequod {

namespace {

// Relative to S. A slip below kSlip is rounding of a stick, a normal impulse below kForce with slip
// or separation is rounding of an open contact, and so is one below kGrazing at any velocity.
constexpr double kSlip = 1e-10, kForce = 1e-10, kGrazing = 1e-14;
constexpr double kExactMode = 1e-13;  // of normal, stick and slide where modes hold to rounding

using Components = std::array<double, 5>;

double length(double x, double y) { return std::sqrt(x * x + y * y); }

/// One contact in units ρ, û times `unit`; missing components are zero.
struct ContactState {
  Components r{}, u{};
  double mu = 0, mu_rolling = 0;
};

ContactState contact_of(const MeasuredContacts& all, int i, double d) {
  ContactState contact;
  contact.mu = all.mu[i];
  if (all.dimension == 5) contact.mu_rolling = all.mu_rolling[i];
  for (int k = 0; k < all.dimension; ++k) {
    contact.r[k] = all.r[all.dimension * i + k] / d;
    contact.u[k] = all.u[all.dimension * i + k] * d;
  }
  return contact;
}

/// p ← P_K(r − u − shift), the value that r has at a solution.
Components natural_image(const ContactState& c, bool associated) {
  Components p;
  for (int k = 0; k < 5; ++k) p[k] = c.r[k] - c.u[k];
  if (c.mu >= kNoSlipFriction) {
    // The limit of the law: tangents of a loaded contact are free, an open one carries nothing.
    if (p[0] <= 0) p[0] = 0;
    if (p[0] <= 0 && !associated) p = {};
    return p;
  }
  if (!associated) p[0] -= c.mu * length(c.u[1], c.u[2]) + c.mu_rolling * length(c.u[3], c.u[4]);
  if (c.mu_rolling > 0)
    project_on_rolling_cone(c.mu, c.mu_rolling, p.data());
  else {
    project_on_cone(c.mu, p.data());
    p[3] = p[4] = 0;
  }
  return p;
}

double squared_distance(const Components& a, const Components& b) {
  double sum = 0;
  for (int k = 0; k < 5; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

struct Norms {
  double r = 0, u = 0, q = 0;
  [[nodiscard]] double largest() const { return std::sqrt(std::max({r, u, q})); }
};

Norms norms(const MeasuredContacts& all, bool contact_units) {
  Norms sum;
  for (int i = 0; i < all.contacts; ++i) {
    const double d = contact_units && all.d ? all.d[i] : 1;
    for (int k = all.dimension * i; k < all.dimension * (i + 1); ++k) {
      sum.r += all.r[k] * all.r[k] / (d * d);
      sum.u += all.u[k] * all.u[k] * (d * d);
      sum.q += all.q[k] * all.q[k] * (d * d);
    }
  }
  return sum;
}

/// How far friction is from opposing the slip; by the cross product, as |r_t + μ r_n u_t/|u_t|| has
/// a floor that grows with 1/|u_t|.
double misalignment(const ContactState& c) {
  const double force = length(c.r[1], c.r[2]);
  if (force == 0 || c.mu_rolling > 0) return 0;
  const double cross = std::abs(c.u[1] * c.r[2] - c.u[2] * c.r[1]) / force;
  const double along = (c.u[1] * c.r[1] + c.u[2] * c.r[2]) / force;
  return std::max(cross, along);
}

/// How far friction is from that of a slide, too little of it among the rest.
double slide_error(const ContactState& c) {
  return std::max(misalignment(c), c.mu * c.r[0] - length(c.r[1], c.r[2]));
}

FrictionMode mode_of(const ContactState& c, double S) {
  const double slip = length(c.u[1], c.u[2]) + length(c.u[3], c.u[4]);
  const bool slips = slip > kSlip * S;
  if (c.r[0] <= kGrazing * S) return FrictionMode::open;
  if (c.r[0] <= kForce * S && (c.u[0] > kForce * S || !slips)) return FrictionMode::open;
  // Without friction there is nothing to stick with; and beside fast ones a slide may be slow.
  const bool creeps =
      slip > kExactMode * S && c.mu_rolling == 0 && slide_error(c) <= kExactMode * S;
  return slips || creeps || c.mu == 0 ? FrictionMode::slide : FrictionMode::stick;
}

void take_contact(const ContactState& c, FrictionMode mode, bool associated,
                  FrictionResiduals& result) {
  const double force = length(c.r[1], c.r[2]);
  const double rolling = length(c.r[3], c.r[4]);
  if (mode != FrictionMode::open) result.normal = std::max(result.normal, std::abs(c.u[0]));
  if (mode == FrictionMode::stick)
    result.stick = std::max({result.stick, length(c.u[1], c.u[2]), length(c.u[3], c.u[4])});
  // Too little friction for a slide is no solution either.
  if (mode == FrictionMode::slide)
    result.slide =
        std::max(result.slide, associated || c.mu_rolling > 0 ? misalignment(c) : slide_error(c));
  result.cone = std::max(result.cone, -c.r[0]);
  if (c.mu < kNoSlipFriction) result.cone = std::max(result.cone, force - c.mu * c.r[0]);
  if (c.mu_rolling > 0) result.cone = std::max(result.cone, rolling - c.mu_rolling * c.r[0]);
  if (!associated) result.cone = std::max(result.cone, -c.u[0]);
}

}  // namespace

FrictionResiduals measure(const MeasuredContacts& all, FrictionMode* modes) {
  FrictionResiduals result{0, 0, 0, 0, 0, 0, 0, 0};
  const double plain_scale = norms(all, false).largest();
  const Norms scaled_norms = norms(all, true);
  const double S = std::max(scaled_norms.largest(), all.scale);
  const double motion = std::max(std::sqrt(scaled_norms.q), all.scale);
  for (int i = 0; i < all.contacts; ++i) {
    const ContactState plain = contact_of(all, i, 1);
    result.natural_map += squared_distance(plain.r, natural_image(plain, all.associated));
    const ContactState scaled = contact_of(all, i, all.d ? all.d[i] : 1);
    result.scaled += squared_distance(scaled.r, natural_image(scaled, all.associated));
    modes[i] = mode_of(scaled, S);
    take_contact(scaled, modes[i], all.associated, result);
    for (int k = all.dimension * i; k < all.dimension * (i + 1); ++k)
      result.energy_change += 0.5 * all.r[k] * (all.u[k] + all.q[k]);
  }
  result.growth = motion > 0 ? std::sqrt(scaled_norms.r) / motion : 0;
  // All zero is a solution of q = 0; there is nothing to divide by then.
  result.natural_map = std::sqrt(result.natural_map) / (plain_scale > 0 ? plain_scale : 1);
  for (double* x : {&result.normal, &result.stick, &result.slide, &result.cone})
    *x /= S > 0 ? S : 1;
  result.scaled = std::sqrt(result.scaled) / (S > 0 ? S : 1);
  return result;
}

bool is_exact(const FrictionResiduals& residuals) {
  return residuals.growth <= kGrown && residuals.scaled <= 1e-12 && residuals.cone <= 1e-12 &&
         residuals.normal <= kExactMode && residuals.stick <= kExactMode &&
         residuals.slide <= kExactMode;
}

}  // namespace pequod
