#include "app/certify/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/json_number.h"
#include "simulation/record/csv.h"

namespace pequod::app::certify {
namespace {

using CertificateJson = nlohmann::ordered_json;

// What is not known is null.
CertificateJson known(double x) { return std::isnan(x) ? CertificateJson() : json_number(x); }

CertificateJson json_of(const OutputEstimate& output) {
  CertificateJson value = CertificateJson::array();
  for (const double x : output.value) value.push_back(known(x));
  return {{"name", output.name},
          {"unit", output.unit},
          {"value", output.value.size() == 1 ? value.front() : value},
          {"estimate", known(output.estimate)},
          {"from_step", known(output.from_step)},
          {"from_solver", known(output.from_solver)},
          {"from_choice", known(output.from_choice)},
          {"choice_differs_at_s", known(output.choice_differs)},
          {"parted_at_s", known(output.parted)},
          {"error", known(output.error)},
          {"effectivity", known(output.effectivity())}};
}

CertificateJson json_of(const StepSummary& sum) {
  return {{"steps", sum.steps},
          {"with_contact", sum.with_contact},
          {"failed", sum.failed},
          {"first_failure_s", known(sum.first_failure)},
          {"first_failed", sum.first_failed},
          {"newton", known(sum.newton)},
          {"bias", known(sum.bias)},
          {"turn", known(sum.turn)},
          {"law", known(sum.law)},
          {"gap", known(sum.gap)}};
}

CertificateJson json_of(const SolveCounts& solves) {
  CertificateJson all = CertificateJson::object();
  for (const auto& [kind, count] : solves)
    all[kind] = {{"solves", count.solves},
                 {"unsolved", count.unsolved},
                 {"several", count.several},
                 {"natural_map", known(count.natural_map)},
                 {"gap", count.gap == SolveCount::kNoGap ? CertificateJson() : known(count.gap)}};
  return all;
}

void append_cell_to(std::string& line, double x) {
  line += ',';
  append_number(line, x);
}

// The output whose estimate is largest, over how large it is, of one unit.
const OutputEstimate* worst_in(const std::vector<OutputEstimate>& outputs, std::string_view unit) {
  const OutputEstimate* worst = nullptr;
  for (const OutputEstimate& output : outputs)
    if (output.unit == unit && !output.bars.empty() && !std::isnan(output.estimate) &&
        (worst == nullptr || output.estimate > worst->estimate))
      worst = &output;
  return worst;
}

std::string estimates_text(const std::vector<OutputEstimate>& outputs) {
  std::string text;
  for (const char* unit : {"m", "rad", "rad or m", "m/s", "rad/s", "rad/s or m/s", "J"}) {
    const OutputEstimate* worst = worst_in(outputs, unit);
    if (worst == nullptr) continue;
    text += fmt::format("{} {} ± {:.2g} {}", text.empty() ? "" : ",", worst->name, worst->estimate,
                        unit);
    if (worst->error > 0.0) text += fmt::format(" ({:.2g} × the error)", worst->effectivity());
  }
  return text;
}

// The output of which something is known from the earliest time on, as of how many it is.
struct Earliest {
  const OutputEstimate* first = nullptr;
  long count = 0;

  [[nodiscard]] std::string all() const {
    return count > 1 ? fmt::format(" ({} outputs in all)", count) : "";
  }
};

Earliest earliest_in(const std::vector<OutputEstimate>& outputs, double OutputEstimate::*since) {
  Earliest found;
  for (const OutputEstimate& output : outputs) {
    if (std::isnan(output.*since)) continue;
    ++found.count;
    if (found.first == nullptr || output.*since < found.first->*since) found.first = &output;
  }
  return found;
}

std::string parting_text(const std::vector<OutputEstimate>& outputs) {
  const Earliest parted = earliest_in(outputs, &OutputEstimate::parted);
  if (parted.first == nullptr) return "";
  return fmt::format(
      "  the runs part: {} from t = {:g} s on{}; what is told of it later is of its own run\n",
      parted.first->name, parted.first->parted, parted.all());
}

std::string choice_text(const Certificate& certificate) {
  const SolveCount solves = count_all(certificate.solves);
  if (!certificate.other_friction) return "";
  const Earliest differs = earliest_in(certificate.outputs, &OutputEstimate::choice_differs);
  std::string text = fmt::format(
      "  friction may not be unique in {} of {} contact problems: ", solves.several, solves.solves);
  if (differs.first == nullptr) return text + "another choice gives the same outputs\n";
  return text + fmt::format(
                    "with another choice {} is another from t = {:g} s on, by {:.2g} {} at "
                    "the end{}\n",
                    differs.first->name, differs.first->choice_differs, differs.first->from_choice,
                    differs.first->unit, differs.all());
}

std::string steps_text(const StepSummary& sum) {
  if (sum.failed > 0)
    return fmt::format("  contact: {} of {} steps do not pass, the first at t = {:g} s ({})\n",
                       sum.failed, sum.steps, sum.first_failure, sum.first_failed);
  std::string text = fmt::format("  contact: all {} steps pass, {} of them with contact", sum.steps,
                                 sum.with_contact);
  for (const auto& [what, worst] :
       {std::pair{"; Newton–Euler to", sum.newton}, std::pair{", law to", sum.law},
        std::pair{", duality gap to", sum.gap}})
    if (!std::isnan(worst)) text += fmt::format("{} {:.1e}", what, worst);
  return text + "\n";
}

}  // namespace

std::vector<std::string> failures(const StepCheck& check) {
  std::vector<std::string> failed;
  const auto ask = [&](double residual, double passes, const char* what) {
    if (residual > passes) failed.emplace_back(what);
  };
  ask(check.newton, kMechanicsPasses, "newton");
  ask(check.bias, kMechanicsPasses, "bias");
  ask(check.turn, kTurnPasses, "turn");
  ask(check.law, check.forces ? kTurnPasses : kLawPasses, "law");
  ask(check.gap, check.forces ? kTurnPasses : kLawPasses, "gap");
  return failed;
}

StepSummary sum_up(const std::vector<StepCheck>& steps) {
  StepSummary sum;
  for (const StepCheck& step : steps) {
    ++sum.steps;
    sum.with_contact += step.contacts > 0 ? 1 : 0;
    sum.newton = std::fmax(sum.newton, step.newton);
    sum.bias = std::fmax(sum.bias, step.bias);
    sum.turn = std::fmax(sum.turn, step.turn);
    sum.law = std::fmax(sum.law, step.law);
    sum.gap = std::fmax(sum.gap, step.gap);
    const std::vector<std::string> failed = failures(step);
    if (failed.empty()) continue;
    if (sum.failed++ > 0) continue;
    sum.first_failure = step.t;
    sum.first_failed = fmt::format("{}", fmt::join(failed, ", "));
  }
  return sum;
}

std::string certificate_json(const Certificate& certificate) {
  CertificateJson json;
  json["version"] = 1;
  json["step"] = known(certificate.step);
  json["half_step"] = known(certificate.half_step);
  json["step_ratio"] = known(certificate.ratio);
  json["tighter_tolerance"] = known(certificate.tolerance);
  json["other_friction"] = certificate.other_friction;
  json["repeated"] = certificate.repeated;
  json["failure"] = certificate.failure;
  json["closed_form"] = certificate.closed_form;
  json["notes"] = certificate.notes;
  json["outputs"] = CertificateJson::array();
  for (const OutputEstimate& output : certificate.outputs)
    json["outputs"].push_back(json_of(output));
  json["steps"] = json_of(sum_up(certificate.steps));
  json["solves"] = json_of(certificate.solves);
  return json.dump(2, ' ', false, CertificateJson::error_handler_t::replace) + "\n";
}

std::string bars_csv(const Certificate& certificate) {
  std::string csv = "t";
  for (const OutputEstimate& output : certificate.outputs)
    if (!output.bars.empty()) csv += "," + output.name;
  csv += '\n';
  for (std::size_t i = 0; i < certificate.times.size(); ++i) {
    append_number(csv, certificate.times[i]);
    for (const OutputEstimate& output : certificate.outputs)
      if (!output.bars.empty()) append_cell_to(csv, output.bars[i]);
    csv += '\n';
  }
  return csv;
}

std::string steps_csv(const Certificate& certificate) {
  std::string csv = "t,h,contacts,newton,bias,turn,law,gap,failed\n";
  for (const StepCheck& step : certificate.steps) {
    append_number(csv, step.t);
    append_cell_to(csv, step.h);
    csv += fmt::format(",{}", step.contacts);
    for (const double x : {step.newton, step.bias, step.turn, step.law, step.gap})
      append_cell_to(csv, x);
    csv += fmt::format(",{}\n", fmt::join(failures(step), " "));
  }
  return csv;
}

std::string certificate_text(const Certificate& certificate) {
  std::string text = fmt::format("  certificate:{}\n", estimates_text(certificate.outputs));
  text += parting_text(certificate.outputs);
  text += choice_text(certificate);
  text += steps_text(sum_up(certificate.steps));
  for (const std::string& note : certificate.notes) text += "  note: " + note + "\n";
  return text;
}

}  // namespace pequod::app::certify
