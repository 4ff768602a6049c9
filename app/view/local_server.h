// Pages for a browser on this machine, and for nobody else.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace pequod::app {

/// What a browser asks.
struct WebRequest {
  std::string method;  ///< GET, POST
  std::string path;    ///< behind the token, without a slash before it
  std::string body;
};

struct WebReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
};

/// Answers requests to a port of the loopback that the system chooses, in a thread beside, until it
/// is destroyed. Addresses begin with a token that only who is told them knows, and requests by
/// another host's name are refused, as a page of elsewhere would make them.
class LocalServer {
 public:
  /// @param answer  called in that thread, one request at a time; what it throws is status 500
  /// @throws std::runtime_error  if no port can be had
  explicit LocalServer(std::function<WebReply(const WebRequest&)> answer);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  /// http://127.0.0.1:PORT/TOKEN/
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  class Port;
  void serve();

  std::function<WebReply(const WebRequest&)> answer_;
  std::unique_ptr<Port> port_;
  std::string host_, token_, address_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace pequod::app
