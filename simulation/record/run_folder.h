// The files that one run leaves behind.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "simulation/record/checkpoint.h"
#include "simulation/record/csv.h"
#include "simulation/simulation.h"

namespace pequod {

/// The folder cannot serve this run as it was asked for; nothing in it was changed.
struct RunFolderRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What other models made of a run's contact problems; not there if nobody asked.
inline constexpr const char* kShadowLog = "shadow.csv";

/// "state.csv".
[[nodiscard]] const char* log_name(Log log);

/// Creates a folder and those above it, unless it is there.
/// @throws RunFolderRefused  if it, or one above it, is a file
/// @throws FileError
void make_folder(const std::filesystem::path& path);

/// Keeps other processes from writing to a folder, until it goes or its process ends, however that
/// ends: no lock is left behind.
class FolderLock {
 public:
  /// Creates the folder if there is none.
  /// @param writer  who else may be writing there, for the error: "run"
  /// @throws RunFolderRefused  if another process holds it, or it is a file
  /// @throws FileError
  FolderLock(const std::filesystem::path& path, std::string_view writer);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;  // of the folder
};

/// A folder held by this process, and the logs in it. At every instant its checkpoint fits its
/// logs: they hold the bytes it counts, and perhaps more.
class RunFolder {
 public:
  /// Creates the folder if there is none, and keeps other processes out.
  /// @throws RunFolderRefused  if it holds anything but a run, or another process writes to it
  /// @throws FileError
  explicit RunFolder(const std::filesystem::path& path);

  /// The checkpoint of an earlier run; none if there is none.
  /// @throws RunFolderRefused if it is damaged
  [[nodiscard]] std::optional<Checkpoint> checkpoint() const;

  /// Removes an earlier run and starts the logs with their headers. The scenario must outlive this.
  void start(const Scenario& scenario);
  /// Cuts the logs to the checkpoint and goes on behind it.
  void resume(const Scenario& scenario, const Checkpoint& checkpoint);

  /// Writes what a simulation tells to the logs. This must outlive it.
  [[nodiscard]] Observer observer();

  /// Bytes of the logs so far, for a checkpoint.
  [[nodiscard]] std::array<std::int64_t, kLogs> offsets() const;
  /// Brings the logs to disk, then puts the checkpoint into place.
  void save(const Checkpoint& checkpoint);
  /// Writes out what the logs still keep, and closes them.
  void close();

  void write_summary(std::string_view json) const;
  void write_model(std::string_view json) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void open_logs(const Scenario& scenario, const std::array<std::int64_t, kLogs>& keep);
  LineFile& log(Log which) { return nth(logs_, which); }

  std::filesystem::path path_;
  FolderLock lock_;
  const Scenario* scenario_ = nullptr;
  std::array<LineFile, kLogs> logs_;
  std::string lines_;
};

}  // namespace pequod
