#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/experiments/chart.h"
#include "app/experiments/experiment.h"
#include "app/run_log.h"
#include "contact/fit/friction_fit.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

constexpr double kNoise = 0.01;

/// A folder of its own under the system's temporary one, removed at the end.
struct TemporaryFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("pequod-fit-{}", ::getpid());
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

// Runs a scene and reads its folder back.
RunLog logged(const Scenario& scenario) {
  const TemporaryFolder temporary;
  RunFolder folder(temporary.path);
  folder.start(scenario);
  Simulation simulation(scenario, folder.observer());
  simulation.run();
  folder.close();
  folder.write_summary("{}");
  Diagnostics diagnostics;
  std::optional<RunLog> log = read_run_log(temporary.path, diagnostics);
  if (!log) throw BadScene(diagnostics.text());
  log->gravity = scenario.model.gravity;
  return *std::move(log);
}

// Each force, impulse and component of a velocity by itself.
RunLog with_noise(RunLog log, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> error(1.0, kNoise);
  for (LoggedBody& body : log.bodies) {
    for (double& entry : body.v.reshaped()) entry *= error(generator);
    for (double& entry : body.w.reshaped()) entry *= error(generator);
  }
  for (LoggedContact& contact : log.contacts) {
    contact.force *= error(generator);
    contact.friction *= error(generator);
  }
  for (LoggedImpulse& event : log.impulses) {
    event.impulse *= error(generator);
    event.change *= error(generator);
  }
  return log;
}

struct Estimate {
  double value = NAN, low = NAN, high = NAN;
};
using Estimator = Estimate (*)(const RunLog& log, double noise);

// Of the pair that slides most.
Estimate friction(const RunLog& log, double noise) {
  FrictionFit best;
  for (const PairForces& pair : pair_forces(log, noise)) {
    const FrictionFit fit = fit_friction(pair.normal, pair.tangential, noise);
    if (fit.sliding > best.sliding) best = fit;
  }
  return {best.mu, best.low, best.high};
}

Estimate mass(const RunLog& log, double /*noise*/) {
  const LoggedBody& body = log.bodies.front();
  const MassSamples samples = mass_samples(log, body, *log.gravity);
  const MassFit fit = body.robot ? fit_weight(samples, *log.gravity) : fit_mass(samples);
  return {fit.mass, fit.low, fit.high};
}

struct Quantity {
  const char* name;
  Estimator estimate;
  double truth;
  double exact;  // asked without noise, relative: what the samples' spacing leaves
};

void study(const Stage& stage, const std::string& scene, const RunLog& log, const Quantity& q,
           Chart& chart) {
  const double plain = std::abs(q.estimate(log, 0.0).value / q.truth - 1.0);
  stage.at_most(scene, fmt::format("{} from the log as it is, relative", q.name), plain, q.exact);
  const int seeds = stage.quick ? 20 : 100;
  double worst = 0.0;
  int covered = 0;
  Curve curve{scene + ", " + q.name, {}};
  for (int seed = 1; seed <= seeds; ++seed) {
    const Estimate found = q.estimate(with_noise(log, static_cast<std::uint64_t>(seed)), kNoise);
    const double error = std::abs(found.value / q.truth - 1.0);
    worst = std::isnan(error) || error > worst ? error : worst;
    if (found.low <= q.truth && q.truth <= found.high) ++covered;
    curve.points.emplace_back(seed, found.value / q.truth - 1.0);
  }
  stage.at_most(scene, fmt::format("{} with noise of 1 %, relative, {} seeds", q.name, seeds),
                worst, 0.02);
  stage.at_least(scene, fmt::format("{}: share of intervals that hold it", q.name),
                 static_cast<double>(covered) / seeds, 0.95);
  chart.curves.push_back(std::move(curve));
}

void fit_runs(const Stage& stage) {
  Chart chart{"Identified from logs with noise of 1 %", "seed", "relative error", false, {}};
  const RunLog block = logged(stage.load("sliding_block")), box = logged(stage.load("thrown_box")),
               robot = logged(stage.load("slipping_trot"));
  study(stage, "sliding_block", block, {"μ", friction, 0.4, 1e-12}, chart);
  study(stage, "sliding_block", block, {"mass", mass, 1.7, 1e-12}, chart);
  // In an interval of 2 ms with an impact, how its resting forces change is not logged.
  study(stage, "thrown_box", box, {"mass", mass, 2.5, 1e-3}, chart);
  study(stage, "slipping_trot", robot, {"μ of a foot", friction, 0.12, 1e-12}, chart);
  // By its weight: what the legs swing is not logged.
  study(stage, "slipping_trot", robot, {"mass", mass, 33.88, 0.01}, chart);
  stage.draw(chart_svg(chart));
}

}  // namespace

extern const Experiment kFitRuns{
    "fit-runs",
    "friction and masses identified from our own logs, with noise on them",
    {fit_runs},
    "examples/fit"};

}  // namespace pequod::app
