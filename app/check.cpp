#include <fmt/format.h>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "scene/field.h"
#include "scene/urdf.h"

namespace pequod::app {

int check(const SceneSource& source) {
  Diagnostics diagnostics;
  UrdfOptions robot;
  robot.package_paths = source.options.package_paths;
  if (source.scene.extension() == ".urdf")
    (void)load_urdf(source.scene, robot, diagnostics);
  else
    (void)load_scene(source.scene, source.options, diagnostics);
  print_out(diagnostics.text());
  print_out(fmt::format("{}: {} errors, {} warnings\n", source.scene.string(), diagnostics.errors(),
                        diagnostics.warnings()));
  return diagnostics.ok() ? kDone : kBadInput;
}

int schema() {
  print_out(scene_schema());
  return kDone;
}

}  // namespace pequod::app
