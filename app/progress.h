// One line on the terminal that tells how a run is going.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace pequod::app {

struct ProgressLine {
  double t = 0.0, duration = 0.0;  ///< s, simulated, since the start
  double speed = 0.0;              ///< simulated over wall time
  int contacts = 0;
  double energy_residual = 0.0;  ///< J
  double suspect = 0.0;          ///< J, shown if there is any
};

/// "[####      ]  3.21 / 10 s  1.8 × real time  ETA 4 s  contacts 2  energy residual 1.2e-05 J",
/// cut to `width` columns.
[[nodiscard]] std::string format_progress(const ProgressLine& line, int width);

/// "[####      ] text", cut to `width` columns. @param share  done of all, 0…1
[[nodiscard]] std::string format_share(double share, const std::string& text, int width);

/// Columns of the terminal, 80 if it does not tell.
[[nodiscard]] int terminal_width();

/// Draws on standard error, ten times a second at most, and nothing unless that is a terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Before the run: "loading trot.yaml".
  void tell(std::string_view what);
  /// Whether a new line may be drawn now.
  [[nodiscard]] bool due() const;
  void draw(const ProgressLine& line);
  /// The same for work that is counted: how much is done, and a text.
  void draw_share(double share, const std::string& text);
  /// Takes the line off the terminal.
  void clear();

 private:
  bool shown_ = false, drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace pequod::app
