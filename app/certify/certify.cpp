#include "app/certify/certify.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <system_error>

#include "simulation/loop/step_grid.h"
#include "simulation/record/csv.h"

namespace pequod::app::certify {
namespace {

constexpr std::array kFiles{"certificate.json", "certificate.csv", "certificate_steps.csv"};

// How much of all work a run of this step is done before and by it.
struct Part {
  double before = 0.0, share = 1.0;
};

Track run_part(const Scenario& scenario, Observer observer, const Part& part, const char* what,
               const Telling& tell) {
  return run_track(scenario, std::move(observer),
                   [&](double share) { return tell(part.before + part.share * share, what); });
}

void note_ends(const char* what, const Track& track, std::vector<std::string>& notes) {
  if (!track.failure.empty()) notes.push_back(fmt::format("the run {}: {}", what, track.failure));
}

void note_limits(const Scenario& scenario, const Certificate& certificate,
                 std::vector<std::string>& notes) {
  if (!certificate.repeated)
    notes.emplace_back("the replay is not the run in the folder, byte for byte");
  if (certificate.ratio < 2.0 * (1.0 - 1e-6))
    notes.push_back(
        fmt::format("rows and ticks cut steps, so that half the step has 1/{:.3g} of the mean",
                    certificate.ratio));
  if (!scenario.model.loops.empty())
    notes.emplace_back("Newton's law is not judged: what loops take is not known");
}

// The replay, every step of it checked.
Track replay(const Scenario& scenario, const Part& part, const Telling& tell,
             Certificate& certificate) {
  Observer observer;
  observer.problem = watch_solves(certificate.solves);
  observer.accepted = [&](const Stepper& stepper) {
    certificate.steps.push_back(check_step(scenario, stepper));
  };
  return run_part(scenario, observer, part, "every step of it checked", tell);
}

struct RunsBeside {
  Track run, half, tight, other;  // the last two may be none
};

// Sets what tells of the runs and what the replay finds. @return  none if it was stopped
std::optional<RunsBeside> run_beside(const Scenario& scenario, const Telling& tell,
                                     Certificate& certificate) {
  RunsBeside runs;
  const Scenario finer = halved(scenario);
  const std::optional<Scenario> tighter = tightened(scenario),
                                otherwise = with_other_friction(scenario);
  certificate.step = step_grid(scenario).longest;
  certificate.half_step = finer.integrator.step;
  certificate.ratio = step_ratio(scenario, finer);
  // Work goes with the number of steps.
  const double share = 1.0 / (3.0 + (tighter ? 1.0 : 0.0) + (otherwise ? 1.0 : 0.0));
  runs.run = replay(scenario, {0.0, share}, tell, certificate);
  if (runs.run.stopped) return std::nullopt;
  runs.half = run_part(finer, {}, {share, 2.0 * share}, "at half the step", tell);
  if (runs.half.stopped) return std::nullopt;
  if (tighter) {
    certificate.tolerance = tighter->contact.tolerance;
    runs.tight = run_part(*tighter, {}, {3.0 * share, share}, "at a tighter tolerance", tell);
  }
  if (runs.tight.stopped) return std::nullopt;
  certificate.other_friction = otherwise && count_all(certificate.solves).several > 0;
  if (certificate.other_friction)
    runs.other =
        run_part(*otherwise, {}, {1.0 - share, share}, "with another choice of friction", tell);
  if (runs.other.stopped) return std::nullopt;
  return runs;
}

}  // namespace

std::optional<Certificate> certify(const Scenario& scenario, const std::optional<ClosedForm>& form,
                                   const std::string& log, const Telling& tell) {
  Certificate certificate;
  const std::optional<RunsBeside> runs = run_beside(scenario, tell, certificate);
  if (!runs) return std::nullopt;
  certificate.repeated = log.empty() || log == runs->run.state_text;
  certificate.failure = runs->run.failure;
  if (form) certificate.closed_form = form->what;
  certificate.outputs = estimate_outputs(
      {&runs->run, &runs->half, std::isnan(certificate.tolerance) ? nullptr : &runs->tight,
       certificate.other_friction ? &runs->other : nullptr, certificate.ratio},
      form);
  for (const std::vector<double>& row : runs->run.state.rows) certificate.times.push_back(row[0]);
  note_ends("itself", runs->run, certificate.notes);
  note_ends("at half the step", runs->half, certificate.notes);
  note_ends("at a tighter tolerance", runs->tight, certificate.notes);
  note_ends("with another choice of friction", runs->other, certificate.notes);
  note_limits(scenario, certificate, certificate.notes);
  return certificate;
}

void write_certificate(const std::filesystem::path& folder, const Certificate& certificate) {
  replace_file(folder / kFiles[0], certificate_json(certificate), false);
  replace_file(folder / kFiles[1], bars_csv(certificate), false);
  replace_file(folder / kFiles[2], steps_csv(certificate), false);
}

void remove_certificate(const std::filesystem::path& folder) {
  for (const char* file : kFiles) {
    std::error_code code;
    std::filesystem::remove(folder / file, code);
  }
}

}  // namespace pequod::app::certify
