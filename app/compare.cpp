#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <thread>

#include "app/child_process.h"
#include "app/commands.h"
#include "app/comparison.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "contact/models/contact_model.h"
#include "simulation/loop/step_grid.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

// The runs of a comparison, a few at a time.
class Comparison {
 public:
  /// @param scenario  the scene; its step is changed
  Comparison(const CompareRequest& request, Scenario& scenario)
      : request_(request), given_every_(scenario.record.every) {
    every_ = scenario.record.every = whole_interval(request.steps, given_every_);
    for (const std::string& integrator : request.integrators)
      for (const std::string& model : request.models)
        for (const double step : request.steps) add(scenario, integrator, model, step);
    children_.resize(rows_.size());
  }

  // Until all have ended, or Ctrl-C.
  void run() {
    const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
    std::size_t next = 0, running = 0;
    while ((next < rows_.size() && !interrupted()) || running > 0) {
      for (; running < most && next < rows_.size() && !interrupted(); ++next, ++running)
        start(next);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      for (std::size_t i = 0; i < next; ++i)
        if (children_[i] && finish(i)) --running;
      draw(false);
    }
    draw(true);
    set_orders(rows_, folders_);
  }

  [[nodiscard]] const std::vector<ComparisonRow>& rows() const { return rows_; }
  /// What rows and ticks change, a line each.
  [[nodiscard]] std::string notes() const {
    std::string text;
    if (every_ != given_every_)
      text += fmt::format("note: rows every {:g} s in place of {:g} s, so that steps are whole\n",
                          every_, given_every_);
    for (const std::string& note : notes_) text += "note: " + note + "\n";
    return text;
  }

 private:
  void add(Scenario& scenario, const std::string& integrator, const std::string& model,
           double step) {
    ComparisonRow row;
    scenario.integrator.step = step;
    const StepGrid grid = step_grid(scenario);
    row.effective = grid.mean;
    row.even = grid.even();
    add_note(cut_note(scenario));
    row.integrator = integrator;
    row.model = model;
    row.step = step;
    // The scene's own solver where it serves the model, else the model's default.
    const SolverFamily family = find_contact_model(model)->family;
    row.solver = serves(family, scenario.contact.solver)
                     ? scenario.contact.solver
                     : std::string(solver_names(family).front());
    folders_.push_back(request_.output / fmt::format("{}-{}-{:g}", integrator, model, step));
    rows_.push_back(std::move(row));
  }

  void add_note(const std::string& note) {
    if (!note.empty() && std::find(notes_.begin(), notes_.end(), note) == notes_.end())
      notes_.push_back(note);
  }

  void start(std::size_t i) {
    ComparisonRow& row = rows_[i];
    std::vector<std::string> words = {"run",      request_.source.scene.string(),
                                      "--quiet",  "--overwrite",
                                      "--output", folders_[i].string()};
    for (const auto& folder : request_.source.options.package_paths)
      words.insert(words.end(), {"--package-path", folder.string()});
    for (const auto& [key, value] : request_.source.options.overrides)
      if (key == "duration") words.insert(words.end(), {"--duration", value});
    if (every_ != given_every_)
      words.insert(words.end(), {"--every", fmt::format("{:.17g}", every_)});
    words.insert(words.end(), {"--integrator", row.integrator, "--model", row.model, "--solver",
                               row.solver, "--step", fmt::format("{:.17g}", row.step)});
    row.status = "running";
    children_[i].emplace(words);
  }

  // @return whether the run has ended
  bool finish(std::size_t i) {
    const std::optional<int> code = children_[i]->poll();
    if (!code) return false;
    ComparisonRow& row = rows_[i];
    row.status = *code == kDone          ? "finished"
                 : *code == kBadInput    ? "refused"
                 : *code == kInterrupted ? "interrupted"
                                         : "failed";
    if (*code != kBadInput) read_run(folders_[i], row);
    if (*code != kDone && row.reason.empty()) row.reason = first_line(children_[i]->messages());
    children_[i].reset();
    return true;
  }

  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  // A line a run, drawn over the ones before.
  void draw(bool last) {
    if (request_.quiet || ::isatty(STDERR_FILENO) != 1) return;
    const auto now = std::chrono::steady_clock::now();
    if (!last && now < next_draw_) return;
    next_draw_ = now + std::chrono::milliseconds(200);
    std::string text;
    if (drawn_) text += fmt::format("\x1b[{}A", rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      ComparisonRow& row = rows_[i];
      if (row.status == "running") read_summary(folders_[i], row);
      text += fmt::format("\r\x1b[K{:<17} {:<16} {:>8g}  {}", row.integrator, row.model, row.step,
                          row.status);
      if (!std::isnan(row.simulated)) text += fmt::format("  {:.3g} s", row.simulated);
      text += '\n';
    }
    print_error(text);
    drawn_ = true;
  }

  const CompareRequest& request_;
  double given_every_ = NAN, every_ = NAN;  // s, between rows
  std::vector<std::string> notes_;
  std::vector<ComparisonRow> rows_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::optional<ChildProcess>> children_;
  std::chrono::steady_clock::time_point next_draw_;
  bool drawn_ = false;
};

void write_csv(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw FileError(fmt::format("{}: cannot write", path.string()));
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
  make_folder(request.output);
  catch_interrupts();
  Comparison comparison(request, scenario);
  comparison.run();
  const std::vector<ComparisonRow>& rows = comparison.rows();
  write_csv(request.output / "comparison.csv", comparison_csv(rows));
  print_out(comparison_table(rows) + comparison.notes() +
            (request.output / "comparison.csv").string() + "\n");
  if (interrupted()) return kInterrupted;
  const bool all = std::all_of(rows.begin(), rows.end(),
                               [](const ComparisonRow& row) { return row.status == "finished"; });
  return all ? kDone : kFailed;
}

}  // namespace pequod::app
