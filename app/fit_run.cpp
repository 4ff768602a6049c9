#include "app/fit_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "app/json_number.h"
#include "app/output.h"
#include "app/run_log.h"
#include "contact/fit/friction_fit.h"

namespace pequod::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct Report {
  OrderedJson json;
  std::string text;
};

Report friction_report(const RunLog& log, double noise) {
  Report report{OrderedJson::array(), {}};
  for (const PairForces& pair : pair_forces(log, noise)) {
    const FrictionFit fit = fit_friction(pair.normal, pair.tangential, noise);
    const std::string name = pair.a + " – " + pair.b;
    report.json.push_back({{"pair", name},
                           {"samples", pair.samples},
                           {"sliding", fit.sliding},
                           {"slip_known", pair.slip_known},
                           {"mu", json_number(fit.mu)},
                           {"low", json_number(fit.low)},
                           {"high", json_number(fit.high)},
                           {"highest_ratio", json_number(pair.highest)}});
    if (fit.sliding > 0)
      report.text += fmt::format("{}: μ {:.6g} in [{:.6g}, {:.6g}] from {} samples of {}\n", name,
                                 fit.mu, fit.low, fit.high, fit.sliding, pair.samples);
    else
      report.text +=
          fmt::format("{}: does not slide{}; μ is at least {:.6g}, in {} samples\n", name,
                      pair.slip_known ? "" : " that one could tell", pair.highest, pair.samples);
  }
  return report;
}

Report mass_report(const RunLog& log, const Eigen::Vector3d& gravity) {
  Report report{OrderedJson::array(), {}};
  for (const LoggedBody& body : log.bodies) {
    const MassSamples samples = mass_samples(log, body, gravity);
    const MassFit fit = body.robot ? fit_weight(samples, gravity) : fit_mass(samples);
    report.json.push_back({{"body", body.name},
                           {"by", body.robot ? "weight" : "impulses"},
                           {"mass", json_number(fit.mass)},
                           {"low", json_number(fit.low)},
                           {"high", json_number(fit.high)},
                           {"intervals", fit.intervals}});
    if (std::isnan(fit.mass))
      report.text += fmt::format("{}: mass not determined: no contact moves it\n", body.name);
    else
      report.text += fmt::format("{}: mass {:.6g} kg in [{:.6g}, {:.6g}] by {} over {} intervals\n",
                                 body.name, fit.mass, fit.low, fit.high,
                                 body.robot ? "its weight" : "impulses", fit.intervals);
  }
  return report;
}

Report impact_report(const RunLog& log) {
  Report report{OrderedJson::array(), {}};
  for (const EffectiveMass& pair : effective_masses(log)) {
    const std::string name = pair.a + " – " + pair.b;
    report.json.push_back({{"pair", name},
                           {"impacts", pair.impacts},
                           {"mean", pair.mean},
                           {"low", pair.least},
                           {"high", pair.most}});
    report.text += fmt::format("{}: {} lone impacts felt a mass of {:.6g} kg, {:.6g} to {:.6g}\n",
                               name, pair.impacts, pair.mean, pair.least, pair.most);
  }
  return report;
}

}  // namespace

int fit_run(const FitRequest& request) {
  Diagnostics diagnostics;
  const std::optional<RunLog> log = read_run_log(request.data, diagnostics);
  print_error(diagnostics.text());
  if (!log) return kBadInput;
  const Report friction = friction_report(*log, request.noise), impacts = impact_report(*log);
  Report masses{OrderedJson::array(), "masses are not fitted: summary.json tells no gravity\n"};
  if (log->gravity) masses = mass_report(*log, *log->gravity);
  if (request.json)
    print_out(
        OrderedJson{{"pairs", friction.json}, {"masses", masses.json}, {"impacts", impacts.json}}
            .dump(2) +
        "\n");
  else
    print_out(friction.text + masses.text + impacts.text);
  return kDone;
}

}  // namespace pequod::app
