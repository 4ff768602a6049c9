// What comes after the last step of a run.
#pragma once

#include "app/commands.h"
#include "app/progress.h"
#include "app/summary.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {

/// Says when a run was interrupted, and the command that goes on with it.
void tell_interrupted(const RunRequest& request, const RunReport& report);

/// Certifies the run if that was asked for, and tells what came of it.
/// @return the exit code
int conclude(const RunRequest& request, const Scenario& scenario, const RunFolder& folder,
             const RunReport& report, Progress& progress);

}  // namespace pequod::app
