// Other programs beside this one, and further runs of itself.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pequod::app {

/// The full path of the first of these that the PATH has, or an empty one.
[[nodiscard]] std::filesystem::path on_path(const std::vector<std::string>& programs);
/// The full path of the program that runs here.
[[nodiscard]] std::filesystem::path this_program();

/// A program that runs beside this one; its end is the end of this object at the latest.
class Program {
 public:
  /// What it reads and what becomes of what it prints.
  enum class Streams {
    ours,    ///< as of this program
    fed,     ///< reads what write() is given, prints as this program does
    silent,  ///< reads nothing, prints to nowhere
    heard    ///< as silent, but standard error is kept; Ctrl-C on a terminal does not reach it, so
             ///< that it is told once, by interrupt()
  };
  /// @throws std::runtime_error  if it cannot be started
  Program(const std::filesystem::path& file, std::vector<std::string> words, Streams streams);
  ~Program();
  Program(Program&& other) noexcept;
  Program& operator=(Program&&) = delete;

  /// @throws std::runtime_error  if it does not read any more
  void write(std::string_view bytes);
  /// Ends what it reads and waits. @return its exit code, 128 + the signal that ended it
  int wait();
  /// Whether it has ended. Does not wait.
  [[nodiscard]] bool ended();
  /// Asks it to end, as Ctrl-C does.
  void interrupt() const;

  /// Once it has ended: its exit code, 128 + the signal that ended it.
  [[nodiscard]] std::optional<int> exit_code() const { return exit_code_; }
  /// Of its processors, s, once it has ended.
  [[nodiscard]] double processor_time() const { return processor_time_; }
  /// What it has printed on standard error so far, if it is heard.
  [[nodiscard]] const std::string& messages() const { return messages_; }

  /// Until one of these, which are heard, prints or ends, a signal comes, or this time is over.
  static void wait_for_any(std::span<Program* const> programs, std::chrono::milliseconds most);

 private:
  void listen();
  void reap(int options);

  std::string name_;
  pid_t pid_ = -1;
  int input_ = -1, errors_ = -1;  // our ends of the pipes to and from it
  std::optional<int> exit_code_;
  double processor_time_ = 0.0;
  std::string messages_;
};

}  // namespace pequod::app
