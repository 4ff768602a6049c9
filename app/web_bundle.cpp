#include "app/web_bundle.h"

#include <cstdlib>

#include "simulation/record/csv.h"

namespace pequod::app {

namespace fs = std::filesystem;

fs::path web_bundle(const char* name) {
  const char* named = std::getenv("PEQUOD_WEB");
  if (named != nullptr && *named != '\0') return fs::path(named) / name;
  // In the folder of an install or of the program's build.
  std::error_code code;
  const fs::path home = fs::read_symlink("/proc/self/exe", code).parent_path();
  fs::path installed = home.parent_path() / "share/pequod/web" / name;
  if (fs::exists(installed, code)) return installed;
  return home.parent_path() / "web" / name;
}

// No </script> may end the script before its end: inside strings and patterns, where alone it can
// stand, <\/ means the same.
std::string script_text(const fs::path& bundle) {
  std::string text = read_file(bundle);
  for (std::size_t at = 0; (at = text.find("</script", at)) != std::string::npos; at += 3)
    text.insert(at + 1, "\\");
  return text;
}

}  // namespace pequod::app
