#include "app/experiments/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/colours.h"

namespace pequod::app {
namespace {

constexpr double kLeft = 80, kTop = 50, kWidth = 480, kHeight = 320;  // px
constexpr std::size_t kMostDots = 60;  // of a curve: more would hide it

// One axis: values to the unit interval.
struct Axis {
  bool logarithmic = false;
  double low = INFINITY, high = -INFINITY;  // of the values, or of their logarithms

  [[nodiscard]] double value(double x) const { return logarithmic ? std::log10(x) : x; }
  [[nodiscard]] double at(double x) const { return (value(x) - low) / (high - low); }
  void include(double x) {
    if (!std::isfinite(value(x))) return;
    low = std::min(low, value(x));
    high = std::max(high, value(x));
  }
  // Round limits, and never an empty interval.
  void finish() {
    if (!(low <= high)) low = high = 0.0;
    if (logarithmic) {
      low = std::floor(low);
      high = std::ceil(high);
    } else {
      low = std::min(low, 0.0);
    }
    if (high <= low) high = low + 1.0;
  }
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> marks;
    if (logarithmic)
      for (double x = low; x <= high; x += std::max(1.0, std::ceil((high - low) / 8)))
        marks.push_back(std::pow(10.0, x));
    else
      for (int i = 0; i <= 5; ++i) marks.push_back(low + 0.2 * i * (high - low));
    return marks;
  }
};

double px(const Axis& axis, double x) { return kLeft + kWidth * axis.at(x); }
double py(const Axis& axis, double y) { return kTop + kHeight * (1.0 - axis.at(y)); }

std::string frame(const Chart& chart, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double tick : y.ticks())
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n",
        kLeft, py(y, tick), kWidth, kLeft - 8, py(y, tick) + 4, tick);
  for (const double tick : x.ticks())
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.3g}</text>\n",
        px(x, tick), kTop, kHeight, px(x, tick), kTop + kHeight + 20, tick);
  return svg + fmt::format(
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n"
                   "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">"
                   "{}</text>\n",
                   kLeft + kWidth / 2, kTop + kHeight + 42, chart.x_label, kTop + kHeight / 2,
                   chart.y_label);
}

std::string drawn(const Curve& curve, std::size_t i, const Axis& x, const Axis& y) {
  std::string path, dots;
  for (const auto& [u, v] : curve.points) {
    if (!std::isfinite(x.value(u)) || !std::isfinite(y.value(v))) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px(x, u), py(y, v));
    if (curve.points.size() <= kMostDots)
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", px(x, u),
                          py(y, v), colour(i));
  }
  return fmt::format(
      "<path d=\"{0}\" fill=\"none\" stroke=\"{1}\" stroke-width=\"2\"/>{2}\n"
      "<path d=\"M{3:.1f} {4:.1f}h24\" stroke=\"{1}\" stroke-width=\"2\"/>"
      "<text x=\"{5:.1f}\" y=\"{6:.1f}\">{7}</text>\n",
      path, colour(i), dots, kLeft + kWidth + 16, kTop + 14 + 22.0 * static_cast<double>(i),
      kLeft + kWidth + 48, kTop + 18 + 22.0 * static_cast<double>(i), curve.name);
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  Axis x{chart.logarithmic_x}, y{chart.logarithmic_y};
  for (const Curve& curve : chart.curves)
    for (const auto& [u, v] : curve.points) {
      x.include(u);
      y.include(v);
    }
  x.finish();
  y.finish();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"780\" height=\"430\" "
      "viewBox=\"0 0 780 430\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"780\" height=\"430\" fill=\"white\"/>\n"
      "<text x=\"{:.1f}\" y=\"28\" font-size=\"15\">{}</text>\n",
      kLeft, chart.title);
  svg += frame(chart, x, y);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) svg += drawn(chart.curves[i], i, x, y);
  return svg + "</svg>\n";
}

}  // namespace pequod::app
