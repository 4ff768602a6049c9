// Append-only text files of whole lines, and the numbers in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pequod {

/// A file could not be written or read; the message names the file and the reason.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Appends `x` with 17 significant digits, which give the same double back.
void append_number(std::string& line, double x);
void append_number(std::string& line, std::int64_t x);

/// A log that grows by whole lines. Lines are gathered and handed to the system in one go, so a
/// process killed at any instant leaves a readable prefix. Every write is checked.
class LineFile {
 public:
  LineFile() = default;
  /// Opens for appending after the first `keep` bytes; what stood behind them is cut off.
  /// @throws FileError if it cannot be opened or holds fewer bytes
  LineFile(const std::filesystem::path& path, std::int64_t keep);
  ~LineFile();
  LineFile(LineFile&& other) noexcept;
  LineFile& operator=(LineFile&& other) noexcept;

  /// @param lines  whole lines, each with its newline
  void append(std::string_view lines);
  /// Hands everything to the system. @throws FileError, the file then ends with a whole line
  void flush();
  /// Also waits until the disk has it.
  void sync();
  void close();

  /// Bytes, those not yet flushed included.
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  [[noreturn]] void fail(const char* what) const;
  std::filesystem::path path_;
  std::string pending_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
  bool dirty_ = false;
};

/// Writes a file as a whole or not at all: a temporary beside it, renamed into place.
/// @param durable  wait for the disk first, so that not even a power cut leaves half of it
/// @throws FileError
void replace_file(const std::filesystem::path& path, std::string_view content, bool durable);

/// @throws FileError
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace pequod
