#include <fmt/format.h>

#include <cstdlib>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "app/plot/figure.h"
#include "app/plot/run_data.h"
#include "app/view/pack.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

// The page's script: where PEQUOD_WEB says, where an install has it, or where ./dev web puts it,
// beside the folder of the program's build.
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

// The policy forbids every request, whatever the script does.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<link rel="icon" href="data:,">
<title>{}</title>
</head>
<body>
<noscript>The motion is drawn by a script, and scripts are switched off.</noscript>
)";

}  // namespace

int view_runs(const ViewRequest& request) {
  const fs::path bundle = find_bundle();
  std::error_code code;
  if (!fs::exists(bundle, code))
    throw RunFolderRefused(fmt::format(
        "view: the script of the page is missing: {}; ./dev web builds it", bundle.string()));
  std::string title, data;
  for (const fs::path& folder : request.folders) {
    const plot::RunData run = plot::read_run(folder);
    title += (title.empty() ? "" : " and ") + run.name;
    data += "<script type=\"text/plain\" class=\"run\">" + base64(deflated(pack_run(run))) +
            "</script>\n";
  }
  const fs::path file =
      request.output.empty() ? request.folders.front() / "view.html" : request.output;
  replace_file(file,
               fmt::format(kHead, plot::escape(title)) + data + "<script>\n" +
                   safe_script(read_file(bundle)) + "</script>\n</body>\n</html>\n",
               false);
  print_out(file.string() + "\n");
  return kDone;
}

}  // namespace pequod::app
