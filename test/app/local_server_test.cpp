// Pages for a browser of this machine: who is told the address is answered, nobody else.
#include "app/view/local_server.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include "app/view/live_view.h"
#include "test/app/process.h"

namespace pequod::test {
namespace {

using app::LiveView;
using app::LocalServer;
using app::WebReply;
using app::WebRequest;

int port_of(const std::string& address) { return std::stoi(address.substr(17)); }
// "/TOKEN/"
std::string path_of(const std::string& address) { return address.substr(address.find('/', 17)); }

// All that comes back for these bytes.
std::string answer_to(int port, const std::string& bytes) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(descriptor, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0);
  REQUIRE(::send(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string all(1 << 16, '\0'), got;
  for (ssize_t n = 0; (n = ::recv(descriptor, all.data(), all.size(), 0)) > 0;)
    got.append(all, 0, static_cast<std::size_t>(n));
  ::close(descriptor);
  return got;
}

std::string get(int port, const std::string& path, const std::string& host) {
  return answer_to(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
}

std::string host_of(int port) { return "127.0.0.1:" + std::to_string(port); }

}  // namespace

TEST_CASE("only who knows the token, and asks this host, is answered") {
  const LocalServer server([](const WebRequest& request) {
    return WebReply{.body = request.method + " " + request.path + " " + request.body};
  });
  const int port = port_of(server.address());
  const std::string path = path_of(server.address());
  CHECK(path.size() >= 32);
  CHECK(get(port, path + "run", host_of(port)).ends_with("GET run "));
  CHECK(answer_to(port, "POST " + path + "end HTTP/1.1\r\nHost: " + host_of(port) +
                            "\r\nContent-Length: 4\r\n\r\nword")
            .ends_with("POST end word"));
  CHECK(get(port, "/", host_of(port)).starts_with("HTTP/1.1 404"));
  CHECK(get(port, "/0123/run", host_of(port)).starts_with("HTTP/1.1 404"));
  // As a page of elsewhere would ask whose name has been made to mean this machine.
  CHECK(
      get(port, path + "run", "evil.example:" + std::to_string(port)).starts_with("HTTP/1.1 404"));
  const LocalServer other([](const WebRequest&) { return WebReply{}; });
  CHECK(path_of(other.address()) != path);
}

TEST_CASE("what an answer throws is status 500 with its words, and nonsense is no end") {
  const LocalServer server(
      [](const WebRequest&) -> WebReply { throw std::runtime_error("the file is damaged"); });
  const int port = port_of(server.address());
  answer_to(port, "nonsense\r\n\r\n");
  const std::string got = get(port, path_of(server.address()), host_of(port));
  CHECK(got.starts_with("HTTP/1.1 500"));
  CHECK(got.find("the file is damaged") != std::string::npos);
}

TEST_CASE("a run that has not begun has no rows yet, one that has is what its folder holds") {
  const Folder folder;
  folder.write("view.js", "// the page's script\n");
  folder.write("ball.yaml",
               "duration: 0.05\nbodies:\n  ball: {mass: 1, shape: {sphere: {radius: 0.1}}}\n");
  ::setenv("PEQUOD_WEB", folder.path().c_str(), 1);
  const LiveView view("a <ball>", folder.path() / "out");
  ::unsetenv("PEQUOD_WEB");
  const int port = port_of(view.address());
  const std::string path = path_of(view.address());
  const std::string page = get(port, path, host_of(port));
  CHECK(page.find("a &lt;ball&gt;") != std::string::npos);
  CHECK(page.find("data-live=\"1\"") != std::string::npos);
  CHECK(page.find("// the page's script") != std::string::npos);
  CHECK(get(port, path + "run", host_of(port)).starts_with("HTTP/1.1 204"));
  REQUIRE(pequod(folder, {"run", "ball.yaml", "--output", "out"}).code == 0);
  const std::string run = get(port, path + "run", host_of(port));
  CHECK(run.starts_with("HTTP/1.1 200"));
  CHECK(run.size() > 300);
  CHECK(answer_to(port, "POST " + path + " HTTP/1.1\r\nHost: " + host_of(port) +
                            "\r\nContent-Length: 0\r\n\r\n")
            .starts_with("HTTP/1.1 405"));
}

}  // namespace pequod::test
