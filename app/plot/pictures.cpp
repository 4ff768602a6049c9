#include "app/plot/pictures.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

extern char** environ;

namespace pequod::app::plot {
namespace {

namespace fs = std::filesystem;

// The full path of a program, or an empty one.
fs::path on_path(const char* program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path file = fs::path(folder) / program;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

// Runs a program to its end. @return whether it came to a good one
bool run_program(const fs::path& program, std::vector<std::string> words) {
  words.insert(words.begin(), program.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
    return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void require_format(const std::string& format) {
  if (format == "svg" || !on_path("rsvg-convert").empty() || !on_path("inkscape").empty()) return;
  throw RunFolderRefused(fmt::format(
      "plot: --format {} needs rsvg-convert (of Debian's librsvg2-bin) or inkscape, and "
      "neither is on the PATH; --format svg needs nothing",
      format));
}

void write_picture(const fs::path& file, const std::string& svg, const std::string& format) {
  require_format(format);
  if (format == "svg") {
    replace_file(file, svg, false);
    return;
  }
  const fs::path source = file.string() + ".svg.tmp";
  replace_file(source, svg, false);
  const fs::path rsvg = on_path("rsvg-convert");
  bool done = false;
  if (!rsvg.empty())
    done = run_program(rsvg, {"-f", format, "-z", format == "png" ? "2" : "1", "-o", file.string(),
                              source.string()});
  else
    done = run_program(on_path("inkscape"), {source.string(), "--export-type=" + format,
                                             "--export-filename=" + file.string()});
  std::error_code code;
  fs::remove(source, code);
  if (!done || !fs::exists(file, code))
    throw FileError(fmt::format("{}: {} could not write it", file.string(),
                                rsvg.empty() ? "inkscape" : "rsvg-convert"));
}

}  // namespace pequod::app::plot
