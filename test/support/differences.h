// Derivatives by central differences.
#pragma once

#include <type_traits>

namespace pequod::test {

/// df/dt at 0 by the six-point stencil: truncation h⁶ f⁽⁷⁾/140, rounding 2 ε |f|/h. With h = 1e-3
/// and rates up to 30 /s (f⁽⁷⁾ ≈ 2e10) both are near 1e-10 or below.
template <typename F>
std::decay_t<std::invoke_result_t<F, double>> derivative(const F& f, double h = 1e-3) {
  using Value = std::decay_t<std::invoke_result_t<F, double>>;
  const Value a = f(h), b = f(-h), c = f(2 * h), d = f(-2 * h), e = f(3 * h), g = f(-3 * h);
  return Value((45.0 * (a - b) - 9.0 * (c - d) + (e - g)) / (60.0 * h));
}

}  // namespace pequod::test
