// One contact of a ball that touches nothing else.
#pragma once

#include <array>
#include <cmath>

namespace pequod {

/// Whether W (3 × 3, by rows) of one contact is that of a ball: an impulse moves the contact along
/// itself alone, and along all tangents as far. It has one solution then, whatever q and μ.
[[nodiscard]] bool is_of_ball(const double* W);

/// Of a contact by itself.
struct BallContact {
  std::array<double, 3> r{};  ///< N·s
  bool sticks = false;        ///< it carries, and friction stops all slip
  double residual = NAN;      ///< FrictionResiduals::scaled
};

/// Coulomb's law of a ball's contact by itself, in closed form: u = W r + q.
/// @param scale  ContactsWith::scale
/// @param out    of no use unless it is solved to the last digits
/// @return       whether it is
[[nodiscard]] bool solve_ball(const double* W, const double* q, double mu, double scale,
                              BallContact& out);

}  // namespace pequod
