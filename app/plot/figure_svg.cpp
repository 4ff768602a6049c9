#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/colours.h"
#include "app/plot/axis.h"
#include "app/plot/figure.h"

namespace pequod::app::plot {
namespace {

constexpr double kWidth = 900, kLeft = 84, kInner = 620;           // px
constexpr double kHead = 44, kPanel = 190, kLane = 22, kGap = 26;  // px
constexpr std::size_t kColours = 7;

// A lane's name stands left of it.
double left_of(const Figure& figure) {
  std::size_t longest = 0;
  for (const Panel& panel : figure.panels)
    for (const Lane& lane : panel.lanes) longest = std::max(longest, lane.name.size());
  return std::max(kLeft, std::min(24.0 + 7.0 * static_cast<double>(longest), 240.0));
}

double height_of(const Panel& panel) {
  return panel.lanes.empty() ? kPanel : kLane * static_cast<double>(panel.lanes.size()) + 6;
}

std::string words(double x, double y, const char* anchor, const std::string& text,
                  const std::string& more = "") {
  return fmt::format("<text class=\"t\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n",
                     x, y, anchor, more, escape(text));
}

// From the eighth on colours come again, dashed.
std::string line_class(std::size_t i) {
  constexpr const char* kDashes[] = {"", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 3\"",
                                     " stroke-dasharray=\"8 3 2 3\""};
  return fmt::format("class=\"c{}\"{}", i % kColours, kDashes[(i / kColours) % std::size(kDashes)]);
}

// A curve in px. Where many points fall into one px, its first, least, most and last stay, so that
// no peak is lost.
class Path {
 public:
  void add(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) {
      end();
      return;
    }
    const double bin = std::floor(2.0 * x);
    if (held_ > 0 && bin != bin_) flush();
    if (held_ == 0) {
      bin_ = bin;
      x_ = x;
      first_ = low_ = high_ = y;
    }
    low_ = std::min(low_, y);
    high_ = std::max(high_, y);
    last_ = y;
    ++held_;
  }
  std::string text() {
    end();
    return std::move(text_);
  }

 private:
  void point(double y) {
    text_ += fmt::format("{}{:.1f} {:.1f}", down_ ? "L" : "M", x_, y);
    down_ = true;
  }
  void flush() {
    if (held_ == 0) return;
    point(first_);
    if (low_ < std::min(first_, last_)) point(low_);
    if (high_ > std::max(first_, last_)) point(high_);
    if (held_ > 1) point(last_);
    held_ = 0;
  }
  void end() {
    flush();
    down_ = false;
  }
  std::string text_;
  bool down_ = false;
  int held_ = 0;
  double bin_ = 0, x_ = 0, first_ = 0, low_ = 0, high_ = 0, last_ = 0;
};

Scale value_scale(const Panel& panel) {
  double low = INFINITY, high = -INFINITY;
  for (const Series& series : panel.series)
    for (const double y : series.y) {
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  // Bands may be wider than all there is to see: they get as much again on each side.
  const double room = high - low, bottom = low - room, top = high + room;
  for (const Series& series : panel.series)
    for (std::size_t k = 0; k < series.band.size(); ++k) {
      if (!std::isfinite(series.band[k])) continue;
      low = std::min(low, std::max(bottom, series.y[k] - series.band[k]));
      high = std::max(high, std::min(top, series.y[k] + series.band[k]));
    }
  return make_scale(low, high, 5, true);
}

// The band of a line in px: of each half px its widest place.
// @param x, y  to px, y within the panel
template <typename ToX, typename ToY>
std::string band_area(const Series& series, const ToX& x, const ToY& y) {
  std::string area, upper;
  std::vector<std::pair<double, double>> lower;
  const auto close = [&] {
    if (lower.size() > 1) {
      for (auto at = lower.rbegin(); at != lower.rend(); ++at)
        upper += fmt::format("L{:.1f} {:.1f}", at->first, at->second);
      area += upper + "z";
    }
    upper.clear();
    lower.clear();
  };
  double high = INFINITY, low = -INFINITY;
  for (std::size_t k = 0; k < series.band.size(); ++k) {
    if (!std::isfinite(series.band[k]) || !std::isfinite(series.y[k])) {
      close();
      continue;
    }
    high = std::min(high, y(series.y[k] + series.band[k]));  // px go down
    low = std::max(low, y(series.y[k] - series.band[k]));
    const bool last = k + 1 == series.band.size();
    if (!last && std::floor(2.0 * x(series.x[k + 1])) == std::floor(2.0 * x(series.x[k]))) continue;
    upper += fmt::format("{}{:.1f} {:.1f}", lower.empty() ? "M" : "L", x(series.x[k]), high);
    lower.emplace_back(x(series.x[k]), low);
    high = INFINITY;
    low = -INFINITY;
  }
  close();
  return area;
}

// Where a figure's panels stand.
struct Frame {
  Scale time;
  double left = kLeft;
  [[nodiscard]] double x(double t) const {
    return left + (kInner - (left - kLeft)) * std::clamp(time.at(t), 0.0, 1.0);
  }
  [[nodiscard]] double right() const { return kLeft + kInner; }
};

std::string grid_of_time(const Frame& frame, double top, double height, bool labels) {
  std::string svg;
  for (const double tick : frame.time.ticks) {
    svg += fmt::format("<path class=\"g\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", frame.x(tick), top,
                       height);
    if (labels) svg += words(frame.x(tick), top + height + 17, "middle", frame.time.text(tick));
  }
  return svg;
}

std::string draw_series(const Panel& panel, const Frame& frame, double top) {
  const Scale scale = value_scale(panel);
  const auto y_of = [&](double y) { return top + kPanel * (1.0 - scale.at(y)); };
  std::string svg;
  for (const double tick : scale.ticks) {
    svg += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
                       std::abs(tick) < 1e-9 * scale.step ? "a" : "g", frame.left, y_of(tick),
                       frame.right());
    svg += words(frame.left - 7, y_of(tick) + 4, "end", scale.text(tick));
  }
  const auto inside = [&](double y) { return std::clamp(y_of(y), top, top + kPanel); };
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    if (const std::string area = band_area(
            panel.series[i], [&](double t) { return frame.x(t); }, inside);
        !area.empty())
      svg +=
          fmt::format("<path class=\"f{}\" fill-opacity=\"0.2\" d=\"{}\"/>\n", i % kColours, area);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    Path path;
    for (std::size_t k = 0; k < series.x.size(); ++k)
      path.add(frame.x(series.x[k]), y_of(series.y[k]));
    svg += fmt::format("<path {} fill=\"none\" stroke-width=\"1.6\" d=\"{}\"/>\n", line_class(i),
                       path.text());
    const double y = top + 10 + 16.0 * static_cast<double>(i);
    svg += fmt::format("<path {} stroke-width=\"2.4\" d=\"M{:.1f} {:.1f}h22\"/>\n", line_class(i),
                       frame.right() + 12, y);
    svg += words(frame.right() + 40, y + 4, "start", series.name);
  }
  return svg + fmt::format(
                   "<text class=\"t\" transform=\"translate(16 {:.1f}) rotate(-90)\" "
                   "text-anchor=\"middle\">{}</text>\n",
                   top + kPanel / 2, escape(panel.label));
}

std::string draw_lanes(const Panel& panel, const Frame& frame, double top) {
  std::string svg;
  for (std::size_t i = 0; i < panel.lanes.size(); ++i) {
    const Lane& lane = panel.lanes[i];
    const double y = top + 6 + kLane * static_cast<double>(i);
    svg += words(frame.left - 7, y + 12, "end", lane.name);
    std::string bars, ticks;
    for (const auto& [from, to] : lane.bars)
      bars += fmt::format("M{:.1f} {:.1f}H{:.1f}v14H{:.1f}z", frame.x(from), y,
                          std::max(frame.x(to), frame.x(from) + 0.5), frame.x(from));
    double before = -1.0;
    for (const double tick : lane.ticks) {
      const double x = frame.x(tick);
      if (x - before < 0.2) continue;  // nobody sees more
      ticks += fmt::format("M{:.1f} {:.1f}v14", x, y);
      before = x;
    }
    if (!bars.empty()) svg += fmt::format("<path class=\"f{}\" d=\"{}\"/>\n", i % kColours, bars);
    if (!ticks.empty())
      svg +=
          fmt::format("<path class=\"c{}\" stroke-width=\"1\" d=\"{}\"/>\n", i % kColours, ticks);
  }
  return svg + words(frame.right() + 12, top + 18, "start", panel.label);
}

double panel_height(const Panel& panel) {
  return std::max(height_of(panel), 16.0 * static_cast<double>(panel.series.size()));
}

}  // namespace

std::string escape(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n')  // no others in XML
      safe += c;
  }
  return safe;
}

std::string paper_style() {
  std::string css =
      "<style>.paper{fill:#fff}.t{fill:#222}.g{stroke:#ddd}.a{stroke:#666}.m{stroke:#a00}";
  for (std::size_t i = 0; i < kColours; ++i)
    css += fmt::format(".c{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, colour(i));
  return css + "</style>\n";
}

std::string figure_svg(const Figure& figure, bool style) {
  const Frame frame{make_scale(figure.from, figure.to, 8, false), left_of(figure)};
  std::string inside;
  double top = kHead;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    const double height = height_of(panel);
    const bool last = i + 1 == figure.panels.size();
    inside += grid_of_time(frame, top, height, last);
    inside += panel.lanes.empty() ? draw_series(panel, frame, top) : draw_lanes(panel, frame, top);
    for (const auto& [t, what] : figure.marks) {
      inside +=
          fmt::format("<path class=\"m\" stroke-dasharray=\"4 3\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n",
                      frame.x(t), top, height);
      if (i == 0) inside += words(frame.x(t) + 4, top - 4, "start", what);
    }
    top += (last ? height : panel_height(panel)) + kGap;
  }
  if (!figure.panels.empty())
    top = std::max(top, top - height_of(figure.panels.back()) + panel_height(figure.panels.back()));
  inside += words((frame.left + frame.right()) / 2, top + 10, "middle", "time (s)");
  const double height = top + 20;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" {2}"
             "font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"{3}\">\n",
             kWidth, height,
             style ? fmt::format("width=\"{:.0f}\" height=\"{:.0f}\" ", kWidth, height) : "",
             escape(figure.title)) +
         (style ? paper_style() : "") + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
         words(frame.left, 20, "start", figure.title, " font-size=\"15\"") + inside + "</svg>\n";
}

std::string figure_csv(const Figure& figure, std::size_t rows) {
  std::string csv;
  for (const Panel& panel : figure.panels) {
    for (const Lane& lane : panel.lanes) {
      for (const auto& [from, to] : lane.bars)
        csv += fmt::format("{},{:.9g},{:.9g}\n", lane.name, from, to);
      for (const double tick : lane.ticks) csv += fmt::format("{},{:.9g}\n", lane.name, tick);
    }
    for (const Series& series : panel.series) {
      const std::size_t every = std::max<std::size_t>(1, (series.x.size() + rows - 1) / rows);
      for (std::size_t k = 0; k < series.x.size(); k += every)
        csv += fmt::format("{},{:.9g},{:.9g}\n", series.name, series.x[k], series.y[k]);
      for (std::size_t k = 0; k < series.band.size(); k += every)
        csv += fmt::format("{} ±,{:.9g},{:.9g}\n", series.name, series.x[k], series.band[k]);
    }
  }
  return csv;
}

}  // namespace pequod::app::plot
