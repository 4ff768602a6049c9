#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "app/check/meaning.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "scene/field.h"
#include "scene/urdf.h"

namespace pequod::app {
namespace {

// To which residual contact problems are solved, of models whose solvers are not exact.
void add_tolerance(const ContactOptions& contact, Meaning& meaning) {
  const ContactModel* model = find_contact_model(contact.model);
  if (!model || model->family != SolverFamily::friction) return;
  const std::string what = fmt::format("contact problems of {} are solved to ", contact.model);
  MeaningRow row{"tolerance", "", contact.tolerance};
  if (contact.tolerance > 0.0) row.text = fmt::format("{}{:g}", what, contact.tolerance);
  if (!row.text.empty()) return meaning.push_back(std::move(row));
  std::string rule;
  row.value = nlohmann::ordered_json::array();
  for (const AcceptedResidual& step : accepted_residuals()) {
    const bool last = &step == &accepted_residuals().back();
    rule += last ? fmt::format("{:g} beyond", step.residual)
                 : fmt::format("{:g} up to {} contacts, ", step.residual, step.contacts);
    row.value.push_back({{"residual", step.residual},
                         {"up_to_contacts", last ? nlohmann::ordered_json()
                                                 : nlohmann::ordered_json(step.contacts)}});
  }
  row.text = what + rule +
             fmt::format("; in fallback steps {:g} from {} contacts on",
                         accepted_residuals()[1].residual, kFewInFallback + 1);
  meaning.push_back(std::move(row));
}

// Empty if the scene is wrong.
Meaning meaning_of(const SceneSource& source, Diagnostics& diagnostics) {
  if (source.scene.extension() == ".urdf") {
    UrdfOptions options;
    options.package_paths = source.options.package_paths;
    const Robot robot = load_urdf(source.scene, options, diagnostics);
    return diagnostics.ok() ? what_moves(robot) : Meaning();
  }
  const Scenario scenario = load_scene(source.scene, source.options, diagnostics);
  if (!diagnostics.ok()) return {};
  Meaning meaning = what_moves(scenario);
  add_tolerance(scenario.contact, meaning);
  for (Meaning more : {what_touches(scenario), what_is_stable(scenario)})
    std::ranges::move(more, std::back_inserter(meaning));
  return meaning;
}

std::string check_json(const SceneSource& source, const Diagnostics& diagnostics,
                       const Meaning& meaning) {
  using Json = nlohmann::ordered_json;
  constexpr std::array<const char*, 3> kSeverities{"note", "warning", "error"};
  Json said = Json::array();
  for (const Diagnostic& one : diagnostics.sorted())
    said.push_back({{"severity", nth(kSeverities, one.severity)},
                    {"file", one.place.file},
                    {"line", one.place.line},
                    {"column", one.place.column},
                    {"message", one.message},
                    {"hint", one.hint}});
  const Json json{{"scene", source.scene.string()},
                  {"errors", diagnostics.errors()},
                  {"warnings", diagnostics.warnings()},
                  {"diagnostics", said},
                  {"meaning", meaning_json(meaning)}};
  // Names and messages may come from files that are no UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int check(const CheckRequest& request) {
  Diagnostics diagnostics;
  const Meaning meaning = meaning_of(request.source, diagnostics);
  if (request.json) {
    print_out(check_json(request.source, diagnostics, meaning));
  } else {
    print_out(diagnostics.text() + meaning_text(meaning));
    print_out(fmt::format("{}: {} errors, {} warnings\n", request.source.scene.string(),
                          diagnostics.errors(), diagnostics.warnings()));
  }
  return diagnostics.ok() ? kDone : kBadInput;
}

int schema() {
  print_out(scene_schema());
  return kDone;
}

}  // namespace pequod::app
