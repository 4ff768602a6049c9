#include "contact/models/contact_solver.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

namespace pequod {
namespace {

constexpr std::string_view kInteriorPoint = "interior-point";

template <typename Solvers>
std::vector<std::string_view> names_of(const Solvers& solvers) {
  std::vector<std::string_view> names;
  for (const auto& solver : solvers) names.push_back(solver.name);
  return names;
}

// In space and with De Saxcé's shift: one is for planar contacts, one for the associated law.
bool serves_cones(std::string_view name) { return name != "enumerate" && name != "interior-point"; }

// Matrices of friction pyramids are not symmetric: methods for symmetric ones are left out.
bool serves_pyramids(std::string_view name) {
  return name == "auto" || name == "lemke" || name == "semismooth-newton" || name == "enumerate";
}

// Whoever there is to see it is shown each solve of friction cones.
template <typename Show, typename Solve>
void show_cones(const Show& show, Solve& solve) {
  if (!solve || !show) return;
  solve = [solve, show](const auto& problem, const FrictionOptions& options,
                        std::span<const double> warm_start, FrictionWorkspace& workspace,
                        FrictionSolution& solution) {
    solve(problem, options, warm_start, workspace, solution);
    show(problem, warm_start, solution);
  };
}

}  // namespace

std::vector<std::string_view> solver_names(SolverFamily family) {
  switch (family) {
    case SolverFamily::least_distance:
      return names_of(least_distance_solvers());
    case SolverFamily::friction: {
      std::vector<std::string_view> names = names_of(friction_solvers());
      std::erase_if(names, [](std::string_view name) { return !serves_cones(name); });
      return names;
    }
    case SolverFamily::dissipation:
      return {kInteriorPoint};
    case SolverFamily::pyramid: {
      std::vector<std::string_view> names = names_of(lcp_solvers());
      std::erase_if(names, [](std::string_view name) { return !serves_pyramids(name); });
      return names;
    }
  }
  return {};
}

bool serves(SolverFamily family, std::string_view name) {
  const std::vector<std::string_view> names = solver_names(family);
  return std::ranges::find(names, name) != names.end();
}

ContactSolver make_contact_solver(SolverFamily family, std::string_view name) {
  const std::vector<std::string_view> names = solver_names(family);
  if (name.empty()) name = names.front();
  if (!serves(family, name)) {
    std::string message = "solver '" + std::string(name) + "' does not serve this contact model;";
    for (const std::string_view each : names) message += " " + std::string(each);
    throw std::invalid_argument(message + (names.size() == 1 ? " does" : " do"));
  }
  ContactSolver solver(least_distance_solvers().front());
  if (family == SolverFamily::least_distance)
    for (const LeastDistanceSolver& each : least_distance_solvers())
      if (each.name == name) solver.least_distance = each;
  if (family == SolverFamily::friction) solver.friction = find_friction_solver(name)->solve;
  if (family == SolverFamily::friction && name == friction_solvers().front().name)
    solver.sparse = sparse_friction_solvers().front().solve;
  if (family == SolverFamily::dissipation) {
    solver.dissipation = solve_maximum_dissipation;
    solver.friction = friction_solvers().front().solve;
  }
  if (family == SolverFamily::pyramid) solver.lcp = find_lcp_solver(name)->solve;
  // The registry's name: the caller's may not last.
  solver.name = *std::ranges::find(names, name);
  return solver;
}

// Beyond some hundred contacts methods that end on exact modes take too long. Beyond some thousand
// sweeps are all there is: a collapse of 1001 balls takes 2.4 times as long if up to 2000 contacts
// have to be solved to 1e-6, and nothing more if up to 1500 have; a grid of 1444 contacts that is
// solved to 1e-3 creeps by 4e-12 m before it stands.
std::span<const AcceptedResidual> accepted_residuals() {
  static constexpr std::array kRules = {AcceptedResidual{kFewContacts, 1e-8},
                                        AcceptedResidual{1500, 1e-6},
                                        AcceptedResidual{std::numeric_limits<int>::max(), 1e-3}};
  return kRules;
}

double accepted_residual(const ContactSolver& solver, int contacts) {
  if (solver.accepted > 0.0) return solver.accepted;
  if (contacts <= solver.few) return accepted_residuals().front().residual;
  for (const AcceptedResidual& rule : accepted_residuals().subspan(1))
    if (contacts <= rule.contacts) return rule.residual;
  return accepted_residuals().back().residual;
}

ContactSolver watched(ContactSolver solver, const ProblemWatch& watch) {
  solver.least_distance = watched(solver.least_distance, watch.least_distance);
  show_cones(watch.friction, solver.friction);
  show_cones(watch.sparse, solver.sparse);
  solver.watch = watch;
  if (solver.dissipation && watch.dissipation)
    solver.dissipation =
        [solve = solver.dissipation, show = watch.dissipation](
            const FrictionProblem& problem, const MaximumDissipationOptions& options,
            MaximumDissipationWorkspace& workspace, MaximumDissipationSolution& solution) {
          solve(problem, options, workspace, solution);
          show(problem, options, solution);
        };
  if (solver.lcp && watch.lcp)
    solver.lcp = [solve = solver.lcp, show = watch.lcp](
                     const LcpProblem& problem, const LcpOptions& options,
                     const VectorXd& warm_start, LcpWorkspace& workspace, LcpSolution& solution) {
      solve(problem, options, warm_start, workspace, solution);
      show(problem, solution);
    };
  return solver;
}

}  // namespace pequod
