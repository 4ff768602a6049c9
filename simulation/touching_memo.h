// What touches at the place that was asked for last.
#pragma once

#include <array>

#include "simulation/touching.h"

namespace pequod {

/// A memo of find_touching(), whose answer follows from q alone where knows_all_of() its range: a
/// robot that stands is asked for it at each step. What is asked for once is not kept, as a robot
/// that moves has no use for it.
class TouchingMemo {
 public:
  /// Whether no more than q and the lengths of the range decide.
  [[nodiscard]] static bool knows_all_of(const TouchRange& within) {
    return within.asked == 0.0 && within.travel.empty() && within.resting.empty();
  }

  /// @param find  (): finds what touches at q
  /// @param touching  where it puts that
  template <typename Find>
  void find(const VectorXd& q, const TouchRange& within, const Find& find, Touching& touching) {
    const std::array<double, 3> lengths{within.range, within.facets, within.limits};
    const bool again = lengths_ == lengths && are_equal(q_, q);
    if (again && known_) {
      touching = found_;
      return;
    }
    find();
    known_ = again;
    if (again) {
      found_ = touching;
    } else {
      q_ = q;
      lengths_ = lengths;
    }
  }

 private:
  VectorXd q_;
  std::array<double, 3> lengths_{};  // m; m, rad
  bool known_ = false;               // found_ is what touches there
  Touching found_;
};

}  // namespace pequod
