// Where the wall time of a run goes.
#pragma once

#include <chrono>
#include <string>

#include "simulation/record/report.h"

namespace pequod::app {

/// Sums up what steps tell of their time.
class RunProfile {
 public:
  /// Lets the observer be told; what it did before goes on. This must outlive it.
  void watch(Observer& observer);
  /// A table for people, from the first watch() on: parts with their time, share and time a step,
  /// and the step that took the longest.
  [[nodiscard]] std::string text() const;

 private:
  void add(const StepReport& step);

  std::chrono::steady_clock::time_point started_;
  StepTimes sum_;
  long steps_ = 0, contacts_ = 0;
  StepReport longest_;
};

}  // namespace pequod::app
