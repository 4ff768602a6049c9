#include "contact/solvers/complementarity/lemke.h"

#include <algorithm>
#include <limits>

#include "contact/solvers/complementarity/lcp_steps.h"

namespace pequod {

namespace {

using Outcome = LemkeDictionary::Outcome;

/// One run of the method on M + λI and q; z is written if it is solved.
Outcome run(const MatrixXd& M, const VectorXd& q, double lambda, const VectorXd* start,
            const LcpOptions& options, LcpWorkspace& workspace, LcpSolution& solution) {
  const int limit =
      options.max_iterations > 0 ? options.max_iterations : static_cast<int>(1000 + 20 * q.size());
  LemkeDictionary& dictionary = workspace.lemke;
  dictionary.reset(M, q, lambda, options.zero);
  if (start != nullptr) dictionary.warm(*start);
  Outcome outcome = dictionary.start();
  while (outcome == Outcome::pivoted && dictionary.pivots() < limit) outcome = dictionary.pivot();
  solution.pivots += dictionary.pivots();
  if (outcome == Outcome::solved) dictionary.write_z(solution.z);
  return outcome;
}

/// The residual that rounding leaves: 10⁻¹² of the largest qᵢ, or 10 bits of the terms of M z.
double good_residual(const LcpProblem& problem, const LcpSolution& solution) {
  return std::max(1e-12 * problem.q.cwiseAbs().maxCoeff(),
                  1e-15 * problem.M.cwiseAbs().maxCoeff() * solution.z.cwiseAbs().maxCoeff());
}

bool good(const LcpProblem& problem, const LcpSolution& solution) {
  return solution.residuals.natural <= good_residual(problem, solution);
}

/// Lemke's method on M + λI. The shift moves the solution; repeating it around the last z, that is
/// with q − λz, moves it back (the proximal point method, Rockafellar 1976). After such a step the
/// residual of the problem itself is λ times the change of z.
/// @return  natural residual of the best z, which is left in the solution; ∞ if there is none
double solve_shifted(const LcpProblem& problem, double lambda, const LcpOptions& options,
                     LcpWorkspace& workspace, LcpSolution& solution) {
  double least = std::numeric_limits<double>::infinity();
  workspace.centre.setZero(problem.q.size());
  while (true) {
    workspace.shifted_q = problem.q - lambda * workspace.centre;
    const Outcome outcome =
        run(problem.M, workspace.shifted_q, lambda, nullptr, options, workspace, solution);
    if (outcome != Outcome::solved) break;
    refine_lcp(problem, workspace, solution);
    measure(problem, solution);
    const double residual = solution.residuals.natural;
    if (!(residual < 0.5 * least)) break;
    least = residual;
    workspace.centre = solution.z;
    if (good(problem, solution)) break;
  }
  solution.z = workspace.centre;
  return least;
}

/// Rising λ until the residual is good, or the best of all.
void solve_regularised(const LcpProblem& problem, const LcpOptions& options, double least,
                       LcpWorkspace& workspace, LcpSolution& solution) {
  workspace.best = solution.z;
  const double size = problem.M.cwiseAbs().maxCoeff();
  for (double lambda = 1e-14; lambda <= 1.001e-4; lambda *= 10) {
    ++solution.switches;
    const double residual = solve_shifted(problem, lambda * size, options, workspace, solution);
    if (!(residual < least)) continue;
    least = residual;
    workspace.best = solution.z;
    measure(problem, solution);
    if (good(problem, solution)) break;
  }
  solution.z = workspace.best;
}

const char* why(Outcome outcome) {
  if (outcome == Outcome::ray) return "Lemke's method ended on a ray, which proves nothing here";
  if (outcome == Outcome::pivoted) return "the limit of pivots is reached";
  return "";
}

}  // namespace

void solve_lcp_by_lemke(const LcpProblem& problem, const LcpOptions& options,
                        const VectorXd& warm_start, LcpWorkspace& workspace,
                        LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "lemke")) return;
  if (problem.q.size() == 0) return finish_lcp(problem, options, solution);
  Outcome outcome = Outcome::pivoted;
  if (workspace.start.size() > 0)
    outcome = run(problem.M, problem.q, 0, &workspace.start, options, workspace, solution);
  if (outcome != Outcome::solved)
    outcome = run(problem.M, problem.q, 0, nullptr, options, workspace, solution);

  double least = std::numeric_limits<double>::infinity();
  if (outcome == Outcome::solved) {
    refine_lcp(problem, workspace, solution);
    finish_lcp(problem, options, solution);
    if (good(problem, solution)) return;
    least = solution.residuals.natural;
  } else if (outcome == Outcome::ray) {
    workspace.lemke.write_ray(workspace.kept);
    measure(problem, solution);
    if (accept_certificate(problem, workspace.kept, solution)) return;
  }
  solve_regularised(problem, options, least, workspace, solution);
  finish_lcp(problem, options, solution);
  if (solution.status == SolveStatus::solved) return;
  if (outcome != Outcome::solved) solution.reason = why(outcome);
  look_for_certificate(problem, solution);
}

LcpSolution solve_lemke(const LcpProblem& problem, const LcpOptions& options) {
  LcpWorkspace workspace;
  LcpSolution solution;
  solve_lcp_by_lemke(problem, options, {}, workspace, solution);
  return solution;
}

}  // namespace pequod
