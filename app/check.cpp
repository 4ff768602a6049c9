#include <fmt/format.h>

#include <string>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "scene/field.h"
#include "scene/urdf.h"

namespace pequod::app {
namespace {

// To which residual contact problems are solved; empty for models whose solvers are exact.
std::string tolerance_text(const ContactOptions& contact) {
  const ContactModel* model = find_contact_model(contact.model);
  if (!model || model->family != SolverFamily::friction) return "";
  const std::string what = fmt::format("contact problems of {} are solved to ", contact.model);
  if (contact.tolerance > 0.0) return fmt::format("{}{:g}\n", what, contact.tolerance);
  std::string rule;
  for (const AcceptedResidual& step : kAcceptedResiduals) {
    const bool last = &step == &kAcceptedResiduals.back();
    rule += last ? fmt::format("{:g} beyond", step.residual)
                 : fmt::format("{:g} up to {} contacts, ", step.residual, step.contacts);
  }
  return what + rule + "\n";
}

}  // namespace

int check(const SceneSource& source) {
  Diagnostics diagnostics;
  UrdfOptions robot;
  robot.package_paths = source.options.package_paths;
  std::string tolerance;
  if (source.scene.extension() == ".urdf")
    (void)load_urdf(source.scene, robot, diagnostics);
  else
    tolerance = tolerance_text(load_scene(source.scene, source.options, diagnostics).contact);
  print_out(diagnostics.text());
  if (diagnostics.ok()) print_out(tolerance);
  print_out(fmt::format("{}: {} errors, {} warnings\n", source.scene.string(), diagnostics.errors(),
                        diagnostics.warnings()));
  return diagnostics.ok() ? kDone : kBadInput;
}

int schema() {
  print_out(scene_schema());
  return kDone;
}

}  // namespace pequod::app
