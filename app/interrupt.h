// Ctrl-C: the first asks the run to end, the second ends it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace pequod::app {

/// From now on SIGINT and SIGTERM are noted instead of ending the process; a second one ends it at
/// once with exit code 130.
void catch_interrupts();

/// From now on broken pipes and file size limits are write errors instead of ending the process.
void ignore_write_signals();

[[nodiscard]] bool interrupted();

/// While it lives, whoever does not look at interrupted() for a quarter of a second after a signal
/// is not waited for: `last_words` are said in a thread beside, and the process ends with exit code
/// 130.
class Watchdog {
 public:
  explicit Watchdog(std::function<void()> last_words);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();

  std::function<void()> last_words_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace pequod::app
