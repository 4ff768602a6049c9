// The zero of a function in a bracket, at the precision of the function.
#pragma once

#include <functional>
#include <limits>

namespace pequod {

struct RootOptions {
  double noise = 1e-14;  ///< |f| at or below counts as zero
  /// With slopes and parabolas: so does f up to ten times that if its root is this close.
  double reach = 0.0;
  /// Of f as a function of one number: where it falls faster between two points it jumps, and
  /// where exactly is not asked.
  double steepest = std::numeric_limits<double>::infinity();
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

/// The same where f is all but a parabola from a on: the root of that through a and the last two
/// points, again and again. What it does not find in a few evaluations is left to the above.
[[nodiscard]] double find_root_by_parabolas(const std::function<double(double)>& f, double a,
                                            double fa, double b, double fb,
                                            const RootOptions& options = {});

struct Sloped {
  double value = 0.0, slope = 0.0;
  double curvature = std::numeric_limits<double>::quiet_NaN();  ///< not a number: unknown
};
/// The same where the slope is known too: the root of the cubic through both ends, or of the
/// quintic where their curvatures are known, again and again, which for a smooth f is found in one
/// to three evaluations. A slope that is wrong costs evaluations, no precision.
[[nodiscard]] double find_root(const std::function<Sloped(double)>& f, double a, Sloped fa,
                               double b, Sloped fb, const RootOptions& options = {});

/// Where that polynomial crosses zero: what find_root tries first.
[[nodiscard]] double predict_root(double a, const Sloped& fa, double b, const Sloped& fb);

}  // namespace pequod
