#include "contact/quasistatic/quasistatic.h"

#include <algorithm>

namespace pequod {
namespace {

// A motion whose residuals are larger is none: relative to the largest velocity and force.
constexpr double kResidual = 1e-8;

// @return whether it solves the problem
bool add(const QuasistaticProblem& problem, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
         bool unique, QuasistaticSolution& solution) {
  const QuasistaticMotion motion = motion_of(problem, x, y);
  const QuasistaticResiduals found = residuals(problem, motion);
  const double size = 1.0 + std::max(x.lpNorm<Eigen::Infinity>(), y.lpNorm<Eigen::Infinity>());
  if (!(found.worst() <= kResidual * size)) return false;
  solution.status = QuasistaticStatus::solved;
  solution.motions.push_back(motion);
  solution.residuals.push_back(found);
  solution.unique.push_back(unique ? 1 : 0);
  return true;
}

void search(const QuasistaticProblem& problem, const QuasistaticOptions& options,
            QuasistaticSolution& solution) {
  const ModeSearch found =
      search_modes(problem, {options.all, options.most_nodes, options.bilinear.zero});
  solution.nodes = found.nodes;
  solution.complete = found.complete;
  solution.method = "modes";
  for (const ModePair& one : found.solutions)
    if (!add(problem, one.x, one.y, one.only_x && one.only_y, solution)) solution.complete = false;
  if (!solution.motions.empty()) return;
  solution.status = solution.complete ? QuasistaticStatus::no_solution : QuasistaticStatus::unknown;
  solution.reason = solution.complete
                        ? "no contact modes are possible: the parts jam"
                        : "the search through contact modes met its limit, or residuals above 1e-8";
}

}  // namespace

QuasistaticSolution solve_quasistatic(const QuasistaticProblem& problem,
                                      const QuasistaticOptions& options) {
  const UncoupledProblem pair = uncoupled(problem);
  QuasistaticSolution solution;
  solution.method = "bilinear";
  solution.bilinear = minimise_product(pair, options.bilinear);
  switch (solution.bilinear.status) {
    case BilinearStatus::no_x:
      solution.status = QuasistaticStatus::no_solution;
      solution.reason = "no velocities respect the contacts: the parts would overlap";
      return solution;
    case BilinearStatus::no_y:
      solution.status = QuasistaticStatus::no_solution;
      solution.reason = "no contact forces inside the friction cones balance the loads";
      return solution;
    case BilinearStatus::solved:
      if (options.all) break;
      if (add(problem, solution.bilinear.x, solution.bilinear.y, false, solution)) return solution;
      break;
    case BilinearStatus::stationary:
    case BilinearStatus::failed:
      solution.reason = "the linear programs came to rest at a pair that is no solution";
      if (!options.proof && !options.all) return solution;
  }
  solution.reason = {};
  search(problem, options, solution);
  return solution;
}

}  // namespace pequod
