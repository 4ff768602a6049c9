// SVG to what papers ask for.
#pragma once

#include <filesystem>
#include <string>

namespace pequod::app::plot {

/// Writes an SVG document as svg, pdf or png. The last two need rsvg-convert or Inkscape.
/// @throws RunFolderRefused  if neither is on the PATH
/// @throws FileError         if it cannot be written
void write_picture(const std::filesystem::path& file, const std::string& svg,
                   const std::string& format);

/// @throws RunFolderRefused  if a format cannot be written here
void require_format(const std::string& format);

}  // namespace pequod::app::plot
