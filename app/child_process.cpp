#include "app/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace pequod::app {
namespace {

[[noreturn]] void fail(const char* what, int code) {
  throw std::runtime_error(fmt::format("cannot {}: {}", what, std::strerror(code)));
}

// Standard output to nowhere, standard error to the pipe.
class Redirections {
 public:
  explicit Redirections(int errors) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
  }
  ~Redirections() { ::posix_spawn_file_actions_destroy(&actions_); }
  Redirections(const Redirections&) = delete;
  Redirections& operator=(const Redirections&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// In a process group of its own.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

double child_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words) {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> all = {program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("open a pipe", errno);
  errors_ = ends[0];
  ::fcntl(errors_, F_SETFL, O_NONBLOCK);
  const Redirections redirections(ends[1]);
  const Attributes attributes;
  const int code = ::posix_spawn(&pid_, program.c_str(), redirections.get(), attributes.get(),
                                 arguments.data(), environ);
  ::close(ends[1]);
  if (code == 0) return;
  ::close(errors_);
  fail("start a run", code);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      exit_code_(other.exit_code_),
      processor_time_(other.processor_time_),
      messages_(std::move(other.messages_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ >= 0 && !exit_code_) {
    interrupt();
    ::waitpid(pid_, nullptr, 0);
  }
  if (errors_ >= 0) ::close(errors_);
}

void ChildProcess::interrupt() const {
  if (pid_ >= 0 && !exit_code_) ::kill(pid_, SIGINT);
}

void ChildProcess::drain() {
  std::array<char, 4096> bytes;
  for (;;) {
    const ssize_t n = ::read(errors_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    messages_.append(bytes.data(), static_cast<std::size_t>(n));
  }
}

std::optional<int> ChildProcess::poll() {
  if (exit_code_) return exit_code_;
  drain();
  int status = 0;
  rusage used{};
  const pid_t ended = ::wait4(pid_, &status, WNOHANG, &used);
  if (ended != pid_) return std::nullopt;
  drain();
  processor_time_ = child_seconds(used.ru_utime) + child_seconds(used.ru_stime);
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

}  // namespace pequod::app
