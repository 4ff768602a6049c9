#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "app/certify/certify.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/model_json.h"
#include "app/output.h"
#include "app/problem_recorder.h"
#include "app/progress.h"
#include "app/resume.h"
#include "app/run_conclusion.h"
#include "app/run_profile.h"
#include "app/shadow_log.h"
#include "app/view/live_view.h"
#include "app/wall_clock.h"
#include "contact/models/contact_model.h"
#include "contact/models/contact_solver.h"
#include "simulation/loop/instant.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

using Clock = std::chrono::steady_clock;

// Who else is told what a run does; nullptr: nobody.
struct Listeners {
  ProblemRecorder* problems = nullptr;
  RunProfile* profile = nullptr;
};

// One run from its first state or a checkpoint to its end, into an open folder.
class Session {
 public:
  Session(const RunRequest& request, const Scenario& scenario, RunFolder& folder,
          const Listeners& listeners, Progress& progress)
      : request_(request),
        scenario_(scenario),
        folder_(folder),
        listeners_(listeners),
        progress_(progress) {
    report_.walkers = find_walkers(scenario);
  }

  RunReport start(const std::vector<InputPart>& inputs) {
    report_.inputs = inputs;
    report_.checkpoint.version = version();
    report_.checkpoint.scene_hash = hash_of(inputs);
    report_.checkpoint.state = scenario_.initial;
    t_before_ = scenario_.initial.t;
    folder_.start(scenario_);
    if (!request_.shadow.empty()) shadow_.emplace(scenario_, request_.shadow, folder_.path());
    return guard([&] {
      folder_.write_model(model_json(scenario_));
      Simulation simulation(scenario_, observer());
      advance(simulation);
    });
  }

  RunReport resume(const std::vector<InputPart>& inputs, const Checkpoint& checkpoint) {
    report_.inputs = inputs;
    report_.checkpoint = checkpoint;
    recall_falls(folder_.path(), checkpoint.state.t, report_.walkers);
    wall_before_ = checkpoint.wall_time;
    t_before_ = checkpoint.state.t;
    folder_.resume(scenario_, checkpoint);
    return guard([&] {
      folder_.write_model(model_json(scenario_));
      Simulation simulation(scenario_, checkpoint.state, checkpoint.statistics, observer());
      advance(simulation);
    });
  }

 private:
  // Whatever ends the run early, its last good state is kept and the reason said.
  template <typename Function>
  RunReport guard(const Function& function) {
    try {
      try {
        function();
      } catch (const FileError&) {
        throw;
      } catch (const std::exception& error) {
        fail(error);
      }
      progress_.clear();
      if (saved_) {
        save();
      } else {
        take_kept();
        write_summary();
      }
      folder_.close();
      if (shadow_) shadow_->close();
    } catch (const FileError& error) {
      // The checkpoint on disk still fits the logs; the summary is worth a try.
      progress_.clear();
      fail(error);
      take_kept();
      try {
        write_summary();
      } catch (const FileError&) {
      }
    }
    return report_;
  }

  // What came after the checkpoint on disk is lost: the report is of what a resume would find.
  void take_kept() {
    std::optional<Checkpoint> kept;
    try {
      kept = folder_.checkpoint();
    } catch (const std::runtime_error&) {  // it cannot be read, or not be understood
    }
    report_.kept = kept.has_value();
    if (kept) report_.checkpoint = *kept;
  }

  void fail(const std::exception& error) {
    report_.status = RunStatus::failed;
    report_.reason = error.what();
    report_.checkpoint.finished = false;
  }

  Observer observer() {
    Observer observer = folder_.observer();
    observer.record = [this, log = observer.record](const State& state, const Kinematics& kin,
                                                    const EnergyReport& energy) {
      residual_ = energy.residual;
      log(state, kin, energy);
    };
    if (shadow_) shadow_->watch(observer);
    if (listeners_.profile != nullptr) listeners_.profile->watch(observer);
    if (listeners_.problems == nullptr) return observer;
    const auto write = [this](const auto&... what) { listeners_.problems->write(what...); };
    observer.problem = {write, write, write, write, write, write, write, nullptr};
    return observer;
  }

  void advance(Simulation& simulation) {
    remember(simulation);
    save();
    Watchdog watchdog([this] { give_up(); });
    while (!interrupted()) {
      const bool more = simulation.step();
      // An attempt that came to nothing is made anew after a resume.
      const bool accepted = simulation.statistics().steps > report_.checkpoint.statistics.steps;
      if (accepted || !more) remember(simulation);
      if (!more) {
        report_.status = RunStatus::finished;
        report_.checkpoint.finished = true;
        return;
      }
      if (progress_.due()) draw();
      if (seconds_since(saved_at_) >= request_.checkpoint_every) save();
    }
    report_.status = RunStatus::interrupted;
    report_.reason = "signal";
  }

  void remember(const Simulation& simulation) {
    report_.checkpoint.state = simulation.state();
    report_.checkpoint.statistics = simulation.statistics();
    report_.checkpoint.offsets = folder_.offsets();
    watch_falls(scenario_.model, report_.checkpoint.state, report_.walkers);
  }

  // The summary goes first: what it tells beyond the checkpoint is told again after a resume.
  void save() {
    const std::lock_guard lock(saving_);
    report_.checkpoint.wall_time = wall_before_ + seconds_since(started_);
    write_summary();
    folder_.save(report_.checkpoint);
    last_saved_ = report_;
    saved_at_ = Clock::now();
    saved_ = true;
  }

  // In the middle of a step that takes too long to be waited for: the checkpoint is on disk.
  void give_up() {
    const std::lock_guard lock(saving_);
    last_saved_.status = RunStatus::interrupted;
    last_saved_.reason = "signal";
    folder_.write_summary(summary_json(request_.source, scenario_, last_saved_));
    tell_interrupted(request_, last_saved_);
  }

  void write_summary() const {
    folder_.write_summary(summary_json(request_.source, scenario_, report_));
  }

  void draw() {
    const State& state = report_.checkpoint.state;
    ProgressLine line;
    line.t = state.t - scenario_.initial.t;
    line.duration = scenario_.duration;
    line.speed = (state.t - t_before_) / seconds_since(started_);
    line.contacts = static_cast<int>(std::ranges::count_if(state.mode, [](const ContactMode& mode) {
      return mode.closed && !is_joint_limit(mode.key);
    }));
    line.energy_residual = residual_;
    line.suspect = state.ledger.suspect;
    progress_.draw(line);
  }

  const RunRequest& request_;
  const Scenario& scenario_;
  RunFolder& folder_;
  Listeners listeners_;
  Progress& progress_;
  RunReport report_;
  std::mutex saving_;
  RunReport last_saved_;  // as on disk
  Clock::time_point started_ = Clock::now(), saved_at_ = started_;
  double wall_before_ = 0.0, t_before_ = 0.0;  // s, of an earlier session
  double residual_ = 0.0;                      // J, at the last record
  bool saved_ = false;
  std::optional<ShadowLog> shadow_;
};

std::filesystem::path output_folder(const RunRequest& request) {
  if (!request.output.empty()) return request.output;
  return std::filesystem::path("runs") / request.source.scene.stem();
}

ProblemRecorder make_recorder(const RunRequest& request, const Scenario& scenario, bool go_on) {
  const ContactModel& model = *find_contact_model(scenario.contact.model);
  const ContactSolver solver = make_contact_solver(model.family, scenario.contact.solver);
  // Of most dissipation, what it does not solve goes to the default solver of cones.
  const bool last_resort = model.family == SolverFamily::dissipation;
  return {request.record_problems, std::string(solver.least_distance.name), go_on,
          std::string(last_resort ? friction_solvers().front().name : solver.name)};
}

// The page stays, for whoever looks at it.
void linger(const LiveView& view) {
  if (interrupted()) return;
  print_error(fmt::format("view: {} stays until Ctrl-C\n", view.address()));
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace

int run(const RunRequest& request) {
  Progress progress(!request.quiet);
  progress.tell("loading " + request.source.scene.string());
  Diagnostics diagnostics;
  Scenario scenario = load_scene(request.source.scene, request.source.options, diagnostics);
  scenario.threads = request.threads;
  progress.clear();
  if (!diagnostics.ok() || !request.quiet) print_error(diagnostics.text(Severity::warning));
  if (!diagnostics.ok()) return kBadInput;

  const std::vector<InputPart> inputs =
      input_parts(request.source.scene, request.source.options, scenario);
  RunFolder folder(output_folder(request));
  std::optional<Checkpoint> checkpoint;
  if (request.resume)
    checkpoint = find_checkpoint(folder, inputs, scenario);
  else if (!request.overwrite)
    keep_interrupted_run(folder, request.source, inputs);
  if (checkpoint && checkpoint->finished) {
    if (checkpoint->state.t >= end_time(scenario) - instant(scenario, checkpoint->state.t)) {
      RunReport report{RunStatus::finished, "", *checkpoint, inputs, find_walkers(scenario)};
      recall_falls(folder.path(), checkpoint->state.t, report.walkers);
      catch_interrupts();
      return conclude(request, scenario, folder, report, progress);
    }
    reopen(folder.path(), *checkpoint);
    folder.save(*checkpoint);  // before the logs are cut, which it must fit
  }
  std::optional<ProblemRecorder> recorder;
  if (!request.record_problems.empty())
    recorder.emplace(make_recorder(request, scenario, checkpoint.has_value()));
  catch_interrupts();
  std::optional<LiveView> view;
  if (request.view) {
    view.emplace(scenario.name, folder.path());
    print_error(fmt::format("view: {}\n", view->address()));
  }
  RunProfile profile;
  Session session(request, scenario, folder,
                  {recorder ? &*recorder : nullptr, request.profile ? &profile : nullptr},
                  progress);
  certify::remove_certificate(folder.path());
  const RunReport report = checkpoint ? session.resume(inputs, *checkpoint) : session.start(inputs);
  const std::string times = request.profile && !request.json ? profile.text() : "";
  const int code = conclude(request, scenario, folder, report, progress);
  print_out(times);
  if (view) linger(*view);
  return code;
}

}  // namespace pequod::app
