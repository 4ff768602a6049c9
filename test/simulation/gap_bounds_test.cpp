#include "simulation/event/gap_bounds.h"

#include <doctest/doctest.h>

#include <limits>

#include "test/support/random.h"

namespace pequod {
namespace {

struct Sample {
  double gap = 0.0, rate = 0.0, curvature = 0.0;
  bool present = true;
  double acceleration = std::numeric_limits<double>::quiet_NaN();
};

// A gap that is a quartic in time.
struct Quartic {
  double c[5];

  [[nodiscard]] Sample at(double t, bool with_acceleration) const {
    Sample sample;
    sample.gap = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
    sample.rate = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * 4.0 * c[4]));
    if (with_acceleration) sample.acceleration = 2.0 * c[2] + t * (6.0 * c[3] + t * 12.0 * c[4]);
    return sample;
  }
};

// Of a smooth step: each coefficient at most a tenth of the one before, so that the step resolves
// its motion. What is said of the whole interval is compared with a thousand points of it.
TEST_CASE("what is said of a gap between two samples holds all along") {
  Random random(31);
  int excluded_ones = 0, single = 0, more = 0;
  for (int i = 0; i < 20000; ++i) {
    Quartic gap{};
    double scale = 1.0;
    for (double& c : gap.c) {
      c = scale * random.uniform(-1.0, 1.0);
      scale *= i % 2 ? 1.0 : 0.3;
    }
    gap.c[3] *= 0.1;
    gap.c[4] *= 0.02;
    if (gap.c[0] < 0.0) gap.c[0] = -gap.c[0];
    bool none[2], once[2];
    for (const bool known : {false, true}) {
      none[known] = excluded(gap.at(0.0, known), gap.at(1.0, known), 1.0, {});
      once[known] = crosses_once(gap.at(0.0, known), gap.at(1.0, known), 1.0, {});
    }
    double lowest = gap.c[0];
    int changes = 0;
    double before = gap.c[0];
    for (int k = 1; k <= 1000; ++k) {
      const double now = gap.at(1e-3 * k, false).gap;
      lowest = std::min(lowest, now);
      changes += (now < 0.0) != (before < 0.0) ? 1 : 0;
      before = now;
    }
    for (const bool known : {false, true}) {
      if (none[known]) CHECK(lowest > -kGapNoise);
      if (once[known]) CHECK(changes == 1);
    }
    excluded_ones += none[1] ? 1 : 0;
    single += once[1] ? 1 : 0;
    more += (none[1] && !none[0]) || (once[1] && !once[0]) ? 1 : 0;
  }
  CHECK(excluded_ones > 2000);
  CHECK(single > 2000);
  CHECK(more > 50);  // accelerations tell more than the rates alone
}

// As an impact leaves it: zero, or a rounding below it, and on its way up.
TEST_CASE("a gap within rounding of zero on its way up has not closed") {
  const Sample start{1e-15, 4e-8}, end{-2e-14, 4e-8};
  CHECK(excluded(start, end, 1e-7, {}));
  CHECK_FALSE(crosses_once(start, end, 1e-7, {}));
  const Sample sinking{-2e-14, -4e-7};
  CHECK_FALSE(excluded(start, sinking, 1e-7, {}));
}

// It may sink to the depth that still counts as touching, and no deeper.
TEST_CASE("a gap that closes more slowly than what grazes has not closed") {
  const Sample start{1e-15, -4e-8};
  CHECK(excluded(start, Sample{-9e-11, -4e-8}, 2e-3, {}));
  CHECK_FALSE(excluded(start, Sample{-1.1e-10, -4e-8}, 2e-3, {}));
}

// Others may move edges a little below zero that did not face each other before.
TEST_CASE("what comes into sight a little below zero, on its way up, has not closed") {
  Sample unseen{3e-5, 0.0};
  unseen.present = false;
  CHECK(excluded(unseen, Sample{-2e-11, 0.015}, 1e-10, {}));
  CHECK_FALSE(excluded(unseen, Sample{-1.1e-10, 0.015}, 1e-10, {}));  // deeper than what touches
  CHECK_FALSE(excluded(unseen, Sample{-2e-11, -0.015}, 1e-10, {}));   // on its way down
  // What is up at the end may have been anywhere in between.
  CHECK_FALSE(excluded(unseen, Sample{1e-4, 0.015}, 1.0, {}));
}

}  // namespace
}  // namespace pequod
