// The zero of a function in a bracket, at the precision of the function.
#pragma once

#include <functional>

namespace pequod {

struct RootOptions {
  double noise = 1e-14;  ///< |f| at or below counts as zero
  int max_evaluations = 80;
};

/// Where f crosses zero between a and b (a < b).
/// @param fa  f(a), taken as positive whatever its sign: a function that is zero by construction at
///            the start of a step has a rounding sign there
/// @param fb  f(b) < 0
/// @return the left end of the last bracket, or the point where |f| ≤ noise; f there is not below
///         −noise (TOMS 748: Alefeld, Potra & Shi 1995)
[[nodiscard]] double find_root(const std::function<double(double)>& f, double a, double fa,
                               double b, double fb, const RootOptions& options = {});

}  // namespace pequod
