#include "app/command_choices.h"

#include <algorithm>

#include "app/answer.h"
#include "app/commands.h"
#include "app/completion/completion.h"
#include "app/experiments/experiment.h"
#include "scene/choices.h"

namespace pequod::app {
namespace {

using Names = std::vector<std::string>;

Names problem_kind_names() {
  Names names;
  for (const ProblemKind kind : problem_kinds()) names.emplace_back(name(kind));
  return names;
}

Names problem_solver_names() {
  Names names;
  for (const ProblemKind kind : problem_kinds())
    for (const SolverName& solver : solvers_of(kind))
      if (std::ranges::find(names, solver.name) == names.end()) names.push_back(solver.name);
  return names;
}

Names experiment_names() {
  Names names{kListExperiments, kAllExperiments};
  for (const Experiment* one : experiments()) names.emplace_back(one->name);
  return names;
}

Names choices_of_solve(std::string_view option) {
  if (option == "--kind") return problem_kind_names();
  if (option == "--model") return {"coulomb", "associated"};
  if (option == "--solver" || option == "--compare") return problem_solver_names();
  return {};
}

}  // namespace

Names choices_of(std::string_view command, std::string_view option) {
  if (command == "solve") return choices_of_solve(option);
  if (command == "run" && option == "--shadow") return contact_model_names();
  if (command == "experiment" && option == "NAME") return experiment_names();
  if (command == "plot" && option == "--what") return plot_names();
  if (command == "plot" && option == "--format") return {"svg", "pdf", "png"};
  if (command == "completion" && option == "SHELL") return shell_names();
  if (option == "--integrator" || option == "--integrators") return integrator_names();
  if (option == "--model" || option == "--models") return contact_model_names();
  if (option == "--solver") return contact_solver_names();
  return {};
}

}  // namespace pequod::app
