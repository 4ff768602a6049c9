// Pictures over time, before they are drawn.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pequod::app::plot {

/// A line.
struct Series {
  std::string name;
  std::vector<double> x, y;  ///< s, and the unit of the panel; what is not finite is a hole
  /// What y is known to, ±, of each; empty: no band. Where it is not finite the band has a hole.
  std::vector<double> band{};
};

/// Stretches of time and instants under one name, drawn as bars and ticks.
struct Lane {
  std::string name;
  std::vector<std::pair<double, double>> bars;  ///< s, from and to
  std::vector<double> ticks;                    ///< s
};

/// Lines over time, or lanes.
struct Panel {
  std::string label;  ///< quantity and unit
  std::vector<Series> series;
  std::vector<Lane> lanes;
};

struct Figure {
  std::string what;  ///< energy, gait, …
  std::string title;
  std::string note;  ///< what is left out; empty: nothing
  std::vector<Panel> panels;
  double from = 0.0, to = 1.0;                          ///< s
  std::vector<std::pair<double, std::string>> marks{};  ///< s, and what happened

  [[nodiscard]] bool empty() const { return panels.empty(); }
};

/// The element <style> of a picture that stands alone: the classes' colours on white paper.
[[nodiscard]] std::string paper_style();

/// The figure as SVG. Colours are classes, so that a page can give its own:
/// @param style  true: with colours of its own for white paper
[[nodiscard]] std::string figure_svg(const Figure& figure, bool style);

/// What lines and lanes show, as CSV: of each line at most `rows` rows, evenly taken.
[[nodiscard]] std::string figure_csv(const Figure& figure, std::size_t rows);

/// & < > and quotes for XML and HTML.
[[nodiscard]] std::string escape(const std::string& text);

}  // namespace pequod::app::plot
