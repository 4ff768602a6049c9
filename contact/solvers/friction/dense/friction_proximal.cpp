#include "contact/solvers/friction/dense/friction_proximal.h"

#include <algorithm>

namespace pequod {

ProximalResult follow_proximal_path(const ScaledFriction& problem, const ProximalSettings& settings,
                                    NewtonBuffers& newton, ProximalBuffers& buffers,
                                    Eigen::VectorXd& rho) {
  constexpr double kFirst = 1e-2, kLast = 0.5e-10, kFactor = 1e-2;
  ProximalResult result{.followed = true};
  buffers.centre.setZero(problem.rows());
  buffers.u.resize(problem.rows());
  NewtonSettings inner;
  inner.iterations = settings.newton_iterations;
  inner.tolerance = settings.tolerance;
  inner.shift = 0;
  inner.centre = &buffers.centre;
  const double S = std::max(problem.q_norm, problem.scale);
  for (double epsilon = kFirst; epsilon >= kLast; epsilon *= kFactor) {
    inner.compliance = epsilon;
    const NewtonResult step = solve_newton(problem, inner, newton, rho);
    result.iterations += step.iterations;
    // What rounding leaves of a Newton step is good enough to go on.
    result.followed = result.followed && step.residual <= 1e-9;
    buffers.ray = rho - buffers.centre;
    result.pull = S > 0 ? epsilon * buffers.ray.norm() / S : 0;
    buffers.centre = rho;
    if (!result.followed || natural_residual(problem, rho, buffers.u) <= settings.tolerance) break;
  }
  return result;
}

}  // namespace pequod
