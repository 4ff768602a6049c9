// The motion of runs as a video, drawn by a browser without a screen.
#pragma once

#include <filesystem>
#include <string>

namespace pequod::app {

/// Whether there is a browser to draw and an encoder to write with.
/// @throws RunFolderRefused  naming what is missing and the package that has it
void require_video_programs();

/// One second of video a second of motion.
/// @param page    motion_page() with so many frames
/// @param file    its ending says the format, as ffmpeg knows it: .mp4, .webm, …
/// @param frames  a second
/// @throws FileError  if it cannot be written or the browser cannot draw
void write_video(const std::string& page, const std::filesystem::path& file, int frames);

}  // namespace pequod::app
