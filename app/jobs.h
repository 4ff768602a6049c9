// Programs side by side, a few at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "app/program.h"

namespace pequod::app {

/// One of them.
struct Job {
  std::function<double()> expected;  ///< how long it may take, as far as is known by now, any unit
  std::function<Program()> begin;    ///< heard
  std::function<void(const Program&)> end;  ///< is called once it has ended
};

/// Runs them all, at most so many at once. Of those that wait, the one that may take longest is
/// begun first, the earlier one of equals, so that none is left for the end while the other
/// processors have nothing to do. After Ctrl-C those that run are told, and no other is begun.
/// @param tick  called at least every tenth of a second
void run_jobs(std::span<const Job> jobs, std::size_t at_once, const std::function<void()>& tick);

}  // namespace pequod::app
