#include "app/plot/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/comparison_errors.h"
#include "app/comparison_text.h"
#include "app/plot/axis.h"
#include "app/plot/figure_html.h"
#include "app/plot/figures.h"
#include "app/plot/html_table.h"
#include "app/plot/report_page.h"
#include "app/plot/run_data.h"
#include "app/plot/shadow_figure.h"

namespace pequod::app::plot {
namespace {

constexpr double kPlotLeft = 80, kPlotTop = 16, kPlotWidth = 480, kPlotHeight = 340;  // px
constexpr double kPageWidth = 860;
constexpr std::size_t kHues = 7;  // c0 … c6 of the page

bool has_place(const ComparisonRow& row) {
  return row.status == "finished" && row.error > 0.0 && row.processor_time > 0.0;
}

// Of what has a place.
Scale scale_of(const std::vector<ComparisonRow>& rows, double ComparisonRow::*value) {
  double low = INFINITY, high = 0.0;
  for (const ComparisonRow& row : rows)
    if (has_place(row)) {
      low = std::min(low, row.*value);
      high = std::max(high, row.*value);
    }
  return make_log_scale(low, high, false);
}

std::vector<std::string> names_of(const Comparison& comparison, std::string ComparisonRow::*name) {
  std::vector<std::string> names;
  for (const ComparisonRow& row : comparison.rows)
    if (std::ranges::find(names, row.*name) == names.end()) names.push_back(row.*name);
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

// Circle, square, triangle or diamond.
std::string mark(double x, double y, std::size_t form, std::size_t hue, bool hollow) {
  constexpr const char* kForms[] = {"m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
                                    "m-4 -4h8v8h-8z", "m0 -5l5 9h-10z",
                                    "m0 -5.5l5.5 5.5l-5.5 "
                                    "5.5l-5.5 -5.5z"};
  return fmt::format("<path class=\"c{0} {1}\" d=\"M{2:.1f} {3:.1f}{4}\" stroke-width=\"1.6\"/>",
                     hue, hollow ? "paper" : fmt::format("f{}", hue), x, y, kForms[form % 4]);
}

std::string axes(const Scale& x, const Scale& y) {
  std::string svg;
  for (const double tick : x.ticks)
    svg += fmt::format(
        "<path class=\"g\" d=\"M{0:.1f} {1:.1f}v{2:.1f}\"/><text class=\"t\" x=\"{0:.1f}\" "
        "y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        kPlotLeft + kPlotWidth * x.at(tick), kPlotTop, kPlotHeight, kPlotTop + kPlotHeight + 18,
        x.text(tick));
  for (const double tick : y.ticks)
    svg += fmt::format(
        "<path class=\"g\" d=\"M{0:.1f} {1:.1f}h{2:.1f}\"/><text class=\"t\" x=\"{3:.1f}\" "
        "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kPlotLeft, kPlotTop + kPlotHeight * (1.0 - y.at(tick)), kPlotWidth, kPlotLeft - 8,
        kPlotTop + kPlotHeight * (1.0 - y.at(tick)) + 4, y.text(tick));
  return svg + fmt::format(
                   "<path class=\"a\" fill=\"none\" d=\"M{0:.1f} {1:.1f}v{2:.1f}h{3:.1f}\"/>\n"
                   "<text class=\"t\" x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"middle\">"
                   "processor time (s)</text>\n<text class=\"t\" transform=\"translate(18 {6:.1f}) "
                   "rotate(-90)\" text-anchor=\"middle\">error (m)</text>\n",
                   kPlotLeft, kPlotTop, kPlotHeight, kPlotWidth, kPlotLeft + 0.5 * kPlotWidth,
                   kPlotTop + kPlotHeight + 40, kPlotTop + 0.5 * kPlotHeight);
}

bool same_pair(const ComparisonRow& a, const ComparisonRow& b) {
  return a.integrator == b.integrator && a.model == b.model;
}

// Marks are drawn over lines, names beside them.
struct PairLayers {
  std::string lines, marks, legend;
  double next = kPlotTop + 8;  // px, of the next name
};

// @param pair  rows of one, which stand together
void add_pair(std::span<const ComparisonRow> pair, const Scale& x, const Scale& y, std::size_t hue,
              std::size_t form, PairLayers& layers) {
  std::string path;
  for (const ComparisonRow& row : pair) {
    if (!has_place(row)) continue;
    const double px = kPlotLeft + kPlotWidth * x.at(row.processor_time),
                 py = kPlotTop + kPlotHeight * (1.0 - y.at(row.error));
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
    layers.marks += mark(px, py, form, hue, is_upper_bound(row)) + "\n";
  }
  if (path.empty()) return;
  layers.lines +=
      fmt::format("<path class=\"c{}\" fill=\"none\" stroke-width=\"1.6\" d=\"{}\"/>\n", hue, path);
  layers.legend += mark(kPlotLeft + kPlotWidth + 24, layers.next, form, hue, false) +
                   fmt::format("<text class=\"t\" x=\"{:.1f}\" y=\"{:.1f}\">{} x {}</text>\n",
                               kPlotLeft + kPlotWidth + 36, layers.next + 4,
                               escape(pair.front().integrator), escape(pair.front().model));
  layers.next += 20;
}

constexpr std::array kNameHeads = {"integrator", "model", "step (s)"};
constexpr std::array kFigureHeads = {
    "error (m)",           "error bar (m)", "order",      "processor time (s)",
    "wall time (s)",       "× real time",   "steps",      "worst gap (m)",
    "energy residual (J)", "drift (m)",     "slip (m/s)", "solver residual",
    "pivots, mean",        "most",          "fallbacks",  "events"};

std::string row_html(const ComparisonRow& row) {
  const std::string named = cells_html({row.integrator, row.model, fmt::format("{:g}", row.step)});
  if (row.status != "finished")
    return fmt::format("<tr>{}<td class=\"bad\" colspan=\"{}\">{}: {}</td></tr>\n", named,
                       kFigureHeads.size(), row.status, escape(row.reason));
  const std::array<std::string, kFigureHeads.size()> figures = {
      error_text(row),
      number_text(row.bar, 2),
      order_text(row),
      number_text(row.processor_time, 3),
      number_text(row.wall_time, 3),
      number_text(row.speed, 3),
      fmt::format("{}", row.steps),
      number_text(row.worst_gap, 2),
      number_text(row.energy_residual, 2),
      number_text(row.drift, 2),
      number_text(row.slip, 2),
      number_text(row.residual, 2),
      number_text(row.pivots, 2),
      number_text(row.most_pivots, 3),
      fmt::format("{}", row.fallbacks + row.switches),
      kinds_text(row)};
  return "<tr>" + named + cells_html(figures) + "</tr>\n";
}

std::string table_html(const Comparison& comparison) {
  std::vector<const char*> heads(kNameHeads.begin(), kNameHeads.end());
  heads.insert(heads.end(), kFigureHeads.begin(), kFigureHeads.end());
  std::string rows;
  for (const ComparisonRow& row : comparison.rows) rows += row_html(row);
  return scrolling_table("runs", heads, rows);
}

std::string figure_part(const Comparison& comparison) {
  const auto without = std::ranges::count_if(
      comparison.rows, [](const ComparisonRow& row) { return !has_place(row); });
  std::string note = "Hollow: known as an upper bound only.";
  if (without > 0)
    note += fmt::format(" Runs without an error, or with an error of 0: {}.", without);
  return figure_html(
      {"work-precision", work_precision_svg(comparison, false), note, comparison_csv(comparison)});
}

std::string references_html(const Comparison& comparison) {
  std::string html = fmt::format("<p>Error: {}.</p>\n<ul>\n", kStateNorm);
  for (const ComparisonReference& reference : comparison.references)
    html += fmt::format(
        "<li>{}: against {}{}</li>\n", escape(reference.model), escape(reference.what),
        reference.bar > 0.0 ? fmt::format(", known to {:.1e} m", reference.bar) : std::string());
  for (const std::string& note : comparison.notes)
    html += fmt::format("<li>{}</li>\n", escape(note));
  return html + "</ul>\n";
}

// What the other models make of one run's contact problems, over time.
std::vector<Figure> shadow_figures(const ComparisonShadows& shadows) {
  if (shadows.of.empty() || shadows.totals.empty()) return {};
  return {make_figure(kModelsFigure, read_run(shadows.folder))};
}

// @param figures  of the shadows
std::string shadows_html(const ComparisonShadows& shadows, std::span<const Figure> figures) {
  if (shadows.of.empty()) return "";
  std::string html = fmt::format(
      "<h2>The same contact problems by each model</h2>\n<p>Those of {}{}{}. Each model solves "
      "them from the states of that run.</p>\n",
      escape(shadows.of),
      shadows.failure.empty() ? "" : ", which did not go to its end: ", escape(shadows.failure));
  if (shadows.totals.empty()) return html;
  html += shadow_html(shadows.totals);
  for (const Figure& figure : figures) html += figure_html(on_page(figure));
  return html;
}

}  // namespace

std::string work_precision_svg(const Comparison& comparison, bool style) {
  const Scale x = scale_of(comparison.rows, &ComparisonRow::processor_time),
              y = scale_of(comparison.rows, &ComparisonRow::error);
  const std::vector<std::string> models = names_of(comparison, &ComparisonRow::model),
                                 integrators = names_of(comparison, &ComparisonRow::integrator);
  PairLayers layers;
  const std::span<const ComparisonRow> rows(comparison.rows);
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && same_pair(rows[begin], rows[end])) ++end;
    add_pair(rows.subspan(begin, end - begin), x, y, place_of(models, rows[begin].model) % kHues,
             place_of(integrators, rows[begin].integrator), layers);
  }
  const double height = std::max(kPlotTop + kPlotHeight + 52, layers.next + 12);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" role=\"img\" "
             "aria-label=\"Error against processor time\" font-family=\"sans-serif\" "
             "font-size=\"13\"{2}>\n{3}<rect class=\"paper\" width=\"{0:g}\" height=\"{1:g}\"/>\n",
             kPageWidth, height,
             style ? fmt::format(" width=\"{:g}\" height=\"{:g}\"", kPageWidth, height) : "",
             style ? paper_style() : "") +
         axes(x, y) + layers.lines + layers.marks + layers.legend + "</svg>\n";
}

std::string comparison_page(const Comparison& comparison) {
  const std::vector<Figure> figures = shadow_figures(comparison.shadows);
  const std::string body = fmt::format("<p>{}.</p>\n", escape(comparison_advice(comparison))) +
                           figure_part(comparison) + "<h2>Runs</h2>\n" + table_html(comparison) +
                           references_html(comparison) + shadows_html(comparison.shadows, figures);
  return report_page("Comparison of " + std::filesystem::path(comparison.scene).filename().string(),
                     body, figures);
}

}  // namespace pequod::app::plot
