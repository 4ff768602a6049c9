#include "app/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "app/output.h"

namespace pequod::app {
namespace {

constexpr std::chrono::milliseconds kPause{100};

std::string format_wait(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

}  // namespace

int terminal_width() {
  struct winsize size {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::string format_progress(const ProgressLine& line, int width) {
  const double done = line.duration > 0.0 ? std::clamp(line.t / line.duration, 0.0, 1.0) : 1.0;
  const double wait = line.speed > 0.0 ? (line.duration - line.t) / line.speed : INFINITY;
  const std::string suspect =
      line.suspect > 0.0 ? fmt::format("  SUSPECT LOSS {:.1e} J", line.suspect) : "";
  const std::string text = fmt::format(
      "{:.2f}/{:g} s  {:.3g}x real time  ETA {}  contacts {}  energy residual {:.1e} J{}", line.t,
      line.duration, line.speed, format_wait(wait), line.contacts, line.energy_residual, suspect);
  return format_share(done, text, width);
}

std::string format_share(double share, const std::string& text, int width) {
  const int room = width - static_cast<int>(text.size()) - 5;
  const int bar = std::clamp(room, 0, 30);
  if (bar < 5) return text.substr(0, static_cast<std::size_t>(std::max(width - 1, 0)));
  const int filled = static_cast<int>(share * bar);
  return fmt::format("[{:<{}}] {}", std::string(static_cast<std::size_t>(filled), '#'), bar, text);
}

Progress::Progress(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}

void Progress::tell(std::string_view what) {
  if (!shown_) return;
  print_error(fmt::format("\r\x1b[K{}", what));
  drawn_ = true;
}

bool Progress::due() const { return shown_ && std::chrono::steady_clock::now() >= next_; }

void Progress::draw(const ProgressLine& line) {
  tell(format_progress(line, terminal_width()));
  next_ = std::chrono::steady_clock::now() + kPause;
}

void Progress::draw_share(double share, const std::string& text) {
  tell(format_share(share, text, terminal_width()));
}

void Progress::clear() {
  if (drawn_) print_error("\r\x1b[K");
  drawn_ = false;
}

}  // namespace pequod::app
