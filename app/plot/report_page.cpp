#include "app/plot/report_page.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/plot/figure_pack.h"
#include "app/plot/report_assets.h"
#include "app/web_bundle.h"

namespace pequod::app::plot {
namespace {

// What lets figures be explored, or how to get it.
std::string exploring(std::span<const Figure> figures) {
  if (figures.empty()) return "</main>\n";
  const std::filesystem::path bundle = web_bundle("report.js");
  std::error_code code;
  if (!std::filesystem::exists(bundle, code))
    return "<p>To zoom in the figures and read off values: <code>./dev web</code>, then write this "
           "report again.</p>\n</main>\n";
  return "</main>\n<script type=\"text/plain\" id=\"figures\">" + pack_figures(figures) +
         "</script>\n<script>" + script_text(bundle) + "</script>\n";
}

}  // namespace

std::string report_page(const std::string& title, const std::string& body,
                        std::span<const Figure> figures) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n"
             "</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
             escape(title), kReportStyle) +
         body + exploring(figures) +
         fmt::format("<script>{}</script>\n</body>\n</html>\n", kReportScript);
}

}  // namespace pequod::app::plot
