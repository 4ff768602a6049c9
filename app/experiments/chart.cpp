#include "app/experiments/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/colours.h"
#include "app/plot/axis.h"
#include "app/plot/figure.h"

namespace pequod::app {
namespace {

constexpr double kLeft = 80, kTop = 50, kWidth = 480, kHeight = 320;  // px
constexpr std::size_t kMostDots = 60;  // of a curve: more would hide it

double px(const plot::Scale& axis, double x) { return kLeft + kWidth * axis.at(x); }
double py(const plot::Scale& axis, double y) { return kTop + kHeight * (1.0 - axis.at(y)); }

// Of all points; a linear axis has 0 on it.
plot::Scale scale_of_points(const Chart& chart, bool logarithmic,
                            double std::pair<double, double>::*value) {
  plot::Scale any;
  any.logarithmic = logarithmic;
  double low = INFINITY, high = -INFINITY;
  for (const Curve& curve : chart.curves)
    for (const auto& point : curve.points) {
      if (!any.has(point.*value)) continue;
      low = std::min(low, point.*value);
      high = std::max(high, point.*value);
    }
  return logarithmic ? plot::make_log_scale(low, high, true)
                     : plot::make_scale(std::min(low, 0.0), high, 5, true);
}

std::string frame(const Chart& chart, const plot::Scale& x, const plot::Scale& y) {
  std::string svg;
  for (const double tick : y.ticks)
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        kLeft, py(y, tick), kWidth, kLeft - 8, py(y, tick) + 4, y.text(tick));
  for (const double tick : x.ticks)
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        px(x, tick), kTop, kHeight, px(x, tick), kTop + kHeight + 20, x.text(tick));
  return svg + fmt::format(
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n"
                   "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">"
                   "{}</text>\n",
                   kLeft + kWidth / 2, kTop + kHeight + 42, plot::escape(chart.x_label),
                   kTop + kHeight / 2, plot::escape(chart.y_label));
}

std::string drawn(const Curve& curve, std::size_t i, const plot::Scale& x, const plot::Scale& y) {
  std::string path, dots;
  for (const auto& [u, v] : curve.points) {
    if (!x.has(u) || !y.has(v)) continue;
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
      kLeft + kWidth + 48, kTop + 18 + 22.0 * static_cast<double>(i), plot::escape(curve.name));
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  using Point = std::pair<double, double>;
  const plot::Scale x = scale_of_points(chart, chart.logarithmic_x, &Point::first),
                    y = scale_of_points(chart, chart.logarithmic_y, &Point::second);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"780\" height=\"430\" "
      "viewBox=\"0 0 780 430\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"780\" height=\"430\" fill=\"white\"/>\n"
      "<text x=\"{:.1f}\" y=\"28\" font-size=\"15\">{}</text>\n",
      kLeft, plot::escape(chart.title));
  svg += frame(chart, x, y);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) svg += drawn(chart.curves[i], i, x, y);
  return svg + "</svg>\n";
}

}  // namespace pequod::app
