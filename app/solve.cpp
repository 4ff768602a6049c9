#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/performance_profile.h"
#include "app/problem_paths.h"
#include "app/progress.h"
#include "app/solve_report.h"
#include "scene/problem_file.h"
#include "simulation/record/csv.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

// The column of file names is as wide as the widest, within reason.
std::size_t column_width(const std::vector<fs::path>& files) {
  std::size_t width = 20;
  for (const fs::path& file : files) width = std::max(width, file.string().size());
  return std::min<std::size_t>(width, 90);
}

// All files by all solvers.
class Batch {
 public:
  Batch(const SolveRequest& request, const std::vector<fs::path>& files)
      : request_(request),
        files_(files),
        width_(column_width(files)),
        progress_(!request.quiet && files.size() > 1) {}

  // @return whether every file could be read
  bool run() {
    if (!request_.json) print_out(solved_head(width_));
    for (std::size_t i = 0; i < files_.size() && !interrupted(); ++i) {
      show_progress(i);
      solve_file(files_[i]);
    }
    progress_.clear();
    return readable_;
  }

  [[nodiscard]] const std::vector<Solved>& results() const { return results_; }

  // Says what was asked for and does not fit some kinds.
  // @return whether all that was asked for fitted some file
  bool tell_passed_over() const {
    const char* option = request_.solvers.size() > 1 ? "--compare" : "--solver";
    bool all = true;
    for (const auto& [kind, solver] : passed_over_) {
      std::string serving;
      for (const SolverName& other : solvers_of(kind))
        serving += (serving.empty() ? "" : ", ") + other.name;
      all = all && serving_.contains(solver);
      print_error(fmt::format("pequod: {}: {} does not serve {}; one of: {}\n", option, solver,
                              name(kind), serving));
    }
    for (const ProblemKind kind : without_model_)
      print_error(fmt::format("pequod: --model: {} has no choice of model\n", name(kind)));
    return all && (without_model_.empty() || has_model_);
  }

 private:
  void show_progress(std::size_t done) {
    const double share = static_cast<double>(done) / static_cast<double>(files_.size());
    progress_.draw_share(share, fmt::format("{}/{}  failed {}  {}", done, files_.size(), failed_,
                                            files_[done].filename().string()));
  }

  void solve_file(const fs::path& file) {
    Diagnostics diagnostics;
    std::optional<Problem> problem = read_problem(file, request_.kind, diagnostics);
    if (!problem) {
      readable_ = false;
      Solved unreadable;
      unreadable.file = file;
      std::string text = diagnostics.text();
      progress_.clear();
      print_error(text);
      while (text.ends_with('\n')) text.pop_back();
      if (request_.json) unreadable.answer.reason = text;  // the table's reader has just read it
      tell(std::move(unreadable));
      return;
    }
    if (!request_.model.empty() && !choose_model(*problem, request_.model == "associated")) {
      without_model_.insert(problem->kind);
      refuse(file, *problem, fmt::format("{} has no choice of model", name(problem->kind)));
      return;
    }
    has_model_ = true;
    solve_by_all(file, *problem);
  }

  // By each of the solvers asked for that serves the problem's kind.
  void solve_by_all(const fs::path& file, const Problem& problem) {
    if (request_.solvers.empty())
      return tell({file, problem.kind, "", answer(problem, "", request_.warm)});
    std::vector<std::string> serving;
    for (const SolverName& solver : solvers_of(problem.kind)) serving.push_back(solver.name);
    bool served = false;
    for (const std::string& solver : request_.solvers) {
      if (std::ranges::find(serving, solver) == serving.end()) {
        passed_over_.emplace(problem.kind, solver);
        continue;
      }
      served = true;
      serving_.insert(solver);
      tell({file, problem.kind, solver, answer(problem, solver, request_.warm)});
    }
    if (!served)
      refuse(file, problem,
             fmt::format("{} does not serve {}; one of: {}", join(request_.solvers),
                         name(problem.kind), join(serving)));
  }

  void refuse(const fs::path& file, const Problem& problem, const std::string& reason) {
    Solved solved{file, problem.kind, request_.solvers.empty() ? "" : request_.solvers.front(), {}};
    if (request_.json) solved.answer.reason = reason;  // once a kind: tell_passed_over
    tell(std::move(solved));
  }

  void tell(Solved solved) {
    progress_.clear();
    print_out(request_.json ? solved_json(solved)
                            : solved_line(solved, width_, files_.size() == 1));
    failed_ += solved.answer.status == SolveStatus::failed;
    // Only what the summary needs is kept.
    solved.answer.x.resize(0);
    solved.answer.y.resize(0);
    solved.answer.more.clear();
    results_.push_back(std::move(solved));
  }

  const SolveRequest& request_;
  const std::vector<fs::path>& files_;
  std::size_t width_;
  Progress progress_;
  std::vector<Solved> results_;
  std::set<std::pair<ProblemKind, std::string>> passed_over_;  // a solver does not serve a kind
  std::set<std::string> serving_;                              // solvers that served some file
  std::set<ProblemKind> without_model_;                        // kinds that have no choice of it
  bool has_model_ = false;                                     // some file does
  int failed_ = 0;
  bool readable_ = true;
};

}  // namespace

int solve(const SolveRequest& request) {
  const ProblemPaths paths = find_problem_files(request.files);
  for (const std::string& problem : paths.problems)
    print_error(fmt::format("pequod: {}\n", problem));
  if (paths.files.empty()) return kBadInput;

  catch_interrupts();
  Batch batch(request, paths.files);
  bool readable = false;
  {
    const Watchdog watchdog([] { print_error("interrupted in the middle of a solve\n"); });
    readable = batch.run();
  }
  if (!request.json && batch.results().size() > 1) print_out("\n" + summary_table(batch.results()));
  if (!request.plot.empty())
    replace_file(request.plot, profile_svg(performance_profiles(batch.results())), false);
  if (interrupted()) return kInterrupted;
  const bool served = batch.tell_passed_over();
  if (!readable || !served || !paths.problems.empty()) return kBadInput;
  const bool failed = std::ranges::any_of(batch.results(), [](const Solved& solved) {
    return solved.answer.status == SolveStatus::failed;
  });
  return failed ? kFailed : kDone;
}

}  // namespace pequod::app
