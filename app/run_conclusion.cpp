#include "app/run_conclusion.h"

#include <fmt/format.h>

#include <optional>

#include "app/certify/certify.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/plot/run_data.h"
#include "app/shadow_totals.h"
#include "simulation/record/csv.h"
#include "simulation/viscous_limit.h"

namespace pequod::app {
namespace {

std::string kept_text(const RunReport& report, const RunFolder& folder) {
  const std::string path = folder.path().string();
  if (!report.kept) return fmt::format("no state is kept in {}: --resume would start afresh", path);
  return fmt::format("the state at t = {:g} s is kept in {}", report.checkpoint.state.t, path);
}

// @param certificate  a few lines; empty: there is none
void tell_result(const RunRequest& request, const Scenario& scenario, const RunFolder& folder,
                 const RunReport& report, const std::string& certificate) {
  if (report.status == RunStatus::failed)
    print_error(fmt::format("{}: error: {}\n  {}\n", request.source.scene.string(), report.reason,
                            kept_text(report, folder)));
  if (report.status == RunStatus::interrupted) tell_interrupted(request, report);
  const std::string slow = viscous_warning(scenario, report.checkpoint.statistics.viscous_rate_max);
  if (!slow.empty() && !request.quiet) print_error("warning: " + slow + "\n");
  if (request.json)
    print_out(summary_json(request.source, scenario, report));
  else if (report.status != RunStatus::failed)
    print_out(summary_text(scenario, report) + certificate + "  " + folder.path().string() + "\n");
  if (!request.shadow.empty() && !request.json)
    print_out(shadow_text(shadow_totals(plot::read_shadows(folder.path() / kShadowLog))));
}

void tell_uncertified(const RunRequest& request) {
  print_error(
      fmt::format("interrupted: the run is done, its certificate is not; to make it:\n  {}{}\n",
                  request.command_line, request.resume ? "" : " --resume"));
}

// The certificate of a run that has finished. @return none if that was interrupted
std::optional<std::string> make_certificate(const Scenario& scenario, const RunFolder& folder,
                                            Progress& progress) {
  const std::string log = read_file(folder.path() / "state.csv");
  const auto certificate = certify::certify(scenario, find_closed_form(scenario), log,
                                            [&](double share, const std::string& what) {
                                              if (progress.due())
                                                progress.draw_share(share, "certificate: " + what);
                                              return !interrupted();
                                            });
  progress.clear();
  if (!certificate) return std::nullopt;
  certify::write_certificate(folder.path(), *certificate);
  return certify::certificate_text(*certificate);
}

int exit_code(RunStatus status) {
  if (status == RunStatus::finished) return kDone;
  return status == RunStatus::interrupted ? kInterrupted : kFailed;
}

}  // namespace

void tell_interrupted(const RunRequest& request, const RunReport& report) {
  print_error(fmt::format("interrupted at t = {:g} s; to go on:\n  {}{}\n",
                          report.checkpoint.state.t, request.command_line,
                          request.resume ? "" : " --resume"));
}

int conclude(const RunRequest& request, const Scenario& scenario, const RunFolder& folder,
             const RunReport& report, Progress& progress) {
  const bool certifies = request.certify && report.status == RunStatus::finished;
  const std::optional<std::string> certificate =
      certifies ? make_certificate(scenario, folder, progress) : std::string();
  tell_result(request, scenario, folder, report, certificate.value_or(""));
  if (certificate) return exit_code(report.status);
  tell_uncertified(request);
  return kInterrupted;
}

}  // namespace pequod::app
