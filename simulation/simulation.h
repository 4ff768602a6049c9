// The event loop, as it is used.
#pragma once

#include <memory>

#include "simulation/options.h"
#include "simulation/record/report.h"

namespace pequod {

class EventLoop;

/// One run, advanced step by step.
class Simulation {
 public:
  /// Starts at scenario.initial, or at a state of a checkpoint.
  /// @throws std::invalid_argument for an unknown model, solver or integrator
  /// @param scenario  outlives the run
  explicit Simulation(const Scenario& scenario, Observer observer = {});
  explicit Simulation(Scenario&& scenario, Observer observer = {}) = delete;
  Simulation(const Scenario& scenario, const State& resumed, const RunStatistics& statistics,
             Observer observer);
  ~Simulation();

  /// Advances to the next event or the end of the step; records on the way.
  /// @return false once the duration is reached (and the last row recorded)
  /// @throws DivergenceError, ContactError; state() is then the last good one
  bool step();
  /// Steps until done.
  void run() {
    while (step()) {
    }
  }

  [[nodiscard]] const State& state() const;
  [[nodiscard]] const RunStatistics& statistics() const;
  [[nodiscard]] const Kinematics& kinematics();

 private:
  std::unique_ptr<EventLoop> loop_;
};

}  // namespace pequod
