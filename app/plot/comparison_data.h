// A comparison as its folder tells it, for a picture of it.
#pragma once

#include <filesystem>

#include "app/comparison.h"

namespace pequod::app::plot {

/// What a folder of `pequod compare` has, and a run folder has not.
inline constexpr const char* kComparisonFile = "comparison.json";

/// Of each row the pair, step, status, error and cost.
/// @throws RunFolderRefused  if there is none, or it is damaged
[[nodiscard]] Comparison read_comparison(const std::filesystem::path& folder);

}  // namespace pequod::app::plot
