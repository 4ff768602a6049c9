// The line that tells how a run is going.
#include "app/progress.h"

#include <pty.h>
#include <sys/ioctl.h>

#include "test/app/process.h"

namespace pequod::test {

TEST_CASE("the line shows time, speed, what is left, contacts and the energy residual") {
  const app::ProgressLine line{2.5, 10.0, 1.5, 3, -2e-5};
  CHECK(app::format_progress(line, 120) ==
        "[#######                       ] 2.50/10 s  1.5x real time  ETA 5 s  contacts 3  energy "
        "residual -2.0e-05 J");
  app::ProgressLine suspect = line;
  suspect.suspect = 2.0;
  CHECK(app::format_progress(suspect, 120).find("SUSPECT LOSS 2.0e+00 J") != std::string::npos);
  for (const int width : {0, 1, 20, 40, 80, 100, 200})
    CHECK(app::format_progress(line, width).size() <= static_cast<std::size_t>(width));
}

TEST_CASE("times to wait are told in hours and minutes") {
  app::ProgressLine line{0.0, 7300.0, 1.0, 0, 0.0};
  CHECK(app::format_progress(line, 200).find("ETA 2:01 h") != std::string::npos);
  line.t = 7000.0;
  CHECK(app::format_progress(line, 200).find("ETA 5:00 min") != std::string::npos);
  line.speed = 0.0;
  CHECK(app::format_progress(line, 200).find("ETA ?") != std::string::npos);
}

namespace {

/// A terminal for the standard error of a process, and what it shows.
class Terminal {
 public:
  Terminal() {
    REQUIRE(::openpty(&screen_, &terminal_, nullptr, nullptr, nullptr) == 0);
    ::fcntl(screen_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    ::close(screen_);
    ::close(terminal_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void attach() const { ::dup2(terminal_, STDERR_FILENO); }

  /// What was written since the last call.
  [[nodiscard]] std::string seen() const {
    char bytes[4096];
    const ssize_t n = ::read(screen_, bytes, sizeof(bytes));
    return {bytes, n > 0 ? static_cast<std::size_t>(n) : 0};
  }

 private:
  int screen_ = -1, terminal_ = -1;
};

}  // namespace

TEST_CASE("a terminal sees how far a batch of problems is, a pipe and --quiet do not") {
  const Folder folder;
  for (const char* file : {"lcp/a.dat", "lcp/b.dat"}) folder.write(file, "1\n0 1 1 1 1\n2\n-1\n");
  const Terminal terminal;
  const auto on_terminal = [&] { terminal.attach(); };
  REQUIRE(pequod(folder, {"solve", "lcp"}, on_terminal).code == 0);
  const std::string text = terminal.seen();
  CHECK(text.find("] 0/2  failed 0  a.dat") != std::string::npos);
  CHECK(text.find("[###############               ] 1/2  failed 0  b.dat") != std::string::npos);
  CHECK(text.ends_with("\r\x1b[K"));
  REQUIRE(pequod(folder, {"solve", "lcp", "--quiet"}, on_terminal).code == 0);
  CHECK(terminal.seen().empty());
  CHECK(pequod(folder, {"solve", "lcp"}).err.empty());
}

TEST_CASE("a terminal sees the line, a pipe and --quiet do not") {
  const Folder folder;
  folder.write("crate.yaml", kCrate);
  const Terminal terminal;
  const auto on_terminal = [&] { terminal.attach(); };
  const auto seen = [&] { return terminal.seen(); };
  REQUIRE(pequod(folder, {"run", "crate.yaml"}, on_terminal).code == 0);
  const std::string text = seen();
  CHECK(text.find("loading crate.yaml") != std::string::npos);
  CHECK(text.find("real time  ETA ") != std::string::npos);
  CHECK(text.ends_with("\r\x1b[K"));
  REQUIRE(pequod(folder, {"run", "crate.yaml", "--quiet"}, on_terminal).code == 0);
  CHECK(seen().empty());
  CHECK(pequod(folder, {"run", "crate.yaml"}).err.empty());
}

}  // namespace pequod::test
