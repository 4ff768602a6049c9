#include "app/interrupt.h"

#include <signal.h>
#include <unistd.h>

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

}  // namespace pequod::app
