#include "app/plot/figure_html.h"

#include <fmt/format.h>

namespace pequod::app::plot {

FigureOnPage on_page(const Figure& figure) {
  return {figure.what, figure_svg(figure, false),
          figure.note.empty() ? "" : escape(figure.note) + ".",
          "name,t,value (bars: from, to)\n" + figure_csv(figure, kPageRows)};
}

std::string figure_html(const FigureOnPage& figure) {
  return fmt::format(
      "<figure id=\"{0}\">\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{0}\">{1}</div>\n<figcaption>{2}"
      "<button type=\"button\" data-act=\"data\" aria-expanded=\"false\">Data of {0}</button>"
      "<button type=\"button\" data-act=\"csv\">Save CSV</button>"
      "<button type=\"button\" data-act=\"svg\">Save SVG</button>"
      "<button type=\"button\" data-act=\"png\">Save PNG</button></figcaption>\n"
      "<pre hidden tabindex=\"0\">{3}</pre>\n</figure>\n",
      figure.name, figure.svg, figure.note.empty() ? "" : " " + figure.note, escape(figure.data));
}

}  // namespace pequod::app::plot
