// Figures with all of their data, for the script that explores them.
#pragma once

#include <span>
#include <string>

#include "app/plot/figure.h"

namespace pequod::app::plot {

/// What web/src/report.js reads, by packed_for_page(). Its JSON has `figures`, as figure.h has them
/// with the numbers of columns in place of their values, and `columns`, of each its `rows`, its
/// length in `bytes`, `unit` and `low`: the value of n is low + (n − 1) unit, 0 is a hole. Values
/// are within 5e-6 of the range of their column, times within 5e-8 s or 5e-13 of the latest.
[[nodiscard]] std::string pack_figures(std::span<const Figure> figures);

}  // namespace pequod::app::plot
