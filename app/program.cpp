#include "app/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// @return 0, or what was wrong
int spawn(const fs::path& file, std::vector<std::string> words,
          const posix_spawn_file_actions_t& actions, pid_t& pid) {
  words.insert(words.begin(), file.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return ::posix_spawn(&pid, file.c_str(), &actions, nullptr, arguments.data(), environ);
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

Program::Program(const fs::path& file, std::vector<std::string> words, Streams streams)
    : name_(file.filename().string()) {
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  std::array<int, 2> ends = {-1, -1};
  if (streams == Streams::fed && ::pipe2(ends.data(), O_CLOEXEC) == 0)
    ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  if (streams == Streams::silent)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  const int code = spawn(file, std::move(words), actions, pid_);
  ::posix_spawn_file_actions_destroy(&actions);
  if (ends[0] >= 0) ::close(ends[0]);
  input_ = ends[1];
  if (code == 0) return;
  if (input_ >= 0) ::close(input_);
  throw std::runtime_error(
      fmt::format("{}: cannot be started: {}", file.string(), std::strerror(code)));
}

Program::~Program() {
  if (input_ >= 0) ::close(input_);
  if (pid_ < 0 || ended()) return;
  ::kill(pid_, SIGTERM);
  wait();
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
  if (input_ >= 0) ::close(input_);
  input_ = -1;
  int status = 0;
  while (!exit_code_) {
    const pid_t done = ::waitpid(pid_, &status, 0);
    if (done == pid_ || errno != EINTR) exit_code_ = done == pid_ ? code_of(status) : 1;
  }
  return *exit_code_;
}

bool Program::ended() {
  int status = 0;
  if (!exit_code_ && ::waitpid(pid_, &status, WNOHANG) == pid_) exit_code_ = code_of(status);
  return exit_code_.has_value();
}

}  // namespace pequod::app
