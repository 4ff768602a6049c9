// A run in few bytes, for the page that shows it.
#pragma once

#include <string>

#include "app/plot/run_data.h"
#include "app/view/visuals.h"

namespace pequod::app {

/// Integers as second differences, zigzag coded (0, −1, 1, −2, … become 0, 1, 2, 3, …), in bytes of
/// seven bits, low ones first, the eighth bit saying that more follow. What changes smoothly takes
/// a byte each.
[[nodiscard]] std::string pack_integers(std::span<const std::int64_t> values);

/// Values in units of `unit`, rounded; what is not finite becomes 0.
[[nodiscard]] std::vector<std::int64_t> quantised(std::span<const double> values, double unit);

/// zlib's format, which a browser's DecompressionStream reads. @throws std::runtime_error
[[nodiscard]] std::string deflated(std::string_view bytes);

[[nodiscard]] std::string base64(std::string_view bytes);

/// All that the page reads of a run, as packed_for_page() packs it: its JSON names the columns with
/// their units, of meshes their sizes.
/// @param visuals  pack_visuals() of the run's model
/// @throws RunFolderRefused  if the run has no model.json
[[nodiscard]] std::string pack_run(const plot::RunData& run, const PackedVisuals& visuals);

}  // namespace pequod::app
