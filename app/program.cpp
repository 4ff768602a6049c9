#include "app/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

extern char** environ;

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

// What posix_spawn is to do with the streams and the group of the new process.
class SpawnSettings {
 public:
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnSettings() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void connect(int stream, int end) { ::posix_spawn_file_actions_adddup2(&actions_, end, stream); }
  void silence(int stream) {
    ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
  }
  void own_group() {
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
  }
  // @return 0, or what was wrong
  int spawn(const fs::path& file, std::vector<std::string> words, pid_t& pid) const {
    words.insert(words.begin(), file.string());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return ::posix_spawn(&pid, file.c_str(), &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Ends of one: reading, writing.
std::pair<int, int> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot open a pipe: {}", std::strerror(errno)));
  return {ends[0], ends[1]};
}

void close_end(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

fs::path on_path(const std::vector<std::string>& programs) {
  const char* path = std::getenv("PATH");
  for (const std::string& program : programs) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      fs::path file = fs::path(folder) / program;
      if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
    }
  }
  return {};
}

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

Program::Program(const fs::path& file, std::vector<std::string> words, Streams streams)
    : name_(file.filename().string()) {
  SpawnSettings settings;
  int theirs = -1;  // their end of the pipe
  if (streams == Streams::fed) {
    std::tie(theirs, input_) = open_pipe();
    settings.connect(STDIN_FILENO, theirs);
  }
  if (streams == Streams::silent || streams == Streams::heard)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) settings.silence(stream);
  if (streams == Streams::heard) {
    std::tie(errors_, theirs) = open_pipe();
    ::fcntl(errors_, F_SETFL, O_NONBLOCK);
    settings.connect(STDERR_FILENO, theirs);
    settings.own_group();
  }
  const int code = settings.spawn(file, std::move(words), pid_);
  close_end(theirs);
  if (code == 0) return;
  close_end(input_);
  close_end(errors_);
  throw std::runtime_error(
      fmt::format("{}: cannot be started: {}", file.string(), std::strerror(code)));
}

Program::Program(Program&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      exit_code_(other.exit_code_),
      processor_time_(other.processor_time_),
      messages_(std::move(other.messages_)) {}

Program::~Program() {
  close_end(input_);
  if (pid_ >= 0 && !ended()) {
    ::kill(pid_, SIGTERM);
    wait();
  }
  close_end(errors_);
}

void Program::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(input_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw std::runtime_error(
          fmt::format("{} does not take what it is given: {}", name_, std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

int Program::wait() {
  close_end(input_);
  // One that is heard must be listened to, or it waits for us.
  Program* const self = this;
  for (; errors_ >= 0; listen()) wait_for_any({&self, 1}, std::chrono::seconds(1));
  while (!exit_code_) reap(0);
  return *exit_code_;
}

bool Program::ended() {
  listen();
  if (!exit_code_) reap(WNOHANG);
  // What it has said between the two.
  if (exit_code_) listen();
  return exit_code_.has_value();
}

void Program::interrupt() const {
  if (pid_ >= 0 && !exit_code_) ::kill(pid_, SIGINT);
}

// Takes up what it has said. Its end closes the pipe.
void Program::listen() {
  std::array<char, 4096> bytes;
  while (errors_ >= 0) {
    const ssize_t n = ::read(errors_, bytes.data(), bytes.size());
    if (n > 0) messages_.append(bytes.data(), static_cast<std::size_t>(n));
    if (n == 0) close_end(errors_);
    if (n < 0 && errno != EINTR) return;
  }
}

void Program::reap(int options) {
  int status = 0;
  rusage used{};
  const pid_t done = ::wait4(pid_, &status, options, &used);
  if (done == pid_) {
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    processor_time_ = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  } else if (done < 0 && errno != EINTR) {
    exit_code_ = 1;  // nobody knows of it any more
  }
}

void Program::wait_for_any(std::span<Program* const> programs, std::chrono::milliseconds most) {
  std::vector<pollfd> ends;
  for (const Program* program : programs) {
    if (program->errors_ >= 0)
      ends.push_back({program->errors_, POLLIN, 0});
    else  // it has closed its streams and is about to end
      most = std::min(most, std::chrono::milliseconds(1));
  }
  ::poll(ends.data(), ends.size(), static_cast<int>(most.count()));
}

}  // namespace pequod::app
