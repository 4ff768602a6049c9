// Error estimates of `pequod run --certify` beside true errors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/certify/certify.h"
#include "app/experiments/certificate_scenes.h"

namespace pequod::app {
namespace {

constexpr double kToldError = 1e-12;  // smaller true errors are rounding
constexpr const char* kIntegrators[] = {"symplectic-euler", "rk4", "dopri5"};

// Outputs whose true error is known and above rounding: at the end, and at all rows.
struct Tally {
  long outputs = 0, held = 0, fair = 0;
  certify::Containment rows;
  long steps = 0, failed = 0, unfinished = 0;
};

void add_output(const certify::OutputEstimate& output, Tally& tally) {
  const certify::Containment rows = certify::count_contained(output, kToldError);
  tally.rows.rows += rows.rows;
  tally.rows.held += rows.held;
  tally.rows.fair += rows.fair;
  if (!(output.error > kToldError)) return;
  ++tally.outputs;
  tally.held += output.estimate >= output.error ? 1 : 0;
  tally.fair += output.effectivity() >= 1.0 && output.effectivity() <= 10.0 ? 1 : 0;
}

// The smallest and largest effectivity of a certificate, and what they are of.
std::vector<Cell> effectivity_row(const KnownScene& known, const std::string& integrator,
                                  const certify::Certificate& certificate) {
  double outputs = 0.0, low = kInfinity, high = 0.0, worst = 0.0;
  std::string lowest;
  for (const certify::OutputEstimate& output : certificate.outputs) {
    if (!(output.error > kToldError)) continue;
    ++outputs;
    worst = std::max(worst, output.error);
    if (output.effectivity() < low) lowest = output.name;
    low = std::min(low, output.effectivity());
    high = std::max(high, output.effectivity());
  }
  const certify::StepSummary steps = certify::sum_up(certificate.steps);
  return {known.name,
          integrator,
          outputs,
          outputs > 0.0 ? low : kNaN,
          lowest,
          outputs > 0.0 ? high : kNaN,
          worst,
          static_cast<double>(steps.failed),
          steps.first_failed};
}

void certify_one(const KnownScene& known, const std::string& integrator, Table& table,
                 Tally& tally) {
  const auto certificate = certify::certify(known.scenario, known.form, "",
                                            [](double, const std::string&) { return true; });
  for (const certify::OutputEstimate& output : certificate->outputs) add_output(output, tally);
  const certify::StepSummary steps = certify::sum_up(certificate->steps);
  tally.steps += steps.steps;
  tally.failed += steps.failed;
  tally.unfinished += certificate->failure.empty() ? 0 : 1;
  table.rows.push_back(effectivity_row(known, integrator, *certificate));
}

double share_of_all(long part, long all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 1.0;
}

void add_tally(const Tally& part, Tally& sum) {
  sum.outputs += part.outputs;
  sum.held += part.held;
  sum.fair += part.fair;
  sum.rows.rows += part.rows.rows;
  sum.rows.held += part.rows.held;
  sum.rows.fair += part.rows.fair;
  sum.steps += part.steps;
  sum.failed += part.failed;
  sum.unfinished += part.unfinished;
}

// Each scene with each integrator.
Tally certify_all(const Stage& stage, const std::string& title,
                  const std::vector<KnownScene>& scenes) {
  Table table{title,
              {"scene", "integrator", "outputs", "least estimate / error", "of", "largest",
               "largest error", "steps that fail", "the first in"},
              {}};
  Tally tally;
  for (KnownScene known : scenes)
    for (const char* integrator : kIntegrators) {
      known.scenario.integrator.method = integrator;
      certify_one(known, integrator, table, tally);
    }
  stage.show(table);
  return tally;
}

std::vector<Cell> share_row(const std::string& name, const Tally& tally) {
  return {name, static_cast<double>(tally.outputs), share_of_all(tally.held, tally.outputs),
          share_of_all(tally.fair, tally.outputs), share_of_all(tally.rows.held, tally.rows.rows)};
}

void report_tally(const Stage& stage, const Tally& tally) {
  const std::string all = "all scenes";
  stage.at_least(all, fmt::format("share of {} outputs whose bar holds the error", tally.outputs),
                 share_of_all(tally.held, tally.outputs), 0.95);
  stage.at_least(all, "share of these whose bar is 1 to 10 times the error",
                 share_of_all(tally.fair, tally.outputs), 0.9);
  stage.at_least(all, fmt::format("share of {} rows whose bar holds it", tally.rows.rows),
                 share_of_all(tally.rows.held, tally.rows.rows), 0.95);
  stage.at_most(all, fmt::format("steps that do not pass, of {}", tally.steps),
                static_cast<double>(tally.failed), 0.0);
  stage.at_most(all, "runs that fail", static_cast<double>(tally.unfinished), 0.0);
}

// The scenes of `analytic`, without those that take long if that is to be quick.
std::vector<KnownScene> scenes_of_analytic(const Stage& stage) {
  std::vector<KnownScene> scenes = analytic_scenes(stage, stage.quick ? 0.1 : 2.0);
  const auto takes_long = [](const KnownScene& known) {
    return known.name == "ball_grid" || known.name == "pile" || known.name == "euler_disk" ||
           known.name == "tower";
  };
  if (stage.quick) std::erase_if(scenes, takes_long);
  return scenes;
}

void certify_scenes(const Stage& stage) {
  std::vector<KnownScene> more = more_scenes(stage);
  if (stage.quick)
    for (KnownScene& known : more) known.scenario.duration = 0.2;
  const Tally analytic =
      certify_all(stage, "scenes of the experiment analytic", scenes_of_analytic(stage));
  const Tally others = certify_all(stage, "more closed forms", more);
  stage.show({"outputs whose true error is known and above 1e-12",
              {"of", "outputs", "share held", "share 1 to 10 times", "share of rows held"},
              {share_row("analytic", analytic), share_row("more", others)}});
  Tally all = analytic;
  add_tally(others, all);
  report_tally(stage, all);
}

}  // namespace

extern const Experiment kCertificates{"certificates",
                                      "error estimates of run --certify beside true errors",
                                      {certify_scenes},
                                      "examples/analytic"};

}  // namespace pequod::app
