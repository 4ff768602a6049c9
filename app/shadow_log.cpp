#include "app/shadow_log.h"

#include "simulation/record/run_folder.h"
#include "simulation/record/run_folder_rows.h"

namespace pequod::app {

ShadowLog::ShadowLog(const Scenario& scenario, std::span<const std::string> models,
                     const std::filesystem::path& folder)
    : model_(scenario.model), shadows_(scenario, models), file_(folder / kShadowLog, 0) {
  file_.append(shadow_header());
}

void ShadowLog::watch(Observer& observer) {
  observer.accepted = [this](const Stepper& taken) { write(shadows_.step(taken)); };
  observer.impact = [this](const State& from) { write(shadows_.impact(from)); };
}

void ShadowLog::write(const std::vector<ShadowRow>& rows) {
  lines_.clear();
  for (const ShadowRow& row : rows) append_shadow(lines_, model_, row);
  file_.append(lines_);
}

}  // namespace pequod::app
