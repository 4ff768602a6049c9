// One trial step of an ordinary differential equation, to any fraction of the step.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/types.h"

namespace pequod {

/// dx/dt = f(x, t). Must depend on its arguments alone.
using Rhs = std::function<void(const VectorXd& x, VectorXd& dxdt, double t)>;

/// Explicit Runge–Kutta steps through Boost.Odeint. Stage vectors are kept between calls, so a step
/// of a known size allocates nothing; they carry no meaning from one step to the next.
class RungeKutta {
 public:
  enum class Method { rk4, dopri5 };
  explicit RungeKutta(Method method);
  ~RungeKutta();
  RungeKutta(RungeKutta&&) noexcept;
  RungeKutta& operator=(RungeKutta&&) noexcept;

  /// x1 = x(t + h) from x0 = x(t).
  /// @return largest error estimate |e_i| / (1 + |x0_i|), +∞ if it is not a number; 0 for rk4,
  /// which has none
  double step(const Rhs& f, const VectorXd& x0, double t, double h, VectorXd& x1);

 private:
  struct Steppers;
  std::unique_ptr<Steppers> steppers_;
  Method method_;
};

/// Next step after one with error estimate e (relative to the tolerance), order p = 5:
/// h · clamp(0.9 (tol/e)^(1/5), 0.2, 5) (Hairer, Nørsett & Wanner 1993, sec. II.4).
[[nodiscard]] double next_step(double h, double error, double tolerance);

/// What the command line prints about an integrator.
struct IntegratorInfo {
  std::string_view name;
  int order;
  double damping_limit;  ///< largest h λ with which ẋ = −λ x does not grow
  std::string_view description;
};
[[nodiscard]] std::span<const IntegratorInfo> integrators();
/// @throws std::invalid_argument  if there is none of that name
[[nodiscard]] const IntegratorInfo& integrator_info(std::string_view name);

}  // namespace pequod
