// A run in a browser while it goes on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/view/local_server.h"
#include "app/view/visuals.h"

namespace pequod::app {

/// Serves the page of a run folder; each time that the page asks, what the folder holds by then.
class LiveView {
 public:
  /// @param folder  of the run, which need not have begun
  /// @throws RunFolderRefused  if the page's script is not there
  LiveView(const std::string& title, std::filesystem::path folder);

  /// For the browser.
  [[nodiscard]] const std::string& address() const { return server_.address(); }

 private:
  [[nodiscard]] WebReply answer(const WebRequest& request);
  [[nodiscard]] std::string packed(const plot::RunData& run);

  std::filesystem::path folder_;
  std::string page_;
  std::optional<PackedVisuals> visuals_;  ///< read when first asked for, in the server's thread
  LocalServer server_;
};

}  // namespace pequod::app
