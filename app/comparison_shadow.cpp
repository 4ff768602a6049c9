#include "app/comparison_shadow.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/plot/run_data.h"
#include "scene/diagnostics.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

// Its exit code.
int wait_for(ChildProcess& child) {
  for (bool told = false;; std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
    if (interrupted() && !told) child.interrupt();
    told = interrupted();
    if (const std::optional<int> code = child.poll()) return *code;
  }
}

}  // namespace

ComparisonShadows run_shadows(const ComparisonRun& run, const ComparisonRow& row,
                              const std::vector<std::string>& models) {
  ComparisonShadows shadows;
  shadows.of = fmt::format("{} x {}, {:g} s", row.integrator, row.model, row.step);
  shadows.folder = run.folder.parent_path() / "shadow";
  ChildProcess child = start_run({run.source, shadows.folder}, false,
                                 {"--shadow", fmt::format("{}", fmt::join(models, ","))});
  const int code = wait_for(child);
  if (code != kDone) shadows.failure = reason_of(child, code);
  if (code == kBadInput) return shadows;
  shadows.totals = shadow_totals(plot::read_shadows(shadows.folder / kShadowLog));
  return shadows;
}

}  // namespace pequod::app
