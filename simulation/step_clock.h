// Where the wall time of a step goes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace pequod {

/// What a stretch of wall time is spent on; `outside` is for observers and callers.
enum class StepPart : std::size_t { dynamics, collision, contact, control, outside };

/// Wall time of one step by its parts, s. It differs from run to run.
struct StepTimes {
  double dynamics = 0.0;   ///< equations of motion, integration, and what is in no other part
  double collision = 0.0;  ///< distances and contact points
  double contact = 0.0;    ///< rows, solvers, projections
  double control = 0.0;    ///< controllers
};

/// A stopwatch with one running part at a time. Off until switched on: then, and only then, it
/// reads the clock. Nothing of a run may depend on it.
class StepClock {
 public:
  void switch_on() {
    on_ = true;
    last_ = Clock::now();
  }

  /// Time counts for its part as long as it lives, then for the part before.
  class Stretch {
   public:
    Stretch(StepClock& clock, StepPart part) : clock_(clock), before_(clock.change(part)) {}
    ~Stretch() { clock_.change(before_); }
    Stretch(const Stretch&) = delete;
    Stretch& operator=(const Stretch&) = delete;

   private:
    StepClock& clock_;
    StepPart before_;
  };

  [[nodiscard]] Stretch during(StepPart part) { return {*this, part}; }

  /// Times since the last call, and begins anew.
  StepTimes take() {
    change(part_);
    const StepTimes times{of(StepPart::dynamics), of(StepPart::collision), of(StepPart::contact),
                          of(StepPart::control)};
    seconds_.fill(0.0);
    return times;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double& of(StepPart part) { return nth(seconds_, part); }

  /// Books what has passed and goes over to `part`. @return the part before
  StepPart change(StepPart part) {
    const StepPart before = part_;
    part_ = part;
    if (!on_) return before;
    const Clock::time_point now = Clock::now();
    of(before) += std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return before;
  }

  bool on_ = false;
  StepPart part_ = StepPart::outside;
  Clock::time_point last_;
  std::array<double, 5> seconds_{};
};

}  // namespace pequod
