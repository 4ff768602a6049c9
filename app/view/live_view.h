// A run in a browser while it goes on.
#pragma once

#include <filesystem>
#include <string>

#include "app/view/local_server.h"

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
  [[nodiscard]] WebReply answer(const WebRequest& request) const;

  std::filesystem::path folder_;
  std::string page_;
  LocalServer server_;
};

}  // namespace pequod::app
