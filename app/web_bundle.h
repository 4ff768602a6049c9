// The scripts of pages, which ./dev web bundles.
#pragma once

#include <filesystem>
#include <string>

namespace pequod::app {

/// Where a bundle is, or would be: where PEQUOD_WEB says, where an install has it, or where
/// ./dev web puts it.
/// @param name  "view.js" or "report.js"
[[nodiscard]] std::filesystem::path web_bundle(const char* name);

/// A bundle as it may stand in a <script>.
[[nodiscard]] std::string script_text(const std::filesystem::path& bundle);

}  // namespace pequod::app
