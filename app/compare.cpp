#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "app/commands.h"
#include "app/comparison.h"
#include "app/comparison_errors.h"
#include "app/comparison_run.h"
#include "app/comparison_shadow.h"
#include "app/comparison_text.h"
#include "app/exit_code.h"
#include "app/experiments/closed_form.h"
#include "app/interrupt.h"
#include "app/jobs.h"
#include "app/output.h"
#include "app/plot/comparison_page.h"
#include "app/progress.h"
#include "app/wall_clock.h"
#include "contact/models/contact_model.h"
#include "integrators/integrator.h"
#include "simulation/loop/step_grid.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

int order_of_pair(const Scenario& scenario) {
  const ContactModel& model = *find_contact_model(scenario.contact.model);
  if (contact_level(model, scenario.contact, scenario.integrator) == ContactLevel::velocity)
    return 1;
  for (const IntegratorInfo& info : integrators())
    if (info.name == scenario.integrator.method) return info.order;
  return 1;
}

// At the times of the run's rows.
ClosedLog closed_log(const ClosedForm& form, const StateLog& run) {
  ClosedLog closed{"the closed form, " + form.what, {form.names, {}}};
  for (const std::vector<double>& row : run.rows) closed.log.rows.push_back(form.row(row[0]));
  return closed;
}

// Times at which runs are compared: of fewer, the worst says nothing about what is between.
constexpr double kFewestRows = 8.0;

// The runs of a comparison, a few at a time.
class SideBySide {
 public:
  /// @param scenario  the scene; its settings are changed
  SideBySide(const CompareRequest& request, Scenario& scenario)
      : request_(request), given_every_(scenario.record.every), scenario_(scenario) {
    comparison_.scene = std::filesystem::absolute(request.source.scene).lexically_normal().string();
    comparison_.wanted = request.error;
    every_ = scenario.record.every = whole_interval(request.steps, given_every_);
    if (every_ != given_every_) {
      add_note(fmt::format("rows every {:g} s in place of {:g} s, so that steps are whole", every_,
                           given_every_));
      if (scenario.duration / every_ < kFewestRows)
        add_note(
            fmt::format("errors are told from {:.0f} such rows: what is between them is not "
                        "seen; take steps that divide each other, or a longer --duration",
                        scenario.duration / every_));
    }
    for (const std::string& integrator : request.integrators)
      for (const std::string& model : request.models)
        for (const double step : request.steps) add(integrator, model, step);
  }

  /// Until all have ended, or Ctrl-C.
  const Comparison& run() {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t at_once = request_.jobs > 0
                                    ? static_cast<std::size_t>(request_.jobs)
                                    : std::max(1U, std::thread::hardware_concurrency());
    std::vector<Job> jobs;
    if (request_.shadow) jobs.push_back(shadow_job());
    for (std::size_t i = 0; i < rows().size(); ++i)
      if (!request_.resume || !done_before(runs_[i], rows()[i])) jobs.push_back(job_of(i));
    run_jobs(jobs, at_once, [this] { draw(); });
    comparison_.wall_time = seconds_since(start);
    judge();
    return comparison_;
  }

 private:
  std::vector<ComparisonRow>& rows() { return comparison_.rows; }

  void add(const std::string& integrator, const std::string& model, double step) {
    const std::filesystem::path folder =
        request_.output / fmt::format("{}-{}-{:g}", integrator, model, step);
    for (const ComparisonRun& other : runs_)
      if (other.folder == folder) return;  // named twice
    scenario_.integrator.method = integrator;
    scenario_.integrator.step = step;
    scenario_.contact.model = model;
    rows().push_back(row_of_scenario());
    runs_.push_back({request_.source, folder});
    closed_.push_back(find_closed_form(scenario_));
    add_note(cut_note(scenario_));
    auto& overrides = runs_.back().source.options.overrides;
    if (every_ != given_every_)
      overrides.emplace_back("record.every", fmt::format("{:.17g}", every_));
    overrides.insert(overrides.end(), {{"integrator.method", integrator},
                                       {"contact.model", model},
                                       {"contact.solver", rows().back().solver},
                                       {"integrator.step", fmt::format("{:.17g}", step)}});
  }

  [[nodiscard]] ComparisonRow row_of_scenario() const {
    const IntegratorOptions& integrator = scenario_.integrator;
    const StepGrid grid = step_grid(scenario_);
    ComparisonRow row;
    row.integrator = integrator.method;
    row.model = scenario_.contact.model;
    row.step = integrator.step;
    row.effective = grid.mean;
    // With a tolerance the step is a bound, and the error does not follow it.
    row.even = grid.even() && !(integrator.method == "dopri5" && integrator.tolerance > 0.0);
    row.formal_order = order_of_pair(scenario_);
    // The scene's own solver where it serves the model, else the model's default.
    const SolverFamily family = find_contact_model(row.model)->family;
    row.solver = serves(family, scenario_.contact.solver)
                     ? scenario_.contact.solver
                     : std::string(solver_names(family).front());
    return row;
  }

  void add_note(const std::string& note) {
    std::vector<std::string>& notes = comparison_.notes;
    if (!note.empty() && std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
  }

  [[nodiscard]] Job job_of(std::size_t i) {
    return {[this, i] { return expected_cost(rows(), i); },
            [this, i] {
              rows()[i].status = "running";
              return start_run(runs_[i], request_.resume);
            },
            [this, i](const Program& program) { end(i, program); }};
  }

  [[nodiscard]] Job shadow_job() {
    // About as much again for each model that solves the same problems.
    const auto models = static_cast<double>(shadow_models().size());
    return {[this, models] { return models * expected_cost(rows(), 0); },
            [this] {
              comparison_.shadows = shadows_of(runs_.front(), rows().front());
              return start_shadows(runs_.front(), comparison_.shadows, shadow_models());
            },
            [this](const Program& program) { finish_shadows(program, comparison_.shadows); }};
  }

  void end(std::size_t i, const Program& program) {
    ComparisonRow& row = rows()[i];
    finish_run(runs_[i], program, request_.resume, row);
    if (!shown()) return;
    clear();
    print_error(fmt::format("{:<17} {:<16} {:>8g} s  {}{}{}, {:.2g} s of processor time\n",
                            row.integrator, row.model, row.step, row.status,
                            row.reason.empty() ? "" : ": ", row.reason, row.processor_time));
  }

  void judge() {
    std::vector<StateLog> logs(rows().size());
    std::vector<std::optional<ClosedLog>> closed(rows().size());
    for (std::size_t i = 0; i < rows().size(); ++i) {
      if (rows()[i].status == "waiting" || rows()[i].status == "refused") continue;
      logs[i] = read_state_log(runs_[i].folder / "state.csv");
      rows()[i].drift = sideways_drift(logs[i]);
      if (closed_[i]) closed[i] = closed_log(*closed_[i], logs[i]);
    }
    judge_errors(comparison_, logs, closed);
    sort_by_error(comparison_);
  }

  // Those that are compared, or all there are.
  [[nodiscard]] std::vector<std::string> shadow_models() const {
    if (request_.models.size() > 1) return request_.models;
    std::vector<std::string> all;
    for (const ContactModel& model : contact_models()) all.emplace_back(model.name);
    return all;
  }

  [[nodiscard]] bool shown() const { return !request_.quiet && ::isatty(STDERR_FILENO) == 1; }

  void clear() {
    if (drawn_ > 0) print_error(fmt::format("\x1b[{}A\r\x1b[J", drawn_));
    drawn_ = 0;
  }

  // A line for each that runs, below those of the ones that have ended.
  void draw() {
    if (!shown()) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_draw_) return;
    next_draw_ = now + std::chrono::milliseconds(200);
    clear();
    std::string text;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (rows()[i].status != "running") continue;
      ComparisonRow now_there;  // as far as its last checkpoint
      read_summary(runs_[i].folder, now_there);
      const double t = std::isnan(now_there.simulated) ? 0.0 : now_there.simulated;
      const ComparisonRow& row = rows()[i];
      text += format_share(std::clamp(t / scenario_.duration, 0.0, 1.0),
                           fmt::format("{} x {}, {:g} s: {:.3g} / {:g} s", row.integrator,
                                       row.model, row.step, t, scenario_.duration),
                           terminal_width()) +
              "\n";
      ++drawn_;
    }
    print_error(text);
  }

  const CompareRequest& request_;
  double given_every_ = NAN, every_ = NAN;  // s, between rows
  Scenario& scenario_;
  Comparison comparison_;
  std::vector<ComparisonRun> runs_;  // one a row, as closed_
  std::vector<std::optional<ClosedForm>> closed_;
  std::chrono::steady_clock::time_point next_draw_;
  int drawn_ = 0;  // lines
};

std::string notes_text(const Comparison& comparison) {
  std::string text;
  for (const std::string& note : comparison.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace

int compare(const CompareRequest& given) {
  CompareRequest request = given;
  Diagnostics diagnostics;
  Scenario scenario = load_scene(request.source.scene, request.source.options, diagnostics);
  if (!diagnostics.ok() || !request.quiet) print_error(diagnostics.text(Severity::warning));
  if (!diagnostics.ok()) return kBadInput;
  if (request.integrators.empty()) request.integrators = {scenario.integrator.method};
  if (request.models.empty()) request.models = {scenario.contact.model};
  if (request.steps.empty()) request.steps = {scenario.integrator.step};
  if (request.output.empty())
    request.output =
        std::filesystem::path("runs") / (request.source.scene.stem().string() + "-compare");
  const FolderLock lock(request.output, "comparison");
  catch_interrupts();
  SideBySide side_by_side(request, scenario);
  const Comparison& comparison = side_by_side.run();
  std::string files;
  for (const auto& [name, text] : {std::pair{"comparison.csv", comparison_csv(comparison)},
                                   std::pair{"comparison.json", comparison_json(comparison)},
                                   std::pair{"report.html", plot::comparison_page(comparison)}}) {
    replace_file(request.output / name, text, false);
    files += (request.output / name).string() + "\n";
  }
  print_out(comparison_table(comparison) + notes_text(comparison) +
            shadow_text(comparison.shadows.totals) + files + comparison_advice(comparison) + "\n");
  if (interrupted()) return kInterrupted;
  if (!comparison.shadows.failure.empty()) {
    print_error(
        fmt::format("{}: {}\n", comparison.shadows.folder.string(), comparison.shadows.failure));
    return kFailed;
  }
  const bool all = std::ranges::all_of(
      comparison.rows, [](const ComparisonRow& row) { return row.status == "finished"; });
  return all ? kDone : kFailed;
}

}  // namespace pequod::app
