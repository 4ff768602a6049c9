#include "app/view/page.h"

#include <fmt/format.h>

#include "app/plot/figure.h"
#include "app/web_bundle.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

// The policy forbids every request but those that the use has, whatever the script does.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"{1}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:{2}">
<link rel="icon" href="data:,">
<title>{0}</title>
</head>
<body>
<noscript>The motion is drawn by a script, and scripts are switched off.</noscript>
)";

}  // namespace

std::filesystem::path require_bundle() {
  std::filesystem::path bundle = web_bundle("view.js");
  std::error_code code;
  if (!std::filesystem::exists(bundle, code))
    throw RunFolderRefused(fmt::format(
        "view: the script of the page is missing: {}; ./dev web builds it", bundle.string()));
  return bundle;
}

std::string motion_page(const std::string& title, std::span<const std::string> runs,
                        const std::filesystem::path& bundle, const PageUse& use) {
  std::string marks = use.live ? " data-live=\"1\"" : "";
  if (use.frames > 0) marks += fmt::format(" data-frames=\"{}\"", use.frames);
  std::string page =
      fmt::format(kHead, plot::escape(title), marks, marks.empty() ? "" : "; connect-src 'self'");
  for (const std::string& run : runs)
    page += "<script type=\"text/plain\" class=\"run\">" + run + "</script>\n";
  return page + "<script>\n" + script_text(bundle) + "</script>\n</body>\n</html>\n";
}

}  // namespace pequod::app
