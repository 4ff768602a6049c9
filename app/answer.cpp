#include "app/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>

#include "app/natural_map.h"
#include "contact/solvers/registry/friction_solvers.h"
#include "contact/solvers/registry/lcp_solvers.h"
#include "contact/solvers/registry/least_distance_solvers.h"

namespace pequod::app {
namespace {

using Eigen::VectorXd;

// Seconds that a call takes. A short one is made three times and the least counts: the first pays
// for buffers and a cold cache, which would go against whichever solver comes first.
template <typename Function>
double timed(const Function& function) {
  constexpr double kShort = 0.01;  // s
  double least = INFINITY;
  for (int i = 0; i < 3 && (i == 0 || least < kShort); ++i) {
    const auto start = std::chrono::steady_clock::now();
    function();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least;
}

struct Task {
  const Problem& problem;
  std::string_view solver;  // empty: the default
  bool warm = false;        // from the answer of a solve before it
};

// Solves once for a start if that is wanted, then as often as the time needs; `solve` takes where
// to begin, `solution` tells where it ended.
template <typename Start, typename Solve, typename Solution>
void timed_from(const Task& task, const Start& given, bool any_given, const Solve& solve,
                const Solution& solution, Answer& answer) {
  Start start = given;
  answer.start = any_given ? "file" : "cold";
  if (task.warm) {
    solve(start);
    start = solution();
    answer.start = "warm";
  }
  answer.time = timed([&] { solve(start); });
}

// The row of a registry with the solver's name, or the first.
template <typename Row>
const Row& choose(std::span<const Row> rows, const Task& task) {
  for (const Row& row : rows)
    if (task.solver.empty() || row.name == task.solver) return row;
  std::string serving;
  for (const Row& row : rows) serving += fmt::format("{}{}", serving.empty() ? "" : ", ", row.name);
  throw std::invalid_argument(fmt::format("{} does not serve this {}; one of: {}", task.solver,
                                          name(task.problem.kind), serving));
}

template <typename Row>
std::vector<SolverName> names(std::span<const Row> rows) {
  std::vector<SolverName> result;
  for (const Row& row : rows)
    result.push_back({std::string(row.name), std::string(row.description)});
  return result;
}

// The natural map relative to the given velocities and the answer's, the unknowns left out.
double strict_natural_map(const Answer& answer, const VectorXd& q) {
  const double size = std::max(q.norm(), answer.y.norm());
  return answer.natural_map * std::max(size, answer.x.norm()) / (size > 0.0 ? size : 1.0);
}

// Solver and natural map both have a say. A solver that asks for more than we do may call failed
// what is solved; but unknowns that ran off to infinity make any natural map small beside them, so
// its verdict is overruled by the strict one alone. A proof that there is no solution stands.
void judge(Answer& answer, SolveStatus status, std::string reason, const VectorXd& q) {
  answer.reason = std::move(reason);
  if (status == SolveStatus::no_solution) {
    answer.status = SolveStatus::no_solution;
  } else if (status == SolveStatus::solved && !(answer.natural_map <= kSolved)) {
    answer.reason =
        fmt::format("relative natural map {:.1e} is above {:g}", answer.natural_map, kSolved);
  } else if (status == SolveStatus::solved || strict_natural_map(answer, q) <= kSolved) {
    answer.status = SolveStatus::solved;
  }
}

bool same_bits(const VectorXd& a, const VectorXd& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

// Compares the answer with the one that a run recorded of this solver.
void compare_recorded(const Task& task, std::string_view solver, Answer& answer) {
  if (task.warm) return;  // it began from somewhere else
  if (const auto& recorded = task.problem.recorded; recorded && recorded->solver == solver)
    answer.repeated = recorded->pivots == answer.pivots && same_bits(recorded->x, answer.x);
}

template <typename Complementarity>
void answer_complementarity(const Complementarity& problem,
                            std::span<const ComplementaritySolver<Complementarity>> solvers,
                            const Task& task, Answer& answer) {
  const auto& row = choose(solvers, task);
  LcpWorkspace workspace;
  LcpSolution solution;
  answer.solver = row.name;
  timed_from(
      task, VectorXd(), false,
      [&](const VectorXd& start) { row.solve(problem, {}, start, workspace, solution); },
      [&] { return solution.z; }, answer);
  if (!solution.solver.empty()) answer.solver = solution.solver;
  measure(problem, solution);
  const LcpResiduals& r = solution.residuals;
  answer.natural_map = r.relative;
  answer.residuals = {{"natural_map", r.relative},
                      {"natural_map_absolute", r.natural},
                      {"infeasibility", r.infeasibility},
                      {"complementarity", r.complementarity}};
  answer.x = solution.z;
  answer.y = solution.w;
  answer.pivots = solution.pivots;
  if (solution.certificate.size() > 0) {
    answer.more.emplace_back("certificate", solution.certificate);
    answer.residuals.emplace_back("ruled_out", ruled_out(problem, solution.certificate));
  }
  judge(answer, solution.status, solution.reason, problem.q);
  compare_recorded(task, row.name, answer);
}

template <typename Friction>
void read_friction(const Friction& problem, FrictionSolution& solution, Answer& answer) {
  measure(problem, solution);
  const FrictionResiduals& r = solution.residuals;
  answer.model = problem.associated ? "associated" : "coulomb";
  answer.method = solution.method;
  answer.natural_map = r.natural_map;
  answer.residuals = {{"natural_map", r.natural_map},
                      {"scaled", r.scaled},
                      {"normal", r.normal},
                      {"stick", r.stick},
                      {"slide", r.slide},
                      {"cone", r.cone},
                      {"energy_change", r.energy_change}};
  answer.x = solution.r;
  answer.y = solution.u;
  answer.pivots = solution.iterations;
  judge(answer, solution.status, solution.reason, problem.q);
}

// Of either form of friction problems.
template <typename FrictionData, typename Row>
void answer_friction(const FrictionData& problem, std::span<const Row> solvers, const Task& task,
                     Answer& answer) {
  const Row& row = choose(solvers, task);
  FrictionWorkspace workspace;
  FrictionSolution solution;
  answer.solver = row.name;
  const VectorXd& given = task.problem.start;
  timed_from(
      task, given, given.size() > 0,
      [&](const VectorXd& start) {
        row.solve(problem, {}, {start.data(), static_cast<std::size_t>(start.size())}, workspace,
                  solution);
      },
      [&] { return solution.r; }, answer);
  read_friction(problem, solution, answer);
  compare_recorded(task, row.name, answer);
}

void answer_data(const FrictionProblem& problem, const Task& task, Answer& answer) {
  answer_friction(problem, friction_solvers(), task, answer);
}

void answer_data(const SparseFrictionProblem& problem, const Task& task, Answer& answer) {
  answer_friction(problem, sparse_friction_solvers(), task, answer);
}

void answer_data(const GlobalFrictionProblem& problem, const Task& task, Answer& answer) {
  answer_data(condensed(problem), task, answer);
  if (answer.x.size() != problem.b.size()) return;
  const VectorXd v = body_velocities(problem, answer.x);
  const VectorXd impulse = problem.H * answer.x + problem.q;
  answer.more.emplace_back("v", v);
  answer.residuals.emplace_back(
      "bodies", (problem.M * v - impulse).norm() / std::max(impulse.norm(), 1e-300));
}

void answer_data(const LcpProblem& problem, const Task& task, Answer& answer) {
  answer_complementarity(problem, lcp_solvers(), task, answer);
}

void answer_data(const MlcpProblem& problem, const Task& task, Answer& answer) {
  answer_complementarity(as_box(problem), box_solvers(), task, answer);
}

void answer_data(const BoxProblem& problem, const Task& task, Answer& answer) {
  answer_complementarity(problem, box_solvers(), task, answer);
}

// The one method there is for programs.
constexpr const char* kActiveSet = "active-set";

void answer_data(const QuadraticProblem& problem, const Task& task, Answer& answer) {
  if (!task.solver.empty() && task.solver != kActiveSet)
    throw std::invalid_argument(fmt::format("solver {} does not serve qp", task.solver));
  QuadraticWorkspace workspace;
  QuadraticSolution solution;
  answer.solver = kActiveSet;
  timed_from(
      task, VectorXd(), false,
      [&](const VectorXd& start) {
        workspace.centre = start;  // it keeps that of the last solve
        solve_quadratic_program(problem, {}, workspace, solution);
      },
      [&] { return solution.x; }, answer);
  answer.pivots = solution.pivots;
  if (solution.status == SolveStatus::no_solution)
    answer.more.emplace_back("certificate", joined(solution.mu, solution.lambda));
  if (solution.status == SolveStatus::solved) {
    answer.natural_map = natural_map(problem, solution);
    const QuadraticResiduals& r = solution.residuals;
    answer.residuals = {{"natural_map", answer.natural_map},
                        {"stationarity", r.stationarity},
                        {"infeasibility", r.infeasibility},
                        {"complementarity", r.complementarity}};
    answer.x = solution.x;
    answer.y = problem.M * solution.x + problem.q;
    answer.more.emplace_back("multipliers", joined(solution.mu, solution.lambda));
  }
  judge(answer, solution.status, solution.reason, problem.q);
}

// The one method for most dissipation.
constexpr const char* kInteriorPoint = "interior-point";

void answer_data(const DissipationProblem& problem, const Task& task, Answer& answer) {
  if (!task.solver.empty() && task.solver != kInteriorPoint)
    throw std::invalid_argument(fmt::format("solver {} does not serve dissipation", task.solver));
  MaximumDissipationOptions options;
  options.slack = problem.slack;
  options.width = problem.width;
  MaximumDissipationWorkspace workspace;
  MaximumDissipationSolution solution;
  answer.solver = kInteriorPoint;
  answer.time =
      timed([&] { solve_maximum_dissipation(problem.contacts, options, workspace, solution); });
  answer.natural_map = std::max({solution.penetration, solution.cone, solution.gap});
  answer.residuals = {{"natural_map", answer.natural_map},
                      {"penetration", solution.penetration},
                      {"cone", solution.cone},
                      {"excess", solution.excess},
                      {"gap", solution.gap},
                      {"energy_change", solution.energy_change}};
  answer.x = solution.r;
  answer.y = solution.u;
  answer.pivots = solution.iterations;
  judge(answer, solution.status, solution.reason, problem.contacts.q);
  compare_recorded(task, kInteriorPoint, answer);
}

void answer_data(const LeastDistanceProblem& problem, const Task& task, Answer& answer) {
  const LeastDistanceSolver& row = choose(least_distance_solvers(), task);
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  answer.solver = row.name;
  const std::vector<int>& given = task.problem.warm_start;
  timed_from(
      task, given, !given.empty(),
      [&](const std::vector<int>& start) { row.solve(problem, {}, start, workspace, solution); },
      [&] { return solution.active; }, answer);
  const bool solved = solution.status == SolveStatus::solved;
  answer.pivots = solution.pivots;
  if (solved) {
    answer.natural_map = natural_map(problem, solution);
    const LeastDistanceResiduals r = measure(problem, solution);
    answer.residuals = {{"natural_map", answer.natural_map},
                        {"infeasibility", r.infeasibility},
                        {"complementarity", r.complementarity},
                        {"stationarity", r.stationarity},
                        {"dual_infeasibility", r.dual_infeasibility}};
    answer.x = solution.y;
    answer.y = joined(problem.E.transpose() * solution.y - problem.e,
                      problem.G.transpose() * solution.y - problem.c);
    answer.more.emplace_back("multipliers", joined(solution.fe, solution.f));
  } else if (solution.status == SolveStatus::no_solution) {
    answer.more.emplace_back("certificate", joined(solution.fe, solution.f));
  }
  judge(answer, solution.status, solution.reason, problem.y0);
  compare_recorded(task, row.name, answer);
  if (answer.repeated && !answer.more.empty())
    answer.repeated = *answer.repeated &&
                      same_bits(task.problem.recorded->multipliers, answer.more.front().second);
}

}  // namespace

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::no_solution:
      return "no-solution";
    case SolveStatus::failed:
      break;
  }
  return "failed";
}

std::vector<SolverName> solvers_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::lcp:
      return names(lcp_solvers());
    case ProblemKind::mlcp:
    case ProblemKind::relay:
      return names(box_solvers());
    case ProblemKind::qp:
      return {{kActiveSet, "dual active set on factors of M (Goldfarb & Idnani 1983)"}};
    case ProblemKind::least_distance:
      return names(least_distance_solvers());
    case ProblemKind::dissipation:
      return {{kInteriorPoint, "Nesterov-Todd method on QP 1 (Drumwright & Shell 2010)"}};
    case ProblemKind::fc2d:
    case ProblemKind::fc3d:
    case ProblemKind::rfc3d:
    case ProblemKind::gfc2d:
    case ProblemKind::gfc3d:
    case ProblemKind::soclcp:
      break;
  }
  return names(friction_solvers());
}

bool choose_model(Problem& problem, bool associated) {
  return std::visit(
      [associated](auto& data) {
        constexpr bool kFriction = requires { data.associated; };
        if constexpr (kFriction) data.associated = associated;
        return kFriction;
      },
      problem.data);
}

Answer answer(const Problem& problem, std::string_view solver, bool warm) {
  Answer result;
  try {
    std::visit(
        [&](const auto& data) {
          answer_data(data, {problem, solver, warm}, result);
        },
        problem.data);
  } catch (const std::exception& error) {
    result.status = SolveStatus::failed;
    result.reason = error.what();
    result.solver = solver;
  }
  return result;
}

}  // namespace pequod::app
