// A figure on a page, with its data and the files that it can be saved as.
#pragma once

#include <cstddef>
#include <string>

#include "app/plot/figure.h"

namespace pequod::app::plot {

/// What stands on a page around a picture.
struct FigureOnPage {
  std::string name;  ///< its id, and of the files that are saved
  std::string svg;
  std::string note;  ///< HTML below it; empty: none
  std::string data;  ///< CSV, behind a button
};

/// Rows of each line, evenly taken, that a page has of a figure's data.
inline constexpr std::size_t kPageRows = 500;
[[nodiscard]] FigureOnPage on_page(const Figure& figure);

/// The buttons work with kReportScript (report_assets.h).
[[nodiscard]] std::string figure_html(const FigureOnPage& figure);

}  // namespace pequod::app::plot
