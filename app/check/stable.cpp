// How long steps and periods may be, and how robots stand.
#include <fmt/format.h>

#include <cmath>

#include "app/check/meaning.h"
#include "app/json_number.h"
#include "contact/models/contact_model.h"
#include "integrators/integrator.h"
#include "simulation/damping_limit.h"
#include "simulation/gain_limit.h"
#include "simulation/standing.h"
#include "simulation/viscous_limit.h"

namespace pequod::app {
namespace {

constexpr std::size_t kControllersShown = 3;

// What a decay at this rate (1/s) asks of the step.
std::string decay_text(const Scenario& scenario, double rate, double longest) {
  const std::string decay = fmt::format("decays at {:.4g} 1/s at the start", rate);
  const std::string& method = scenario.integrator.method;
  if (std::isinf(longest)) return decay + ", stable with any step as it is taken here";
  return fmt::format("{}; {} (h λ ≤ {:.4g}) is stable with steps up to {:.4g} s", decay, method,
                     integrator_info(method).damping_limit, longest);
}

nlohmann::ordered_json decay_json(double rate, double longest) {
  return {{"rate_per_s", json_number(rate)}, {"longest_stable_step_s", json_number(longest)}};
}

void add_friction(const Scenario& scenario, Meaning& meaning) {
  const ContactModel* model = find_contact_model(scenario.contact.model);
  if (!model || !model->viscous) return;
  const double rate = viscous_rate(scenario, scenario.initial);
  const double longest = viscous_step_limit(scenario, rate);
  meaning.push_back({"friction",
                     rate > 0.0 ? "viscous, " + decay_text(scenario, rate, longest)
                                : "viscous; nothing that it acts on touches at the start",
                     decay_json(rate, longest)});
}

void add_damping(const Scenario& scenario, Meaning& meaning) {
  const double rate = damping_rate_at_start(scenario);
  if (rate <= 0.0) return;
  const double longest = longest_stable_step(scenario.integrator, rate);
  const char* whose = scenario.model.springs.empty() ? "of joints, " : "of joints and springs, ";
  meaning.push_back(
      {"damping", whose + decay_text(scenario, rate, longest), decay_json(rate, longest)});
}

// growth: 1/s, with the period that the controller has
std::string period_text(double longest, double growth) {
  if (!std::isfinite(growth)) return "too stiff for numbers";
  if (longest == 0.0)
    return fmt::format("swings up with any period, now by a factor e in {:.3g} s", 1.0 / growth);
  if (std::isinf(longest)) return "stable with any period";
  return fmt::format("stable up to {:.3g} s between ticks", longest);
}

std::string standing_text(const Model& model, const std::optional<Standing>& told) {
  if (!told || told->worst.link < 0) return {};
  const Sag& worst = told->worst;
  if (told->needed >= 1.0) return fmt::format("; falls below kp {:.3g}", told->needed * worst.kp);
  return fmt::format("; holds its posture: {} sags most, {:.3g} {} under {:.3g} {}",
                     joint_name(model, worst.link), std::abs(worst.way), worst.slides ? "m" : "rad",
                     worst.effort, worst.slides ? "N" : "N·m");
}

nlohmann::ordered_json standing_json(const Model& model, const std::optional<Standing>& told) {
  if (!told || told->worst.link < 0) return nullptr;
  return {{"joint", joint_name(model, told->worst.link)},
          {"sag", json_number(told->worst.way)},
          {"effort", json_number(told->worst.effort)},
          {"least_kp", json_number(std::max(0.0, told->needed * told->worst.kp))},
          {"share_of_effort_limit", json_number(told->share)}};
}

void add_gains(const Scenario& scenario, Meaning& meaning) {
  MeaningRow row{"gains", "", nlohmann::ordered_json::array()};
  std::vector<std::string> texts;
  for (const Controller& controller : scenario.controllers) {
    if (controller.gains.empty()) continue;
    const JointGain& gain = controller.gains.front();  // pd has the same for all joints
    const double longest = longest_stable_period(scenario, controller);
    const std::optional<Standing> told = standing(scenario, controller);
    texts.push_back(fmt::format("{}: kp {:g}, kd {:g} every {:g} s; {}{}", controller.name, gain.kp,
                                gain.kd, controller.period,
                                period_text(longest, gain_growth(scenario, controller)),
                                standing_text(scenario.model, told)));
    row.value.push_back({{"controller", controller.name},
                         {"kp", gain.kp},
                         {"kd", gain.kd},
                         {"period_s", controller.period},
                         {"longest_stable_period_s", json_number(longest)},
                         {"standing", standing_json(scenario.model, told)}});
  }
  row.text = first_of(texts, kControllersShown, "\n");
  if (!texts.empty()) meaning.push_back(std::move(row));
}

}  // namespace

Meaning what_is_stable(const Scenario& scenario) {
  Meaning meaning;
  add_friction(scenario, meaning);
  add_damping(scenario, meaning);
  add_gains(scenario, meaning);
  return meaning;
}

}  // namespace pequod::app
