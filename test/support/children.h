// Work in processes of their own: what crashes or never ends is told, not shared.
#pragma once

#include <sys/resource.h>

#include <functional>
#include <string>
#include <vector>

namespace pequod::test {

/// What became of one piece of work.
struct ChildEnd {
  std::string text;     ///< what the work returned; at most 64 kB
  std::string failure;  ///< "signal 11", "exit code 1"; empty: it came to its end
};

/// Calls work(0) … work(count − 1), each in a child process of at most `processor_time` seconds,
/// `workers` of them at a time. @return in their order
[[nodiscard]] std::vector<ChildEnd> run_in_children(
    std::size_t count, int workers, rlim_t processor_time,
    const std::function<std::string(std::size_t)>& work);

}  // namespace pequod::test
