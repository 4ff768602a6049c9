// Sine and cosine together, the same bits on every machine.
#pragma once

namespace pequod {

struct SineCosine {
  double sine, cosine;
};

/// Of an angle in rad; both within 2e-16 of the truth for |x| ≤ 10⁵, beyond that libm's. A few
/// times faster than libm, whose bits depend on the processor it finds.
///
/// x = n π/2 + r with π/2 in three parts, of which the first two are so short that their product
/// with n is exact (Cody & Waite 1980), then the series of Taylor for |r| ≤ π/4, whose first terms
/// left out are below 1e-19.
[[nodiscard]] SineCosine sine_cosine(double x);

/// The same of four angles side by side, with the same bits. @param out  four of them
void four_sine_cosines(const double* x, SineCosine* out);

}  // namespace pequod
