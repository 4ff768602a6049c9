#include "events/root.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace pequod {

double find_root(const std::function<double(double)>& f, double a, double fa, double b, double fb,
                 const RootOptions& options) {
  const auto rounded = [&](double x) {
    const double y = f(x);
    return std::abs(y) <= options.noise ? 0.0 : y;
  };
  if (!(a < b)) return a;
  auto evaluations = static_cast<std::uintmax_t>(options.max_evaluations);
  const auto narrow = [](double left, double right) {
    return std::abs(right - left) <= 4e-16 * std::max(std::abs(left), std::abs(right));
  };
  const std::pair<double, double> bracket = boost::math::tools::toms748_solve(
      rounded, a, b, std::max(fa, options.noise), fb, narrow, evaluations);
  return bracket.first;
}

}  // namespace pequod
