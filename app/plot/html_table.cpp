#include "app/plot/html_table.h"

#include <fmt/format.h>

#include "app/plot/figure.h"

namespace pequod::app::plot {

std::string cells_html(std::span<const std::string> cells) {
  std::string html;
  for (const std::string& cell : cells) html += fmt::format("<td>{}</td>", escape(cell));
  return html;
}

std::string cells_html(std::initializer_list<std::string> cells) {
  return cells_html(std::span(cells.begin(), cells.size()));
}

std::string scrolling_table(const std::string& label, std::span<const char* const> heads,
                            const std::string& rows) {
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table>\n<thead><tr>",
      escape(label));
  for (const char* head : heads) html += fmt::format("<th scope=\"col\">{}</th>", escape(head));
  return html + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table></div>\n";
}

}  // namespace pequod::app::plot
