#include "app/comparison_shadow.h"

#include <fmt/format.h>

#include "app/exit_code.h"
#include "app/plot/run_data.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {

ComparisonShadows shadows_of(const ComparisonRun& run, const ComparisonRow& row) {
  ComparisonShadows shadows;
  shadows.of = fmt::format("{} x {}, {:g} s", row.integrator, row.model, row.step);
  shadows.folder = run.folder.parent_path() / "shadow";
  return shadows;
}

Program start_shadows(const ComparisonRun& run, const ComparisonShadows& shadows,
                      const std::vector<std::string>& models) {
  return start_run({run.source, shadows.folder}, false,
                   {"--shadow", fmt::format("{}", fmt::join(models, ","))});
}

void finish_shadows(const Program& program, ComparisonShadows& shadows) {
  if (program.exit_code() != kDone) shadows.failure = reason_of(program);
  const std::filesystem::path log = shadows.folder / kShadowLog;
  std::error_code code;
  if (program.exit_code() == kBadInput || !std::filesystem::exists(log, code)) return;
  shadows.totals = shadow_totals(plot::read_shadows(log));
}

}  // namespace pequod::app
