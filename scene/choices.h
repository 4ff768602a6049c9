// The names that a scene may choose from.
#pragma once

#include <string>
#include <vector>

namespace pequod {

[[nodiscard]] inline std::vector<std::string> integrator_names() {
  return {"symplectic-euler", "rk4", "dopri5"};
}
[[nodiscard]] inline std::vector<std::string> contact_model_names() {
  return {"frictionless", "viscous", "no-slip"};
}
[[nodiscard]] inline std::vector<std::string> contact_solver_names() {
  return {"dual", "ppm", "lemke"};
}
[[nodiscard]] inline std::vector<std::string> restitution_names() { return {"poisson", "newton"}; }

}  // namespace pequod
