// The page that shows motion, as text.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace pequod::app {

/// What a page does beside showing what is in it.
struct PageUse {
  bool live = false;  ///< asks where it came from for the run, again and again
  int frames = 0;     ///< a second: sends a picture of each to where it came from; 0: none
};

/// The page's script.
/// @throws RunFolderRefused  if it is not there, with how to get it
[[nodiscard]] std::filesystem::path require_bundle();

/// Without requests to anywhere but, where its use says so, the server that it came from.
/// @param title   for people
/// @param runs    pack_run() of each
/// @param bundle  the script
[[nodiscard]] std::string motion_page(const std::string& title, std::span<const std::string> runs,
                                      const std::filesystem::path& bundle, const PageUse& use);

}  // namespace pequod::app
