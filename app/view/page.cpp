#include "app/view/page.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/plot/figure.h"
#include "app/view/pack.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

// In the folder of an install or of the program's build.
fs::path find_bundle() {
  const char* named = std::getenv("PEQUOD_WEB");
  if (named != nullptr && *named != '\0') return fs::path(named) / "view.js";
  std::error_code code;
  const fs::path home = fs::read_symlink("/proc/self/exe", code).parent_path();
  fs::path installed = home.parent_path() / "share/pequod/web/view.js";
  if (fs::exists(installed, code)) return installed;
  return home.parent_path() / "web/view.js";
}

// No </script> may end the script before its end: inside strings and patterns, where alone it can
// stand, <\/ means the same.
std::string safe_script(std::string text) {
  for (std::size_t at = 0; (at = text.find("</script", at)) != std::string::npos; at += 3)
    text.insert(at + 1, "\\");
  return text;
}

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

fs::path require_bundle() {
  const fs::path bundle = find_bundle();
  std::error_code code;
  if (!fs::exists(bundle, code))
    throw RunFolderRefused(fmt::format(
        "view: the script of the page is missing: {}; ./dev web builds it", bundle.string()));
  return bundle;
}

std::string page_data(const plot::RunData& run) { return base64(deflated(pack_run(run))); }

std::string motion_page(const std::string& title, std::span<const std::string> runs,
                        const fs::path& bundle, const PageUse& use) {
  std::string marks = use.live ? " data-live=\"1\"" : "";
  if (use.frames > 0) marks += fmt::format(" data-frames=\"{}\"", use.frames);
  std::string page =
      fmt::format(kHead, plot::escape(title), marks, marks.empty() ? "" : "; connect-src 'self'");
  for (const std::string& run : runs)
    page += "<script type=\"text/plain\" class=\"run\">" + run + "</script>\n";
  return page + "<script>\n" + safe_script(read_file(bundle)) + "</script>\n</body>\n</html>\n";
}

}  // namespace pequod::app
