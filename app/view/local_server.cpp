#include "app/view/local_server.h"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <random>
#include <stdexcept>
#include <utility>

namespace pequod::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

// Bytes of a request: a picture of a page in full has a few million.
constexpr std::uint64_t kMostBytes = 64U << 20U;
// How often it is looked whether to end, and how long a browser may take for a request.
constexpr std::chrono::milliseconds kLook{50};
constexpr std::chrono::seconds kPatience{10};

std::string new_token() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", source());
  return token;
}

}  // namespace

class LocalServer::Port {
 public:
  Port() : acceptor_(context_) {
    const asio::ip::tcp::endpoint any(asio::ip::address_v4::loopback(), 0);
    acceptor_.open(any.protocol());
    acceptor_.bind(any);
    acceptor_.listen();
    acceptor_.non_blocking(true);
  }

  [[nodiscard]] int number() const { return acceptor_.local_endpoint().port(); }

  /// One request, if one comes soon. @param reply  (request, host that it names) → reply
  template <typename Function>
  void serve_one(const Function& reply) {
    boost::system::error_code code;
    asio::ip::tcp::socket socket(context_);
    acceptor_.accept(socket, code);
    if (code) {
      std::this_thread::sleep_for(kLook);
      return;
    }
    beast::tcp_stream stream(std::move(socket));
    exchange(stream, reply);
    stream.socket().shutdown(asio::ip::tcp::socket::shutdown_both, code);
  }

 private:
  // With a limit of time, which only asynchronous operations have.
  template <typename Function>
  void exchange(beast::tcp_stream& stream, const Function& reply) {
    beast::flat_buffer buffer;
    http::request_parser<http::string_body> parser;
    parser.body_limit(kMostBytes);
    if (!in_time(stream, [&](auto&& done) { http::async_read(stream, buffer, parser, done); }))
      return;
    const auto& request = parser.get();
    const WebReply made = reply(WebRequest{std::string(request.method_string()),
                                           std::string(request.target()), request.body()},
                                std::string(request[http::field::host]));
    http::response<http::string_body> response(
        http::int_to_status(static_cast<unsigned>(made.status)), request.version());
    response.set(http::field::content_type, made.type);
    response.set(http::field::cache_control, "no-store");
    response.keep_alive(false);
    response.body() = made.body;
    response.prepare_payload();
    in_time(stream, [&](auto&& done) { http::async_write(stream, response, done); });
  }

  template <typename Start>
  bool in_time(beast::tcp_stream& stream, const Start& start) {
    bool good = false;
    stream.expires_after(kPatience);
    start([&](beast::error_code code, std::size_t) { good = !code; });
    context_.restart();
    context_.run();
    return good;
  }

  asio::io_context context_;
  asio::ip::tcp::acceptor acceptor_;
};

LocalServer::LocalServer(std::function<WebReply(const WebRequest&)> answer)
    : answer_(std::move(answer)), port_(std::make_unique<Port>()), token_(new_token()) {
  host_ = fmt::format("127.0.0.1:{}", port_->number());
  address_ = fmt::format("http://{}/{}/", host_, token_);
  thread_ = std::thread([this] { serve(); });
}

LocalServer::~LocalServer() {
  over_ = true;
  thread_.join();
}

void LocalServer::serve() {
  const std::string begin = "/" + token_ + "/";
  const auto reply = [&](WebRequest request, const std::string& host) -> WebReply {
    if (host != host_ || !request.path.starts_with(begin))
      return {.status = 404, .body = "there is nothing here\n"};
    request.path.erase(0, begin.size());
    try {
      return answer_(request);
    } catch (const std::exception& error) {
      return {.status = 500, .body = std::string(error.what()) + "\n"};
    }
  };
  while (!over_) port_->serve_one(reply);
}

}  // namespace pequod::app
