#include "contact/fit/interval.h"

#include <array>
#include <cmath>

namespace pequod {

double three_sigma_factor(long degrees_of_freedom) {
  // Quantiles at 0.99865, rounded up.
  constexpr std::array<double, 10> kFew{235.8, 19.21, 9.22, 6.63, 5.51,
                                        4.91,  4.53,  4.28, 4.10, 3.96};
  if (degrees_of_freedom <= 0) return INFINITY;
  if (degrees_of_freedom <= 10) return kFew[static_cast<std::size_t>(degrees_of_freedom - 1)];
  // Cornish and Fisher: 3 + (3³ + 3)/(4 ν), and what that leaves out at ν = 11.
  return 3.0 + 7.5 / static_cast<double>(degrees_of_freedom) +
         25.0 / static_cast<double>(degrees_of_freedom * degrees_of_freedom);
}

}  // namespace pequod
