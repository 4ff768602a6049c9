#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "contact/models/contact_model.h"
#include "integrators/integrator.h"
#include "scene/field.h"
#include "simulation/options.h"

namespace pequod::app {
namespace {

std::string integrator_lines() {
  std::string text = "Integrators (integrator.method, --integrator)\n";
  for (const IntegratorInfo& info : integrators())
    text += fmt::format("  {:<17} order {}; {}\n", info.name, info.order, info.description);
  return text;
}

std::string model_lines() {
  std::string text = "\nContact models (contact.model, --model)\n";
  for (const ContactModel& model : contact_models()) {
    const bool both =
        has_level(model, ContactLevel::velocity) && has_level(model, ContactLevel::acceleration);
    text += fmt::format(
        "  {:<17} {}; {}\n", model.name,
        both ? "velocity and acceleration level" : fmt::format("{} level", level_name(model.level)),
        model.source);
    text += fmt::format("  {:<17} assumes: {}\n", "", model.assumes);
    text += fmt::format("  {:<17} solvers: {}\n", "", fmt::join(solver_names(model.family), ", "));
  }
  return text;
}

template <typename Solvers>
std::string solver_lines(std::string_view problem, const Solvers& solvers) {
  std::string text = fmt::format("\n  {}\n", problem);
  for (const auto& solver : solvers)
    text += fmt::format("  {:<17} {}\n", solver.name, solver.description);
  return text;
}

std::string solvers_by_problem() {
  return "\nSolvers (contact.solver, --solver); the first of each kind is the default\n" +
         solver_lines("nearest velocities under linear constraints", least_distance_solvers()) +
         solver_lines("Coulomb's law with true cones", friction_solvers()) +
         solver_lines("linear complementarity", lcp_solvers()) +
         "\n  most dissipation over true cones\n"
         "  interior-point    predictor-corrector with Nesterov & Todd's scaling\n";
}

// The forms that a robot's `controller` may take in a scene.
const Field* find_field(const Field& table, std::string_view key) {
  const auto found = std::ranges::find(table.of, key, &Field::key);
  return found == table.of.end() ? nullptr : &*found;
}

std::string controller_lines() {
  std::string text = "\nControllers (robots.NAME.controller.type)\n";
  const Field* robots = find_field(scene_fields(), "robots");
  const Field* controller = robots ? find_field(robots->of.at(0), "controller") : nullptr;
  if (controller == nullptr) return {};
  for (const Field& form : controller->of)
    text += fmt::format("  {:<17} {}\n", form.key, form.description);
  return text;
}

struct Meaning {
  int order = 1;
  const char* what = "";
};

Meaning pair_meaning(const IntegratorInfo& integrator, ContactLevel level) {
  if (level == ContactLevel::acceleration)
    return {integrator.order,
            "contact forces in every stage; events found inside the step, which is re-taken up to "
            "them"};
  if (integrator.order == 1)
    return {1, "one contact solve a step; positions move with the velocity after it"};
  return {1, "a smooth step without contact, contact impulses at its end"};
}

// The level that acts unless the scene says otherwise comes first.
std::string pair_line(const IntegratorInfo& integrator, const ContactModel& model) {
  using enum ContactLevel;
  const ContactLevel level = contact_level(model, {}, {std::string(integrator.name)});
  const Meaning meaning = pair_meaning(integrator, level);
  std::string text = fmt::format("  {:<17} x {:<17} order {}: {}\n", integrator.name, model.name,
                                 meaning.order, meaning.what);
  const ContactLevel other = level == velocity ? acceleration : velocity;
  if (!has_level(model, other)) return text;
  const Meaning told = pair_meaning(integrator, other);
  return text + fmt::format("  {:<39} level: {}: order {}: {}\n", "", level_name(other), told.order,
                            told.what);
}

std::string pair_lines() {
  std::string text = "\nPairs: order of accuracy and meaning\n";
  for (const IntegratorInfo& integrator : integrators())
    for (const ContactModel& model : contact_models()) text += pair_line(integrator, model);
  return text;
}

}  // namespace

int list() {
  print_out(integrator_lines() + model_lines() + solvers_by_problem() + controller_lines() +
            pair_lines());
  return kDone;
}

}  // namespace pequod::app
