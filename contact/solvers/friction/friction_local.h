#pragma once

namespace pequod {

/// Solves the Coulomb problem of one contact exactly: u = W r + q, three components.
/// In the order open, stick, slide: the first that holds is taken. For a slide the equation of the
/// slip speed is a quartic (Bonnefon & Daviet 2011).
/// @param W   3×3 by rows
/// @param mu  may be infinite
/// @return    false if none of them holds; r is then the solution without friction
bool solve_contact(const double* W, const double* q, double mu, double* r);

}  // namespace pequod
