// Other runs of this program, side by side.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace pequod::app {

/// One run of this very program; what it prints on standard output is dropped. Ctrl-C on a terminal
/// does not reach it, so that it is told once, by interrupt().
class ChildProcess {
 public:
  /// @param words  the command line behind the program's name
  /// @throws std::runtime_error  if it cannot be started
  explicit ChildProcess(const std::vector<std::string>& words);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// Its exit code once it has ended, 128 + the signal that ended it, else nothing. Does not wait.
  [[nodiscard]] std::optional<int> poll();
  /// Of its processors, s, once it has ended.
  [[nodiscard]] double processor_time() const { return processor_time_; }
  /// What it has printed on standard error so far.
  [[nodiscard]] const std::string& messages() const { return messages_; }
  /// Asks it to end, as Ctrl-C does.
  void interrupt() const;

 private:
  void drain();

  pid_t pid_ = -1;
  int errors_ = -1;  // read end of its standard error
  std::optional<int> exit_code_;
  double processor_time_ = 0.0;
  std::string messages_;
};

}  // namespace pequod::app
