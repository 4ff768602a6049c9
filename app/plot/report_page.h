// The page around a report.
#pragma once

#include <span>
#include <string>

#include "app/plot/figure.h"

namespace pequod::app::plot {

/// A page in one file that asks no host for anything. Where ./dev web has bundled the script for
/// it, figures can be zoomed and read off; without it they stand as they are drawn, and the page
/// says how to get it.
/// @param title    text
/// @param body     HTML below the title, in it figure_html() of each figure
/// @param figures  those over time
[[nodiscard]] std::string report_page(const std::string& title, const std::string& body,
                                      std::span<const Figure> figures);

}  // namespace pequod::app::plot
