#include "app/plot/pictures.h"

#include <fmt/format.h>

#include <vector>

#include "app/program.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app::plot {
namespace {

namespace fs = std::filesystem;

fs::path converter() { return on_path({"rsvg-convert", "inkscape"}); }

}  // namespace

void require_format(const std::string& format) {
  if (format == "svg" || !converter().empty()) return;
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
  const fs::path program = converter();
  std::vector<std::string> words = {source.string(), "--export-type=" + format,
                                    "--export-filename=" + file.string()};
  if (program.filename() == "rsvg-convert")
    words = {"-f", format, "-z", format == "png" ? "2" : "1", "-o", file.string(), source.string()};
  const bool done = Program(program, words, Program::Streams::ours).wait() == 0;
  std::error_code code;
  fs::remove(source, code);
  if (!done || !fs::exists(file, code))
    throw FileError(
        fmt::format("{}: {} could not write it", file.string(), program.filename().string()));
}

}  // namespace pequod::app::plot
