// Other programs, where they are installed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pequod::app {

/// The full path of the first of these that the PATH has, or an empty one.
[[nodiscard]] std::filesystem::path on_path(const std::vector<std::string>& programs);

/// A program that runs beside this one; its end is the end of this object at the latest.
class Program {
 public:
  /// What it reads and what becomes of what it prints.
  enum class Streams {
    ours,   ///< as of this program
    fed,    ///< reads what write() is given, prints as this program does
    silent  ///< reads nothing, prints to nowhere
  };
  /// @throws std::runtime_error  if it cannot be started
  Program(const std::filesystem::path& file, std::vector<std::string> words, Streams streams);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// @throws std::runtime_error  if it does not read any more
  void write(std::string_view bytes);
  /// Ends what it reads and waits. @return its exit code, 128 + the signal that ended it
  int wait();
  /// Whether it has ended.
  [[nodiscard]] bool ended();

 private:
  std::string name_;
  pid_t pid_ = -1;
  int input_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace pequod::app
