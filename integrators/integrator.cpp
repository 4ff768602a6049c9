#include "integrators/integrator.h"

#include <algorithm>
#include <array>
#include <boost/numeric/odeint/algebra/vector_space_algebra.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>

// After the steppers: without it odeint takes VectorXd for not resizeable and writes out of bounds.
#include <boost/numeric/odeint/external/eigen/eigen.hpp>

namespace pequod {

namespace odeint = boost::numeric::odeint;

struct RungeKutta::Steppers {
  odeint::runge_kutta4<VectorXd, double, VectorXd, double, odeint::vector_space_algebra> rk4;
  odeint::runge_kutta_dopri5<VectorXd, double, VectorXd, double, odeint::vector_space_algebra>
      dopri5;
  VectorXd error, dxdt, dxdt_out;
};

RungeKutta::RungeKutta(Method method) : steppers_(std::make_unique<Steppers>()), method_(method) {}
RungeKutta::~RungeKutta() = default;
RungeKutta::RungeKutta(RungeKutta&&) noexcept = default;
RungeKutta& RungeKutta::operator=(RungeKutta&&) noexcept = default;

double RungeKutta::step(const Rhs& f, const VectorXd& x0, double t, double h, VectorXd& x1) {
  x1.resize(x0.size());
  if (method_ == Method::rk4) {
    steppers_->rk4.do_step(std::cref(f), x0, t, x1, h);
    return 0.0;
  }
  Steppers& s = *steppers_;
  s.error.resize(x0.size());
  s.dxdt.resize(x0.size());
  s.dxdt_out.resize(x0.size());
  // The first derivative is computed anew: the last step's would be stale after an event.
  f(x0, s.dxdt, t);
  s.dopri5.do_step(std::cref(f), x0, s.dxdt, t, x1, s.dxdt_out, h, s.error);
  const double error =
      (s.error.array().abs() / (1.0 + x0.array().abs())).maxCoeff<Eigen::PropagateNaN>();
  // A plain maximum may drop a NaN, and a step that overflowed would count as a good one.
  return std::isnan(error) ? kInfinity : error;
}

double next_step(double h, double error, double tolerance) {
  if (error <= 0.0) return 5.0 * h;
  return h * std::clamp(0.9 * std::pow(tolerance / error, 0.2), 0.2, 5.0);
}

std::span<const IntegratorInfo> integrators() {
  static constexpr std::array<IntegratorInfo, 3> table{{
      {"symplectic-euler", 1, 2.0,
       "velocity first, then position with the new velocity; bodies without joints turn by the "
       "midpoint rule, order 2 in flight, and keep momentum and energy there"},
      {"rk4", 4, 2.785293563405282, "classical Runge-Kutta, fixed step"},
      {"dopri5", 5, 3.306567892634946,
       "Dormand-Prince 5(4), adaptive if integrator.tolerance is given"},
  }};
  return table;
}

const IntegratorInfo& integrator_info(std::string_view name) {
  for (const IntegratorInfo& info : integrators())
    if (info.name == name) return info;
  throw std::invalid_argument("unknown integrator '" + std::string(name) + "'");
}

}  // namespace pequod
