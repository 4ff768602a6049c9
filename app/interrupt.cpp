#include "app/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <utility>

#include "app/exit_code.h"

namespace pequod::app {
namespace {

// The only thing that a signal handler may touch.
volatile sig_atomic_t g_signals = 0;

extern "C" void note_signal(int) {
  if (g_signals != 0) _exit(kInterrupted);
  g_signals = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void ignore_write_signals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return g_signals != 0; }

Watchdog::Watchdog(std::function<void()> last_words)
    : last_words_(std::move(last_words)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void Watchdog::watch() {
  using namespace std::chrono_literals;
  constexpr auto kLook = 50ms, kPatience = 250ms;
  std::unique_lock lock(mutex_);
  const auto done = [this] { return done_; };
  while (!interrupted())
    if (over_.wait_for(lock, kLook, done)) return;
  if (over_.wait_for(lock, kPatience, done)) return;
  try {
    last_words_();
  } catch (const std::exception&) {
    // There is nobody left to tell.
  }
  _exit(kInterrupted);
}

}  // namespace pequod::app
