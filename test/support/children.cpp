#include "test/support/children.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <map>
#include <stdexcept>

namespace pequod::test {
namespace {

struct Running {
  std::size_t index = 0;
  int read_end = -1;
};

[[noreturn]] void be_child(int write_end, rlim_t processor_time, std::size_t index,
                           const std::function<std::string(std::size_t)>& work) {
  const rlimit limit{processor_time, processor_time};
  setrlimit(RLIMIT_CPU, &limit);
  const std::string text = work(index);
  const auto sent = write(write_end, text.data(), text.size());
  _exit(sent == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

std::pair<pid_t, Running> start(std::size_t index, rlim_t processor_time,
                                const std::function<std::string(std::size_t)>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no child process");
  if (pid == 0) be_child(ends[1], processor_time, index, work);
  close(ends[1]);
  return {pid, {index, ends[0]}};
}

// To be called once the child has ended: what it wrote fits into the pipe.
ChildEnd finish(const Running& child, int status) {
  ChildEnd end;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(child.read_end, buffer.data(), buffer.size())) > 0;)
    end.text.append(buffer.data(), static_cast<std::size_t>(n));
  close(child.read_end);
  if (WIFSIGNALED(status))
    end.failure = "signal " + std::to_string(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    end.failure = "exit code " + std::to_string(WEXITSTATUS(status));
  return end;
}

}  // namespace

std::vector<ChildEnd> run_in_children(std::size_t count, int workers, rlim_t processor_time,
                                      const std::function<std::string(std::size_t)>& work) {
  std::vector<ChildEnd> ends(count);
  std::map<pid_t, Running> running;
  for (std::size_t next = 0; next < count || !running.empty();) {
    if (next < count && running.size() < static_cast<std::size_t>(workers)) {
      running.insert(start(next++, processor_time, work));
      continue;
    }
    int status = 0;
    const auto ended = running.find(wait(&status));
    if (ended == running.end()) continue;
    ends[ended->second.index] = finish(ended->second, status);
    running.erase(ended);
  }
  return ends;
}

}  // namespace pequod::test
