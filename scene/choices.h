// The names that a scene may choose from.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "contact/models/contact_model.h"
#include "integrators/integrator.h"

namespace pequod {

[[nodiscard]] inline std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}
[[nodiscard]] inline std::vector<std::string> contact_model_names() {
  std::vector<std::string> names;
  for (const ContactModel& model : contact_models()) names.emplace_back(model.name);
  return names;
}
[[nodiscard]] inline std::vector<std::string> contact_solver_names() {
  std::vector<std::string> names;
  for (const ContactModel& model : contact_models())
    for (const std::string_view name : solver_names(model.family))
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  return names;
}
[[nodiscard]] inline std::vector<std::string> level_names() { return {"velocity", "acceleration"}; }
[[nodiscard]] inline std::vector<std::string> scheme_names() {
  return {"event-driven", "time-stepping"};
}
[[nodiscard]] inline std::vector<std::string> restitution_names() {
  return {"poisson", "newton", "newton-raw"};
}

}  // namespace pequod
