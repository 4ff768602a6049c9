#include "app/problem_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "app/answer.h"
#include "contact/solvers/registry/friction_solvers.h"
#include "scene/problem_writer.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

// The number in the name of a problem's file; 0 if it is none.
long number_of(const fs::path& path) {
  const std::string name = path.filename().string(), prefix = "problem-";
  if (!name.starts_with(prefix) || path.extension() != ".yaml") return 0;
  long number = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  return number;
}

long last_number(const fs::path& folder) {
  std::error_code code;
  make_folder(folder);
  fs::directory_iterator entry(folder, code);
  long last = 0;
  for (; !code && entry != fs::directory_iterator(); entry.increment(code))
    last = std::max(last, number_of(entry->path()));
  if (code) throw FileError(fmt::format("{}: {}", folder.string(), code.message()));
  return last;
}

std::string status_word(SolveStatus status) {
  if (status == SolveStatus::solved) return "solved";
  return status == SolveStatus::no_solution ? "no-solution" : "failed";
}

Eigen::VectorXd vector_of(std::span<const double> numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(),
                                           static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace

ProblemRecorder::ProblemRecorder(const fs::path& folder, std::string solver, bool go_on,
                                 std::string cones)
    : folder_(folder),
      solver_(std::move(solver)),
      cones_(std::move(cones)),
      last_(last_number(folder)) {
  if (last_ > 0 && !go_on)
    throw RunFolderRefused(fmt::format(
        "{}: holds problems of another run; empty it, or name another folder", folder.string()));
}

void ProblemRecorder::write(const LeastDistanceProblem& problem, std::span<const int> warm_start,
                            const LeastDistanceSolution& solution) {
  const Eigen::Index k = problem.equalities(), n = problem.inequalities();
  Problem out;
  out.kind = ProblemKind::least_distance;
  out.data = problem;
  out.warm_start.assign(warm_start.begin(), warm_start.end());
  RecordedAnswer& recorded = out.recorded.emplace();
  recorded.solver = solver_;
  recorded.status = status_word(solution.status);
  recorded.pivots = solution.pivots;
  if (solution.status == SolveStatus::solved) recorded.x = solution.y;
  if (solution.status != SolveStatus::failed) {
    recorded.multipliers.resize(k + n);
    recorded.multipliers << solution.fe.head(k), solution.f.head(n);
  }
  write(out);
}

template <typename Friction>
void ProblemRecorder::write_friction(const Friction& problem, std::string_view solver,
                                     std::span<const double> warm_start,
                                     const FrictionSolution& solution) {
  Problem out;
  out.kind = ProblemKind::fc3d;
  out.data = problem;
  out.start = vector_of(warm_start);
  out.recorded = RecordedAnswer{
      std::string(solver), status_word(solution.status), solution.r, {}, solution.iterations};
  write(out);
}

void ProblemRecorder::write(const FrictionProblem& problem, std::span<const double> warm_start,
                            const FrictionSolution& solution) {
  write_friction(problem, cones_, warm_start, solution);
}

void ProblemRecorder::write(const SparseFrictionProblem& problem,
                            std::span<const double> warm_start, const FrictionSolution& solution) {
  write_friction(problem, sparse_friction_solvers().front().name, warm_start, solution);
}

void ProblemRecorder::write(const FrictionProblem& problem,
                            const MaximumDissipationOptions& options,
                            const MaximumDissipationSolution& solution) {
  Problem out;
  out.kind = ProblemKind::dissipation;
  out.data = DissipationProblem{problem, options.slack, options.width};
  out.recorded = RecordedAnswer{solvers_of(out.kind).front().name,
                                status_word(solution.status),
                                solution.r,
                                {},
                                solution.iterations};
  write(out);
}

void ProblemRecorder::write(const LcpProblem& problem, const LcpSolution& solution) {
  Problem out;
  out.kind = ProblemKind::lcp;
  out.data = problem;
  out.recorded =
      RecordedAnswer{cones_, status_word(solution.status), solution.z, {}, solution.pivots};
  write(out);
}

void ProblemRecorder::write(const FrictionProblem& problem, const FrictionSolution& solution) {
  write_friction(problem, friction_solvers().front().name, {}, solution);
}

void ProblemRecorder::write(const BaraffProblem& problem, const LcpSolution& solution) {
  Problem out;
  out.kind = ProblemKind::lcp;
  out.data = baraff_lcp(problem);
  out.recorded = RecordedAnswer{"baraff", status_word(solution.status), {}, {}, solution.pivots};
  if (solution.status == SolveStatus::solved)
    out.recorded->x = baraff_lcp_answer(problem, solution);
  write(out);
}

void ProblemRecorder::write(const Problem& problem) {
  replace_file(folder_ / fmt::format("problem-{:08}.yaml", ++last_), write_problem(problem), false);
}

}  // namespace pequod::app
