// A run in few bytes, for the page that shows it.
#pragma once

#include <string>

#include "app/plot/run_data.h"
#include "app/view/visuals.h"

namespace pequod::app {

/// All that the page reads of a run, as packed_for_page() packs it: its JSON names the columns with
/// their units, of meshes their sizes.
/// @param visuals  pack_visuals() of the run's model
/// @throws RunFolderRefused  if the run has no model.json
[[nodiscard]] std::string pack_run(const plot::RunData& run, const PackedVisuals& visuals);

}  // namespace pequod::app
