#include "app/certify/certify.h"

#include <fmt/format.h>

#include <array>
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

}  // namespace

std::optional<Certificate> certify(const Scenario& scenario, const std::optional<ClosedForm>& form,
                                   const std::string& log, const Telling& tell) {
  Certificate certificate;
  const Scenario finer = halved(scenario);
  const std::optional<Scenario> tighter = tightened(scenario);
  // Work goes with the number of steps.
  const double total = tighter ? 4.0 : 3.0;
  const Track run = replay(scenario, {0.0, 1.0 / total}, tell, certificate);
  if (run.stopped) return std::nullopt;
  const Track half = run_part(finer, {}, {1.0 / total, 2.0 / total}, "at half the step", tell);
  if (half.stopped) return std::nullopt;
  Track tight;
  if (tighter)
    tight = run_part(*tighter, {}, {3.0 / total, 1.0 / total}, "at a tighter tolerance", tell);
  if (tight.stopped) return std::nullopt;
  certificate.step = step_grid(scenario).longest;
  certificate.half_step = finer.integrator.step;
  certificate.ratio = step_ratio(scenario, finer);
  if (tighter) certificate.tolerance = tighter->contact.tolerance;
  certificate.repeated = log.empty() || log == run.state_text;
  certificate.failure = run.failure;
  if (form) certificate.closed_form = form->what;
  certificate.outputs =
      estimate_outputs({&run, &half, tighter ? &tight : nullptr, certificate.ratio}, form);
  for (const std::vector<double>& row : run.state.rows) certificate.times.push_back(row[0]);
  note_ends("itself", run, certificate.notes);
  note_ends("at half the step", half, certificate.notes);
  if (tighter) note_ends("at a tighter tolerance", tight, certificate.notes);
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
