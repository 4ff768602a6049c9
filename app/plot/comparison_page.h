// report.html of a comparison.
#pragma once

#include <string>

#include "app/comparison.h"

namespace pequod::app::plot {

/// Error against cost, a line a pair: colours tell models, marks integrators. Hollow marks are
/// upper bounds; rows without an error are left out. Colours are classes, for a page to give:
/// @param style  true: with colours of its own for white paper
[[nodiscard]] std::string work_precision_svg(const Comparison& comparison, bool style);

/// One page without requests to anywhere: the advice, that figure with its data, and the table.
[[nodiscard]] std::string comparison_page(const Comparison& comparison);

}  // namespace pequod::app::plot
