// The program as its user meets it: a process with exit code, output, signals.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "simulation/record/csv.h"
#include "test/scene/fixture.h"

namespace pequod::test {

struct Finished {
  int code = -1;   ///< exit code; −1 if a signal ended it
  int signal = 0;  ///< 0 if it exited by itself
  std::string out, err;
};

/// A running `pequod`, standard streams in files of a folder, which is also where it runs.
class Process {
 public:
  /// @param prepare  called in the new process before the program starts
  Process(const Folder& folder, const std::vector<std::string>& words,
          const std::function<void()>& prepare = {})
      : out_(folder.path() / "stdout.txt"), err_(folder.path() / "stderr.txt") {
    std::vector<std::string> all{PEQUOD_BINARY};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    if (::chdir(folder.path().c_str()) != 0) ::_exit(126);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open(out_.c_str(), flags, 0600), STDOUT_FILENO);
    ::dup2(::open(err_.c_str(), flags, 0600), STDERR_FILENO);
    if (prepare) prepare();
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~Process() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }

  Finished wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    Finished result;
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.out = read_file(out_);
    result.err = read_file(err_);
    return result;
  }

 private:
  fs::path out_, err_;
  pid_t pid_ = -1;
};

inline Finished pequod(const Folder& folder, const std::vector<std::string>& words,
                       const std::function<void()>& prepare = {}) {
  return Process(folder, words, prepare).wait();
}

/// Rows of a CSV file, the header first, as text.
inline std::vector<std::vector<std::string>> read_table(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  const std::string text = read_file(path);
  std::vector<std::string> row(1);
  for (const char c : text) {
    if (c == '\n') {
      rows.push_back(row);
      row.assign(1, "");
    } else if (c == ',') {
      row.emplace_back();
    } else {
      row.back() += c;
    }
  }
  CHECK_MESSAGE(row == std::vector<std::string>(1), "the last line has no end: " << path);
  return rows;
}

/// Rows of steps.csv without the wall times, its last four columns; none if there is no such file.
inline std::vector<std::vector<std::string>> read_steps(const fs::path& folder) {
  if (!fs::exists(folder / "steps.csv")) return {};
  std::vector<std::vector<std::string>> rows = read_table(folder / "steps.csv");
  for (std::vector<std::string>& row : rows) row.resize(row.size() - 4);
  return rows;
}

/// Whether the logs of two run folders hold the same bytes, but for wall times.
inline bool same_logs(const fs::path& a, const fs::path& b) {
  bool same = true;
  for (const char* log : {"state.csv", "energy.csv", "events.csv", "contacts.csv"}) {
    const bool equal = read_file(a / log) == read_file(b / log);
    CHECK_MESSAGE(equal, log);
    same = same && equal;
  }
  const bool equal = read_steps(a) == read_steps(b);
  CHECK_MESSAGE(equal, "steps.csv");
  return same && equal;
}

/// A crate that falls on the ground and slides, in a few milliseconds of wall time.
inline const char* const kCrate = R"(duration: 0.5
integrator: {step: 0.001}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  crate:
    mass: 2
    shape: {box: {size: [0.4, 0.4, 0.3]}}
    position: [0, 0, 0.4]
    orientation: {rpy: [0.1, 0.2, 0]}
    velocity: [0.5, 0, 0]
)";

}  // namespace pequod::test
