// The worst figure a sweep met.
#pragma once

#include <cmath>

namespace pequod::test {

/// Keeps the largest value seen; NaN once seen stays, so that no comparison passes by accident.
class Worst {
 public:
  void see(double x) {
    if (std::isnan(value_)) return;
    if (!(x <= value_)) value_ = x;
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = 0.0;
};

}  // namespace pequod::test
